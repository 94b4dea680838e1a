package dev.belay.runtime.store.memory;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One scope in memory. Each transition gives the row that follows.
 *
 * @param origin what never changes
 * @param status how it stands
 * @param fence how often it was taken
 * @param entries how often it was entered since its last record
 * @param owner who runs it; null unless it is running
 * @param cancelReason why it should end, or null
 * @param wakeAt when it goes on by itself; null unless it is parked
 * @param stuckBecause why it is stuck, or null
 * @param result null until it has ended
 * @param endedAt null until it has ended
 */
record MemoryScope(Origin origin, Status status, long fence, int entries, @Nullable String owner,
        @Nullable String cancelReason, @Nullable Instant wakeAt, @Nullable String stuckBecause,
        @Nullable Json result, @Nullable Instant endedAt) {

    /**
     * What is made with a scope.
     *
     * @param id its name
     * @param input what it starts from
     * @param incarnation its random bits
     * @param secret signs its keys
     */
    record Origin(ScopeId id, ScopeInput input, Incarnation incarnation, long secret) {}

    static MemoryScope submitted(Origin origin) {
        return new MemoryScope(origin, Status.READY, 0, 0, null, null, null, null, null, null);
    }

    ScopeId id() {
        return origin.id();
    }

    /** Whether a claim with that fence is the right to run it. */
    boolean heldBy(String claimant, long claimed) {
        return status == Status.RUNNING && claimant.equals(owner) && fence == claimed;
    }

    MemoryScope taken(String by) {
        return new MemoryScope(origin, Status.RUNNING, fence + 1, entries + 1, by, cancelReason, null, null,
                null, null);
    }

    MemoryScope entries(int count) {
        return new MemoryScope(origin, status, fence, count, owner, cancelReason, wakeAt, stuckBecause,
                result, endedAt);
    }

    MemoryScope ready() {
        return new MemoryScope(origin, Status.READY, fence, entries, null, cancelReason, null, null, null,
                null);
    }

    MemoryScope parked(@Nullable Instant until) {
        return new MemoryScope(origin, Status.PARKED, fence, entries, null, cancelReason, until, null, null,
                null);
    }

    MemoryScope stuck(String reason) {
        return new MemoryScope(origin, Status.STUCK, fence, entries, null, cancelReason, null, reason, null,
                null);
    }

    MemoryScope ended(Json with, Instant at) {
        return new MemoryScope(origin, Status.ENDED, fence, entries, null, cancelReason, null, null, with,
                at);
    }

    MemoryScope cancelled(String reason) {
        return new MemoryScope(origin, status, fence, entries, owner, reason, wakeAt, stuckBecause, result,
                endedAt);
    }

    Claim claim() {
        return new Claim(id(), origin.input(), fence, origin.incarnation(), origin.secret(), entries,
                cancelReason);
    }

    ScopeState state() {
        return new ScopeState(id(), origin.input(), status, new Fence(fence), entries, cancelReason, wakeAt,
                stuckBecause, result);
    }
}
