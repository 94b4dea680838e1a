package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * What the body of an attempt has left behind for its session.
 *
 * @param changes of the session's state, which count if the call succeeds
 * @param spent what was used up, which counts however the call ends
 */
public record BodyChanges(List<Json> changes, List<Json> spent) {

    /** A body that has left nothing. */
    public static final BodyChanges NOTHING = new BodyChanges(List.of(), List.of());

    /** Copies the lists. */
    public BodyChanges {
        changes = List.copyOf(changes);
        spent = List.copyOf(spent);
    }

    /** The same after attempts that have failed. */
    public BodyChanges after(List<Json> spentBefore) {
        return new BodyChanges(changes, joined(spentBefore, spent));
    }

    /** What counts. */
    public List<Json> of(boolean success) {
        return success ? joined(changes, spent) : spent;
    }

    private static List<Json> joined(List<Json> first, List<Json> then) {
        if (first.isEmpty() || then.isEmpty()) {
            return first.isEmpty() ? then : first;
        }
        var all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }
}
