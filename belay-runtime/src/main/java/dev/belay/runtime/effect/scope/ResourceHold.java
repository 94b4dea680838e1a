package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.store.journal.Journal.Refusal;
import dev.belay.runtime.store.journal.Journal.Written;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Fence;
import dev.belay.tool.option.RetryAdvice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a resource for one effect: first a place in this process's queue, then the resource itself in the store, where another
 * process may have it. Waiting holds no thread for long: the scope is suspended and keeps its place.
 */
final class ResourceHold {

    private final JournalScope scope;
    private final LiveScope live;
    private final String resource;
    private final String key;
    private final AtomicBoolean released = new AtomicBoolean();
    private ResourceQueues.@Nullable Ticket ticket;
    private long fence;

    ResourceHold(JournalScope scope, LiveScope live, String resource, String key) {
        this.scope = scope;
        this.live = live;
        this.resource = resource;
        this.key = key;
    }

    /** Takes it by a write of its own. */
    EffectScope.Held take() {
        Optional<String> cancelled = acquire(
                () -> live.host().journal().take(live.claim(), resource, key, live.host().time().now()));
        if (cancelled.isPresent()) {
            throw new ToolException(
                    new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled", cancelled.get(),
                            ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
        }
        return new EffectScope.Held(fence(), this::release);
    }

    /**
     * Waits for it and takes it by the given write.
     *
     * @return why the scope was cancelled meanwhile; the resource is not taken then
     */
    Optional<String> acquire(Supplier<Written> write) {
        scope.awaitTurn();
        var place = live.host()
                .queues()
                .enter(resource, new ResourceQueues.Ticket.Holder(live.claim().scope(), key),
                        live.memory()::signal);
        ticket = place;
        live.queued(place);
        scope.decided();
        Instant again = null;
        while (true) {
            var condition = new Waiting.ForResource(place, again);
            if (!live.memory().hold(() -> live.memory().isOver(condition), again)) {
                throw scope.entry().suspend(List.of(condition));
            }
            String reason = live.memory().cancelReason();
            if (reason != null) {
                leave();
                return Optional.of(reason);
            }
            Written written = write.get();
            if (written.refusal() == null) {
                fence = written.resourceFence();
                live.unqueued(place);
                return Optional.empty();
            }
            if (written.refusal() != Refusal.BUSY) {
                leave();
                throw new FencedException(live.claim().scope(), live.claim().fence());
            }
            again = live.host().time().now().plus(live.host().options().pollEvery());
        }
    }

    Fence fence() {
        return new Fence(fence);
    }

    String resource() {
        return resource;
    }

    /** Lets go in the store too, unless that was done by another write. */
    void release() {
        if (released.compareAndSet(false, true)) {
            live.host().leftovers().release(resource, live.claim().scope(), key);
            leave();
        }
    }

    /** The store knows already. */
    void releasedByWrite() {
        released.set(true);
        leave();
    }

    private void leave() {
        var place = ticket;
        if (place != null) {
            live.unqueued(place);
            live.host().queues().leave(place);
        }
    }
}
