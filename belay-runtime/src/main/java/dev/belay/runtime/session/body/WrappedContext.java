package dev.belay.runtime.session.body;

import dev.belay.runtime.session.SessionToolContext;
import dev.belay.tool.ToolContext;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DirectModel;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.HostSupplied;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Progress;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The context of a call by itself; subclasses add what a session or a process gives. */
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
    public @Nullable Frozen frozen() {
        return within instanceof HostSupplied supplied ? supplied.frozen() : null;
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
