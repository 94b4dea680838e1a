package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.tool.context.TurnControl;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call leaves behind beside its outcome. Recorded with it, and told again on each entry without running the body.
 *
 * @param control what it wants of the turn
 * @param changes of the session's state, in the words of whoever offers them to bodies
 */
public record Aftermath(TurnControl control, List<Json> changes) {

    /** Nothing. */
    public static final Aftermath NONE = new Aftermath(TurnControl.GO_ON, List.of());

    /** Copies the list. */
    public Aftermath {
        changes = List.copyOf(changes);
    }

    /** Hears what calls leave behind. Each call at most once in each entry of its scope, from any thread. */
    @FunctionalInterface
    public interface Ledger {

        /** Forgets it. */
        Ledger NONE = (call, aftermath) -> {};

        /** Takes note. */
        void note(CallReference call, Aftermath aftermath);
    }

    Aftermath plus(List<Json> more) {
        if (more.isEmpty()) {
            return this;
        }
        var all = new ArrayList<>(changes);
        all.addAll(more);
        return new Aftermath(control, all);
    }
}
