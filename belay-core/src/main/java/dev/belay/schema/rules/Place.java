package dev.belay.schema.rules;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A place in a value or schema: a chain of names and positions, written out as a pointer only for a report. */
public final class Place {

    public static final Place ROOT = new Place(null, "");

    private final @Nullable Place parent;
    private final Object step;

    private Place(@Nullable Place parent, Object step) {
        this.parent = parent;
        this.step = step;
    }

    public Place field(String name) {
        return new Place(this, name);
    }

    public Place item(int index) {
        return new Place(this, index);
    }

    public String pointer() {
        Deque<Object> steps = new ArrayDeque<>();
        Place at = this;
        while (at.parent != null) {
            steps.push(at.step);
            at = at.parent;
        }
        StringBuilder pointer = new StringBuilder();
        for (Object step : steps) {
            pointer.append('/').append(step.toString().replace("~", "~0").replace("/", "~1"));
        }
        return pointer.toString();
    }
}
