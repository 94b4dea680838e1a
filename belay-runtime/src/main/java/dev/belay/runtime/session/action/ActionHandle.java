package dev.belay.runtime.session.action;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.session.inbox.AcceptedAction;
import dev.belay.tool.context.ValueCodec;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** A command that was accepted. Holds no state: {@link SessionActions#input} makes it again. Thread-safe. */
public final class ActionHandle {

    private final AcceptedAction action;

    ActionHandle(AcceptedAction action) {
        this.action = action;
    }

    /** The id of the input that asks for it. */
    public String inputId() {
        return action.id();
    }

    /** What came of it; empty until it is recorded. */
    public Optional<ActionResult> result() {
        return action.result();
    }

    /**
     * Waits until it is recorded, and returns its answer.
     *
     * @throws dev.belay.BelayException {@code action_failed}, {@code invalid_action_input} or {@code unknown_action} if it has none, as
     *         the runtime found that has the plugin; {@code session_stuck} if the turn before it cannot go on by itself;
     *         {@code turn_resting} with what that turn waits for, if it rests: the command is kept
     */
    public Json await() throws InterruptedException {
        return action.await(null, false).orElseThrow().answer();
    }

    /** The same, however long the turn before it rests. */
    public Json awaitCommit() throws InterruptedException {
        return action.await(null, true).orElseThrow().answer();
    }

    /** The same as a value. */
    public <O> O await(Class<O> output) throws InterruptedException {
        return ValueCodec.of(output).decode(await());
    }

    /** The same, but no longer than the given time; empty if there is no result by then. It can be awaited again. */
    public Optional<Json> await(Duration most) throws InterruptedException {
        return action.await(Objects.requireNonNull(most, "most"), false).map(ActionResult::answer);
    }
}
