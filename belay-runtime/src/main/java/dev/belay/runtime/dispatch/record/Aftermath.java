package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.tool.context.TurnControl;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call leaves behind beside its outcome. It is recorded with the outcome and told again on each entry of the scope.
 *
 * @param control what it wants of the turn
 * @param changes of the session's state, in the form of the owner that offers them to bodies
 */
public record Aftermath(TurnControl control, List<Json> changes) {

    /** Nothing. */
    public static final Aftermath NONE = new Aftermath(TurnControl.GO_ON, List.of());
    /** The turn ends with an error. */
    public static final Aftermath FAILS = new Aftermath(TurnControl.FAIL, List.of());

    /** Copies the list. */
    public Aftermath {
        changes = List.copyOf(changes);
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
