package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one session as one turn sees them. A session whose tools were never changed shares the registry of the runtime; any
 * other has its own registry below it. Confined to the turn's thread.
 */
public final class TurnTools {

    private final ToolRegistry above;
    private @Nullable ToolRegistry own;
    private boolean changed;

    /**
     * The tools of a session.
     *
     * @param above the sources that are live
     * @param saved what the session's turns have left about tools, or null for nothing
     */
    public TurnTools(ToolRegistry above, @Nullable Json saved) {
        this.above = above;
        if (saved != null) {
            own().restoreState(RecordReader.read("state of tools", saved, () -> ToolState.of(saved)));
        }
    }

    private ToolRegistry own() {
        ToolRegistry registry = own;
        if (registry == null) {
            registry = ToolRegistry.below(above);
            // its generations go on where those of the registry above are
            registry.restoreState(
                    new ToolState(above.generation(), above.catalog().fingerprint(), List.of()));
            own = registry;
        }
        return registry;
    }

    public ToolRegistry registry() {
        return own == null ? above : own;
    }

    public ToolCatalog catalog() {
        return registry().catalog();
    }

    public void apply(ToolCommand command) {
        command.applyTo(own());
        changed = true;
    }

    /** What the session is to keep, or null if nothing has changed. */
    @Nullable
    Json saved() {
        return changed ? own().state().toJson() : null;
    }
}
