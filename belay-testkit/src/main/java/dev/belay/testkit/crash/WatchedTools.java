package dev.belay.testkit.crash;

import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DirectModel;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The user's tools; their runs, keys and steps are recorded in a ledger. Thread-safe if they are. */
final class WatchedTools implements ToolProvider {

    private final ToolProvider tools;
    private final Ledger ledger;

    WatchedTools(ToolProvider tools, Ledger ledger) {
        this.tools = tools;
        this.ledger = ledger;
    }

    @Override
    public List<ToolDefinition> definitions() {
        return tools.definitions();
    }

    @Override
    public List<ToolManifest> manifests() {
        return tools.manifests();
    }

    @Override
    public Optional<ToolContract> contract(ToolId id) {
        return tools.contract(id);
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return tools.prepare(call);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        ToolManifest manifest = call.definition().manifest();
        ledger.runs(manifest.name());
        if (manifest.resumable()) {
            return run(call); // may run any number of times: only its steps are work
        }
        ledger.begins(call.context().idempotencyKey(), "tool " + call.name(), manifest.effect());
        try {
            return run(call);
        } finally {
            ledger.ends();
        }
    }

    private @Nullable Object run(PreparedCall call) throws Exception {
        return tools.execute(new PreparedCall(call.definition(),
                Arguments.require(call.definition(), call.arguments()), call.payload().orElse(null),
                new Context(call.definition(), call.context())));
    }

    /** The context of the body, with its keys and steps recorded. */
    private final class Context implements ToolContext {

        private final ToolDefinition definition;
        private final ToolContext context;

        Context(ToolDefinition definition, ToolContext context) {
            this.definition = definition;
            this.context = context;
        }

        @Override
        public CallId callId() {
            return context.callId();
        }

        @Override
        public IdempotencyKey idempotencyKey() {
            return context.idempotencyKey();
        }

        @Override
        public Optional<Instant> deadline() {
            return context.deadline();
        }

        @Override
        public Cancellation cancellation() {
            return context.cancellation();
        }

        @Override
        public Progress progress() {
            return context.progress();
        }

        @Override
        public CompletionKey completionKey() {
            CompletionKey key = context.completionKey();
            ledger.handedOut(key, definition.name());
            return key;
        }

        @Override
        public Attachments attachments() {
            return context.attachments();
        }

        @Override
        public DirectModel model() {
            return context.model();
        }

        @Override
        public DurableEffects durable() {
            return new WatchedSteps(definition, context.durable(), ledger);
        }

        @Override
        public Fence fence() {
            return context.fence();
        }
    }
}
