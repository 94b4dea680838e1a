package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.tool.context.TurnControl;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call leaves behind beside its outcome. It is recorded with the outcome and told again on each entry of the scope.
 *
 * @param control what it wants of the turn
 * @param changes of the session's state, in the form of the owner that offers them to bodies
 * @param doubt the id of the doubt whether it happened, or null
 */
public record Aftermath(TurnControl control, List<Json> changes, @Nullable String doubt) {

    /** Nothing. */
    public static final Aftermath NONE = new Aftermath(TurnControl.GO_ON, List.of());
    /** The turn ends with an error. */
    public static final Aftermath FAILS = new Aftermath(TurnControl.FAIL, List.of());

    /** What a call leaves that has its own answer. */
    public Aftermath(TurnControl control, List<Json> changes) {
        this(control, changes, null);
    }

    /** Copies the list. */
    public Aftermath {
        changes = List.copyOf(changes);
    }

    /** Both, this first. */
    public Aftermath plus(Aftermath more) {
        var all = new ArrayList<>(changes);
        all.addAll(more.changes);
        return new Aftermath(more.control == TurnControl.GO_ON ? control : more.control, all,
                more.doubt == null ? doubt : more.doubt);
    }

    Aftermath plus(List<Json> more) {
        if (more.isEmpty()) {
            return this;
        }
        var all = new ArrayList<>(changes);
        all.addAll(more);
        return new Aftermath(control, all, doubt);
    }
}
