package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.BodyChanges;
import dev.belay.runtime.effect.Effect;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context of a call that is recorded.
 *
 * <p><b>Concurrency.</b> A body may use it from several threads. The lock orders the end of the call against the taking of the
 * key, so that nothing is recorded as started after the call has ended. <b>Durability.</b> Taking the key records the start and the
 * output schema first, so that a completion with the key finds a call that knows of it, and is checked. <b>Recovery.</b> A store that fails meanwhile is
 * remembered by the effect, so that a body that swallows the exception does not become an outcome.
 */
public final class RuntimeToolContext implements ToolContext, HostSupplied {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final BodyCall call;
    private final Attempt attempt;
    private final Powers powers;

    private final ReentrantLock lock = new ReentrantLock();
    private BodyChanges left = BodyChanges.NOTHING;
    private volatile boolean ended;
    private volatile boolean keyTaken;
    private @Nullable ToolContext given;

    /**
     * What depends on how the body is run.
     *
     * @param recordStart makes sure that the start is recorded; whether the schema of a wait was recorded with it
     * @param fence of its resource or scope
     * @param steps of a resumable body, else null
     */
    public record Powers(Predicate<Effect.@Nullable Issued> recordStart, Fence fence,
            @Nullable DurableEffects steps) {}

    /** The context of one attempt. */
    public RuntimeToolContext(BodyCall call, Attempt attempt, Powers powers) {
        this.call = call;
        this.attempt = attempt;
        this.powers = powers;
    }

    /**
     * After this, every capability throws {@code call_ended}.
     *
     * @param answered whether the answer of the body counts, even if it should have ended before
     */
    public void end(boolean answered) {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        if (!answered && given instanceof Stoppable inside) {
            attempt.whyStopped().ifPresent(reason -> stop(inside, reason));
        }
    }

    private void stop(Stoppable inside, String reason) {
        try {
            inside.stopped(reason);
        } catch (RuntimeException e) {
            LOG.warn("What tool {} has begun could not be stopped", call.definition().name(), e);
        }
    }

    /** What the body is given. */
    public ToolContext given() {
        var left = new CallOwner.Left() {
            @Override
            public void changed(Json change) {
                leave(change, null);
            }

            @Override
            public void spent(Json spending) {
                leave(null, spending);
            }
        };
        ToolContext around = call.owner().around(this, call.call().reference(call.scope().id()), left);
        given = around;
        return around;
    }

    /** What the body has left behind for its session. */
    public synchronized BodyChanges left() {
        return left;
    }

    private synchronized void leave(@Nullable Json change, @Nullable Json spending) {
        live();
        left = new BodyChanges(with(left.changes(), change), with(left.spent(), spending));
    }

    private static List<Json> with(List<Json> all, @Nullable Json one) {
        if (one == null) {
            return all;
        }
        List<Json> more = new ArrayList<>(all);
        more.add(one);
        return more;
    }

    /** Whether the body has taken the key by which it can be completed. */
    public boolean keyTaken() {
        return keyTaken;
    }

    @Override
    public HostValues hostValues() {
        return call.resources().hostValues();
    }

    @Override
    public HostSupplied.Frozen frozen() {
        return call.frozen();
    }

    @Override
    public CallId callId() {
        live();
        return call.call().id();
    }

    @Override
    public IdempotencyKey idempotencyKey() {
        live();
        return call.call().key(call.definition().id());
    }

    @Override
    public Optional<Instant> deadline() {
        live();
        return Optional.of(attempt.deadlines().at());
    }

    @Override
    public Cancellation cancellation() {
        live();
        return attempt.token();
    }

    @Override
    public Progress progress() {
        live();
        return message -> {
            if (!ended) {
                attempt.deadlines().touch();
                call.progress().accept(message);
            }
        };
    }

    @Override
    public CompletionKey completionKey() {
        return attempt.shield().inside(() -> {
            lock.lock();
            try {
                live();
                JsonSchema output = call.definition().contract().output();
                var issued = output == null
                        ? null
                        : new Effect.Issued(AttemptRecord.COMPLETION, output.kept());
                boolean recorded = powers.recordStart().test(issued);
                keyTaken = true;
                return issued == null || recorded
                        ? call.scope().completionKey(AttemptRecord.COMPLETION)
                        : call.scope().completionKey(AttemptRecord.COMPLETION, issued.schema());
            } finally {
                lock.unlock();
            }
        });
    }

    @Override
    public Attachments attachments() {
        live();
        return new CallAttachments(this, attempt.shield(), call.scope().attachments());
    }

    @Override
    public DirectModel model() {
        throw unavailable("model");
    }

    @Override
    public DurableEffects durable() {
        live();
        DurableEffects steps = powers.steps();
        if (steps == null) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                    "durable_effects_unavailable", "tool " + call.definition().name()
                            + " is not declared resumable, so its body has no durable steps"));
        }
        return steps;
    }

    @Override
    public Fence fence() {
        live();
        return powers.fence();
    }

    void live() {
        if (ended) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "call_ended",
                    "call " + call.call().id() + " has ended; its context cannot be used any more"));
        }
    }

    private ToolException unavailable(String capability) {
        live();
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "capability_unavailable",
                capability + " needs a session of the runtime; this call runs without one"));
    }
}
