package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.tool.context.Fence;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a resource for one effect: first a place in this process's queue, then the resource itself in the store, where another
 * process may hold it. Waiting holds no thread for long: the scope is suspended and keeps its place.
 */
final class ResourceHold {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    private final EntryState entry;
    private final LiveScope live;
    private final HostServices host;
    private final String resource;
    private final String key;
    private final List<String> pausedBy;
    private final AtomicBoolean released = new AtomicBoolean();
    private ResourceQueues.@Nullable Ticket ticket;
    private long fence;

    ResourceHold(EntryState entry, String resource, String key, List<String> pausedBy) {
        this.pausedBy = pausedBy;
        this.entry = entry;
        this.live = entry.live();
        this.host = live.host();
        this.resource = resource;
        this.key = key;
    }

    /** Takes it by a write of its own. */
    EffectScope.Held take() {
        String cancelled = acquire(this::takeInStore).cancelled();
        if (cancelled != null) {
            throw ScopeMemory.toolCancelled(cancelled);
        }
        return new EffectScope.Held(fence(), this::release);
    }

    Written takeInStore() {
        return host.store().apply(host.store().records().hold(live.claim(), resource, key));
    }

    /**
     * What became of a wish for a resource; taken if nothing speaks against it.
     *
     * @param cancelled why the scope was cancelled meanwhile, or null
     * @param refused the write that a doubt or another settlement has refused, or null
     */
    record Acquired(@Nullable String cancelled, @Nullable Written refused) {}

    /** Waits for it and takes it by the given write. */
    Acquired acquire(Supplier<Written> write) {
        entry.place().await();
        var place = host.queues().enter(resource, live.holder(key), live.memory()::signal);
        ticket = place;
        live.queued(place);
        entry.place().decided();
        Instant again = null;
        while (true) {
            var condition = new Waiting.ForResource(place, again, pausedBy);
            if (!live.memory().hold(condition)) {
                live.awaits(Awaiting.Thing.RESOURCE, resource);
                throw entry.suspend(List.of(condition));
            }
            String reason = live.memory().cancelReason();
            if (reason != null) {
                leave();
                live.awaitsNothing();
                return new Acquired(reason, null);
            }
            if (!host.store().served().pauses().holding(pausedBy).isEmpty()) {
                leave();
                entry.requireUnpaused(pausedBy);
            }
            Written written = write.get();
            if (written.refusal() == null) {
                fence = written.resourceFence();
                live.unqueued(place);
                live.awaitsNothing();
                return new Acquired(null, null);
            }
            if (written.refusal() != Refusal.BUSY) {
                leave();
                if (written.refusal() == Refusal.DOUBT || written.refusal() == Refusal.ANSWERED) {
                    live.awaitsNothing();
                    return new Acquired(null, written);
                }
                throw live.fenced();
            }
            live.awaits(Awaiting.Thing.RESOURCE, resource);
            again = host.time().now().plus(host.options().pollEvery());
        }
    }

    Fence fence() {
        return new Fence(fence);
    }

    String resource() {
        return resource;
    }

    /** Releases the resource in the store and the place in the queue, once. */
    void release() {
        if (released.compareAndSet(false, true)) {
            try {
                host.store().apply(host.store().records().release(resource, live.id(), key));
            } catch (JournalException e) {
                LOG.warn("Resource {} could not be released in the store", resource, e);
            }
            leave();
        }
    }

    /** Releases the place only: another write has released the resource in the store. */
    void releasedByWrite() {
        released.set(true);
        leave();
    }

    private void leave() {
        var place = ticket;
        if (place != null) {
            live.unqueued(place);
            host.queues().leave(place);
        }
    }
}
