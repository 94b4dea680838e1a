package dev.belay.toolset.loop;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.HostSupplied;
import dev.belay.tool.context.HostValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a set for the runtime's loop: each call is handed to the method that answers calls in a loop of your own, as the
 * only call of a round. Thread-safe if that method is.
 *
 * @param <T> the set
 */
public final class ToolsetProvider<T> implements ToolProvider {

    private final List<ToolDefinition> definitions;
    private final Map<ToolId, ToolEntry<T>> entries = new HashMap<>();
    private final Function<AdmittedCall<T>, @Nullable CallReply> execute;

    /**
     * A provider.
     *
     * @param set the tools
     * @param execute answers a call
     */
    public ToolsetProvider(SetLayout<T> set, Function<AdmittedCall<T>, @Nullable CallReply> execute) {
        this.definitions = set.entries().values().stream().map(ToolsetProvider::definition).toList();
        this.execute = execute;
        set.entries().values().forEach(entry -> entries.put(entry.definition().id(), entry));
    }

    /** A tool that the set does not offer by default is not resident: the runtime offers it only once it is a member. */
    private static ToolDefinition definition(ToolEntry<?> entry) {
        return entry.defaultOn() ? entry.definition() : entry.definition().resident(false);
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        ToolEntry<T> entry = entries.get(call.definition().id());
        if (entry == null) {
            throw new BelayException("unknown_tool", "this set has no tool " + call.definition().id());
        }
        var backend = new OneCall(call);
        var part = new CallPart(call.context().callId().value(), call.name(), call.arguments().text());
        var round = new RoundState(new TranscriptState(backend, List.of()), 0, 0, Message.assistant(part),
                backend.hostValues());
        return backend.result(round, execute.apply(AdmittedCall.of(round, 0, entry, call.input())));
    }

    /** A round of one call that the runtime runs: the body gets the runtime's context. */
    private static final class OneCall implements RoundBackend {

        private final PreparedCall call;
        private @Nullable CallReply ran;
        private @Nullable Object returned;
        private @Nullable Exception thrown;

        OneCall(PreparedCall call) {
            this.call = call;
        }

        /** Keeps the result of the body for the runtime, which decides about deadlines and cancellation. */
        @Override
        public CallReply run(RoundState round, int index, ToolEntry<?> entry, Body body) {
            thrown = null;
            try {
                returned = body.run(call.context());
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                thrown = e;
            }
            Object value = returned;
            Exception failure = thrown;
            ran = new CallReply(round, index, () -> outcome(entry.definition(), value, failure));
            return ran;
        }

        /** For code that reads the reply. The runtime makes the outcome that is recorded. */
        private @Nullable ToolOutcome outcome(ToolDefinition definition, @Nullable Object value,
                @Nullable Exception failure) {
            return BodyRunner.run(definition, call.context().cancellation(), () -> {
                if (failure != null) {
                    throw failure;
                }
                return value;
            }) instanceof BodyRunner.Ended.With(var outcome, var control) ? outcome : null;
        }

        @Nullable
        Object result(RoundState round, @Nullable CallReply reply) throws Exception {
            if (reply == null || reply.round() != round) {
                throw new BelayException("foreign_reply",
                        "the method that runs the tools of this set returned "
                                + (reply == null ? "no reply" : "the reply to another call") + " for call "
                                + call.context().callId() + " of " + call.name()
                                + "; return what run, attempt, complete, fail or reject of this call gave");
            }
            if (reply != ran) {
                return answered(Objects.requireNonNull(reply.outcome(), "only a call that ran may wait"));
            }
            Exception failure = thrown;
            if (failure != null) {
                throw failure;
            }
            return returned;
        }

        /** An answer that was given without a body. */
        private static ToolResult<?> answered(ToolOutcome outcome) {
            return switch (outcome) {
                case ToolOutcome.Success(var value) -> ToolResult.ok(value);
                case ToolOutcome.Failure(var failure) -> ToolResult.failure(failure);
                case ToolOutcome.Cancelled(var reason) -> ToolResult.failure(reason);
                case ToolOutcome.Rejected(var reason) -> ToolResult.rejected(reason);
            };
        }

        @Override
        public Optional<List<ReplyPart>> settle(RoundState round, List<CallReply> replies) {
            throw new IllegalStateException("a call that the runtime runs has no round to commit");
        }

        @Override
        public HostValues hostValues() {
            return call.context() instanceof HostSupplied supplied ? supplied.hostValues() : HostValues.NONE;
        }
    }
}
