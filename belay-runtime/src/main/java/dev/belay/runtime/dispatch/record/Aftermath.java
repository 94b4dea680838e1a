package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.tool.context.TurnControl;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a call leaves behind beside its outcome. It is recorded with the outcome and told again on each entry of the scope.
 *
 * @param control what it wants of the turn
 * @param changes of the session's state, in the form of the owner that offers them to bodies
 * @param doubt the id of the doubt whether it happened, or null
 * @param ofSteps the ids of doubts about its steps
 */
public record Aftermath(TurnControl control, List<Json> changes, @Nullable String doubt,
        List<String> ofSteps) {

    /** Nothing. */
    public static final Aftermath NONE = new Aftermath(TurnControl.GO_ON, List.of());
    /** The turn ends with an error. */
    public static final Aftermath FAILS = new Aftermath(TurnControl.FAIL, List.of());

    /** What a call leaves that has its own answer. */
    public Aftermath(TurnControl control, List<Json> changes) {
        this(control, changes, null, List.of());
    }

    /** Copies the list. */
    public Aftermath {
        changes = List.copyOf(changes);
        ofSteps = List.copyOf(ofSteps);
    }

    /** Both, this first. */
    public Aftermath plus(Aftermath more) {
        var all = new ArrayList<>(changes);
        all.addAll(more.changes);
        var steps = new ArrayList<>(ofSteps);
        steps.addAll(more.ofSteps);
        return new Aftermath(more.control == TurnControl.GO_ON ? control : more.control, all,
                more.doubt == null ? doubt : more.doubt, steps);
    }

    /** The same with what a body has left behind. */
    Aftermath plus(BodyChanges left, boolean success) {
        var all = new ArrayList<>(changes);
        all.addAll(left.of(success));
        return new Aftermath(control, all, doubt, left.doubts());
    }

    /** All doubts that it leaves. */
    public List<String> doubts() {
        return doubt == null
                ? ofSteps
                : Stream.concat(Stream.of(doubt), ofSteps.stream()).toList();
    }
}
