package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.loop.AdmittedCall;
import dev.belay.toolset.loop.CallReply;
import dev.belay.toolset.loop.RoundState;
import dev.belay.toolset.loop.ToolEntry;
import org.jspecify.annotations.Nullable;

/**
 * One request of the model, valid and in your hands. Match on {@link #input()}; the pattern variable then tells the compiler
 * what a body must return. Calls of one round may be run by several threads.
 *
 * @param <T> the set
 */
public final class ToolCall<T> {

    private final RoundState round;
    private final int index;
    private final ToolEntry<T> entry;
    private final T input;

    /**
     * A body in your own code.
     *
     * @param <O> what it returns
     */
    @FunctionalInterface
    public interface Body<O extends @Nullable Object> {

        /** Does the work; what it throws becomes a failure that the model reads. */
        O run(ToolContext context) throws Exception;
    }

    ToolCall(AdmittedCall<T> call) {
        this.round = call.round();
        this.index = call.index();
        this.entry = call.entry();
        this.input = call.input();
    }

    /** The id that the model knows. */
    public CallId id() {
        return round.callId(index);
    }

    /** The name that the model said. */
    public String name() {
        return entry.name();
    }

    /** Exactly the text that the model sent; hooks do not change it. */
    public String arguments() {
        return round.part(index).arguments();
    }

    /** The decoded input, after the hooks that were applied to this call. */
    public T input() {
        return input;
    }

    /** Everything about the call but its input. */
    public CallInfo info() {
        return new CallInfo(id(), entry.definition(), arguments());
    }

    /**
     * Runs a body and ties its outcome to this call; {@code round_closed} or {@code stale_round} if the round can no longer
     * be committed. On a plain transcript the body runs here and now, on this thread, and running it twice is up to you: it runs
     * twice, under the same idempotency key. In a turn of a session the outcome is recorded, and a recorded outcome is returned
     * without running the body.
     */
    public <O extends @Nullable Object> ToolReply run(ToolInput<O> in, Body<O> body) {
        return execute(in, body);
    }

    /** Runs a body that may also return a failure. */
    public <O extends @Nullable Object> ToolReply attempt(ToolInput<O> in, Body<ToolResult<O>> body) {
        return execute(in, body);
    }

    private ToolReply execute(ToolInput<?> in, Body<?> body) {
        round.requireOpen();
        requireOwn(in);
        return new ToolReply(round.run(index, entry, body::run));
    }

    /** Answers with a value that you have already. */
    public <O extends @Nullable Object> ToolReply complete(ToolInput<O> in, O output) {
        requireOwn(in);
        return reply(completed(output));
    }

    /** Answers with a failure of class Execution. */
    public ToolReply fail(String message) {
        return fail(ToolFailure.of(message));
    }

    /** Answers with a failure. */
    public ToolReply fail(ToolFailure failure) {
        return reply(new ToolOutcome.Failure(failure));
    }

    /** Answers that the call is not allowed, in words for the model. */
    public ToolReply reject(String reason) {
        return reply(new ToolOutcome.Rejected(reason));
    }

    /** Applies hooks to this call alone. */
    public HookedCall<T> apply(ToolHooks<T> hooks) {
        round.requireOpen();
        return hooks.apply(this);
    }

    ToolReply reply(ToolOutcome outcome) {
        return new ToolReply(CallReply.of(round, index, outcome));
    }

    /** The outcome of an output that was given without a body. */
    ToolOutcome completed(@Nullable Object output) {
        try {
            return BodyRunner.success(entry.definition(), output);
        } catch (ToolException e) {
            return new ToolOutcome.Failure(e.failure());
        }
    }

    ToolEntry<T> entry() {
        return entry;
    }

    /** Whether a person has decided on its input. */
    boolean isApproved() {
        return round.isApproved(index);
    }

    /** The same call with another input of the same tool. */
    ToolCall<T> with(Object newLeaf) {
        round.edited(index);
        return new ToolCall<>(AdmittedCall.of(round, index, entry, newLeaf));
    }

    private void requireOwn(ToolInput<?> in) {
        if (!in.equals(round.input(index))) {
            throw new BelayException("wrong_input",
                    "call " + id() + " of " + name() + " was answered for " + in
                            + ", but its input after hooks is " + round.input(index));
        }
    }

    @Override
    public String toString() {
        return id() + " " + input;
    }
}
