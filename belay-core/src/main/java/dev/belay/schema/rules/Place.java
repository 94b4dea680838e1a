package dev.belay.schema.rules;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A place in a value or schema: a chain of names and positions, written out as a pointer only for a report. */
public final class Place {

    public static final Place ROOT = new Place(null, "", false);

    private final @Nullable Place parent;
    private final Object step;
    private final boolean optional;

    private Place(@Nullable Place parent, Object step, boolean optional) {
        this.parent = parent;
        this.step = step;
        this.optional = optional;
    }

    public Place field(String name) {
        return new Place(this, name, false);
    }

    /** A field that its object need not have. */
    Place optionalField(String name) {
        return new Place(this, name, true);
    }

    public Place item(int index) {
        return new Place(this, index, false);
    }

    /** Whether this is a field that its object need not have. */
    boolean mayBeLeftOut() {
        return optional;
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
