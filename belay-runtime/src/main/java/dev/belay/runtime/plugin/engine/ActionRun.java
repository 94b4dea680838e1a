package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.schema.NearestNames;
import java.util.List;
import java.util.Objects;

/**
 * Carries out actions of a session's plugins. Immutable; one thread at a time runs one action.
 *
 * @param plugins of the session
 * @param place where
 * @param time for the bound of 5 seconds
 */
public record ActionRun(SessionPlugins plugins, HookPlace place, TimeSource time) {

    private static final int MOST_NAMED = 3;
    private static final int MOST_OUTPUT = 1 << 20;

    /** The ids of all actions. */
    public List<String> ids() {
        return List.copyOf(plugins.actions.keySet());
    }

    /**
     * Whether an action changes something.
     *
     * @throws BelayException {@code unknown_action} with the nearest names, {@code invalid_action_input} with what is wrong
     */
    public boolean changes(ActionCall call) {
        SessionPlugins.Action action = known(call).value();
        String problems = action.problems().apply(call.given());
        if (!problems.isEmpty()) {
            throw new BelayException("invalid_action_input",
                    "the input of action " + call.action() + " is wrong:\n" + problems);
        }
        return action.changes();
    }

    private SessionPlugins.Of<SessionPlugins.Action> known(ActionCall call) {
        var action = plugins.actions.get(call.action());
        if (action == null) {
            List<String> near = NearestNames.of(call.action(), plugins.actions.keySet(), MOST_NAMED);
            throw new BelayException("unknown_action", "no plugin of session " + place.session()
                    + " has an action \"" + call.action() + "\"; "
                    + (near.isEmpty()
                            ? "there are " + plugins.actions.keySet()
                            : "nearest are " + near));
        }
        return action;
    }

    /** Answers a query by the states that are given; {@code action_failed} if it throws or hangs. */
    public Json query(ActionCall call, StateValues values) {
        var action = known(call);
        return answer(call, action, new StateView(place, values));
    }

    private Json answer(ActionCall call, SessionPlugins.Of<SessionPlugins.Action> action, PluginView view) {
        try {
            Json output = HookThread.run(time, thread -> {
                thread.enters(action.plugin());
                return Objects.requireNonNull(action.value().run().apply(call.given(), view),
                        "it answered null");
            });
            if (output.text().length() > MOST_OUTPUT) {
                throw new BelayException("resource_limit", "action " + call.action() + " answered "
                        + output.text().length() + " characters; it may answer " + MOST_OUTPUT);
            }
            return output;
        } catch (HookThread.HookFailure failure) {
            throw new BelayException("action_failed",
                    "action " + call.action() + " failed: " + failure.getMessage(), failure);
        }
    }

    /** Carries out an action that an input has asked for; whatever is wrong with it is its result, and then it leaves nothing. */
    public ActedOn act(String input, ActionCall call, StateValues values) {
        try {
            boolean changes = changes(call);
            var action = known(call);
            if (!changes) {
                return new ActedOn(ActionResult.done(input, call.action(), query(call, values)), List.of());
            }
            var scope = new HookScope(place, action.plugin(), values);
            Json output;
            List<Json> left;
            try {
                output = answer(call, action, scope);
            } finally {
                left = scope.take();
            }
            return new ActedOn(ActionResult.done(input, call.action(), output), left);
        } catch (BelayException e) {
            return new ActedOn(
                    ActionResult.failed(input, call.action(), e.code(), String.valueOf(e.getMessage())),
                    List.of());
        }
    }
}
