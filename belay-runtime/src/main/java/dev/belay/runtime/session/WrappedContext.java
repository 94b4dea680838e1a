package dev.belay.runtime.session;

import dev.belay.tool.Attachments;
import dev.belay.tool.CallId;
import dev.belay.tool.Cancellation;
import dev.belay.tool.CompletionKey;
import dev.belay.tool.DirectModel;
import dev.belay.tool.DurableEffects;
import dev.belay.tool.Fence;
import dev.belay.tool.HostSupplied;
import dev.belay.tool.HostValues;
import dev.belay.tool.IdempotencyKey;
import dev.belay.tool.Progress;
import dev.belay.tool.ToolContext;
import java.time.Instant;
import java.util.Optional;

/** Everything that a call has by itself. What a session or a process adds is in those that extend this. */
abstract class WrappedContext implements SessionToolContext, HostSupplied {

    final ToolContext within;

    WrappedContext(ToolContext within) {
        this.within = within;
    }

    @Override
    public HostValues hostValues() {
        return within instanceof HostSupplied supplied ? supplied.hostValues() : HostValues.NONE;
    }

    @Override
    public CallId callId() {
        return within.callId();
    }

    @Override
    public IdempotencyKey idempotencyKey() {
        return within.idempotencyKey();
    }

    @Override
    public Optional<Instant> deadline() {
        return within.deadline();
    }

    @Override
    public Cancellation cancellation() {
        return within.cancellation();
    }

    @Override
    public Progress progress() {
        return within.progress();
    }

    @Override
    public CompletionKey completionKey() {
        return within.completionKey();
    }

    @Override
    public Attachments attachments() {
        return within.attachments();
    }

    @Override
    public DirectModel model() {
        return within.model();
    }

    @Override
    public DurableEffects durable() {
        return within.durable();
    }

    @Override
    public Fence fence() {
        return within.fence();
    }
}
