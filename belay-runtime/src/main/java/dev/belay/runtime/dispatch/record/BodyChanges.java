package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * What the body of an attempt has left behind for its session.
 *
 * @param changes of the session's state, which count if the call succeeds
 * @param spent what was used up, which counts however the call ends
 * @param doubts the ids of doubts about its steps
 * @param steps what a further attempt of a resumable body knows of those before it; an empty object if there is none
 */
public record BodyChanges(List<Json> changes, List<Json> spent, List<String> doubts, Json steps) {

    /** A body that has left nothing. */
    public static final BodyChanges NOTHING = new BodyChanges(List.of(), List.of());

    /** A body whose steps have answered. */
    public BodyChanges(List<Json> changes, List<Json> spent) {
        this(changes, spent, List.of(), Json.EMPTY_OBJECT);
    }

    /** Copies the lists. */
    public BodyChanges {
        changes = List.copyOf(changes);
        spent = List.copyOf(spent);
        doubts = List.copyOf(doubts);
    }

    /** The same after attempts that have failed. */
    public BodyChanges after(List<Json> spentBefore) {
        return new BodyChanges(changes, joined(spentBefore, spent), doubts, steps);
    }

    /** The same with doubts about steps. */
    public BodyChanges doubting(List<String> about) {
        return new BodyChanges(changes, spent, about, steps);
    }

    /** The same with what a further attempt has to know. */
    public BodyChanges remembering(Json recorded) {
        return new BodyChanges(changes, spent, doubts, recorded);
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
