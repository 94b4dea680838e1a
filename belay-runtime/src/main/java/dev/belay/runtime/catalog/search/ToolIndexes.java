package dev.belay.runtime.catalog.search;

import dev.belay.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The indexes of the lists of tools that were asked for last: sessions share tools, so few are enough. Thread-safe. */
public final class ToolIndexes {

    private static final int MOST = 8;

    private final List<ToolIndex> newest = new ArrayList<>(MOST + 1);

    /** The index of these tools. Two threads that ask first may both make it. */
    public ToolIndex of(List<ToolDefinition> tools) {
        ToolIndex known = known(tools);
        if (known != null) {
            return known;
        }
        var made = new ToolIndex(tools);
        synchronized (newest) {
            newest.addFirst(made);
            if (newest.size() > MOST) {
                newest.removeLast();
            }
        }
        return made;
    }

    private @Nullable ToolIndex known(List<ToolDefinition> tools) {
        synchronized (newest) {
            for (int i = 0; i < newest.size(); i++) {
                ToolIndex one = newest.get(i);
                if (one.isOf(tools)) {
                    newest.remove(i);
                    newest.addFirst(one);
                    return one;
                }
            }
            return null;
        }
    }
}
