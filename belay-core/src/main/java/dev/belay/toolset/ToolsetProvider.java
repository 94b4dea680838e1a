package dev.belay.toolset;

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
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a set for a loop that somebody else owns: each call is handed to the method that answers calls in a loop of your
 * own, as the only call of a round. Thread-safe if that method is.
 *
 * @param <T> the set
 */
final class ToolsetProvider<T> implements ToolProvider {

    private final List<ToolDefinition> definitions;
    private final Map<ToolId, ToolEntry<T>> entries = new HashMap<>();
    private final Function<? super ToolCall<T>, ToolReply> execute;

    ToolsetProvider(Toolset<T> set, Function<? super ToolCall<T>, ToolReply> execute) {
        this.definitions = set.entries().values().stream().map(ToolsetProvider::definition).toList();
        this.execute = execute;
        set.entries().values().forEach(entry -> entries.put(entry.definition().id(), entry));
    }

    /** What a set does not offer by default is not offered by a runtime either until somebody makes it a member. */
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
        var ground = new OneCall(call);
        var part = new CallPart(call.context().callId().value(), call.name(), call.arguments().text());
        var round = new RoundState(ground, 0, 0, Message.assistant(part), ground.hostValues());
        return ground.result(round, execute.apply(new ToolCall<>(round, 0, entry, call.input())));
    }

    /** A round of one call that belongs to somebody else: its body is run with the context it was given. */
    private static final class OneCall implements RoundBackend {

        private final PreparedCall call;
        private @Nullable ToolReply ran;
        private @Nullable Object returned;
        private @Nullable Exception thrown;

        OneCall(PreparedCall call) {
            this.call = call;
        }

        /** What the body returned or threw is left to whoever runs the call, who knows of deadlines and cancellation. */
        @Override
        public ToolReply run(RoundState round, int index, ToolEntry<?> entry, ToolCall.Body<?> body) {
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
            ran = ToolReply.lazy(round, index, () -> outcome(entry.definition(), value, failure));
            return ran;
        }

        /** For whoever looks at the reply; what is recorded is made by whoever runs the call. */
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
        Object result(RoundState round, @Nullable ToolReply reply) throws Exception {
            if (reply == null || reply.round() != round) {
                throw new BelayException("foreign_reply",
                        "the method that runs the tools of this set returned "
                                + (reply == null ? "no reply" : "the reply to another call") + " for call "
                                + call.context().callId() + " of " + call.name()
                                + "; return what run, attempt, complete, fail or reject of this call gave");
            }
            if (reply != ran) {
                return answered(reply.outcome());
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
        public long version() {
            return 0;
        }

        @Override
        public boolean append(long version, List<? extends Message> messages) {
            throw new IllegalStateException("a call of somebody else's round cannot be committed");
        }

        @Override
        public Optional<List<ReplyPart>> settle(RoundState round, List<ToolReply> replies) {
            throw new IllegalStateException("a call of somebody else's round cannot be committed");
        }

        @Override
        public HostValues hostValues() {
            return call.context() instanceof HostSupplied supplied ? supplied.hostValues() : HostValues.NONE;
        }

        @Override
        public boolean isHosted() {
            return true;
        }

        @Override
        public boolean isCurrent(int number) {
            return true;
        }
    }
}
