package dev.belay.tool.context;

import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import java.time.Instant;
import java.util.Optional;

/** The context of a call outside a runtime, without the capabilities that need a store. */
final class PlainToolContext implements ToolContext, HostSupplied {

    private final CallId callId;
    private final IdempotencyKey.Place place;
    private final ToolId tool;
    private final HostValues host;
    private volatile boolean ended;

    PlainToolContext(CallId callId, IdempotencyKey.Place place, ToolId tool, HostValues host) {
        this.callId = callId;
        this.place = place;
        this.tool = tool;
        this.host = host;
    }

    @Override
    public HostValues hostValues() {
        return host;
    }

    /** After this, every capability throws {@code call_ended}. */
    void end() {
        ended = true;
    }

    @Override
    public CallId callId() {
        return live(callId);
    }

    @Override
    public IdempotencyKey idempotencyKey() {
        live(callId);
        return IdempotencyKey.of(place, tool);
    }

    @Override
    public Optional<Instant> deadline() {
        return live(Optional.empty());
    }

    @Override
    public Cancellation cancellation() {
        return live(Cancellation.NEVER);
    }

    @Override
    public Progress progress() {
        return live(Progress.SILENT);
    }

    @Override
    public CompletionKey completionKey() {
        throw unavailable("completionKey");
    }

    @Override
    public Attachments attachments() {
        throw unavailable("attachments");
    }

    @Override
    public DirectModel model() {
        throw unavailable("model");
    }

    @Override
    public DurableEffects durable() {
        live(callId);
        throw new ToolException(
                ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "durable_effects_unavailable",
                        "durable steps need a session of the runtime; this call runs without one"));
    }

    @Override
    public Fence fence() {
        throw unavailable("fence");
    }

    private <T> T live(T value) {
        if (ended) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "call_ended",
                    "call " + callId + " has ended; its context cannot be used any more"));
        }
        return value;
    }

    private ToolException unavailable(String capability) {
        live(callId);
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "capability_unavailable",
                capability + " needs a session of the runtime; this call runs without one"));
    }
}
