package dev.belay.runtime.process;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a process.
 *
 * @param id which
 * @param place in the order of starts, from 1; the cursor of whoever lists them
 * @param work what it does
 * @param recovery what becomes of it if its owner dies
 * @param status how it stands
 * @param end how it ended, or null
 * @param cancelReason why somebody wants it to end, or null
 * @param stuckBecause why it does not go on by itself, or null
 * @param startedAt when
 * @param endedAt when, or null
 */
public record ProcessInfo(ProcessId id, long place, ProcessWork work, Recovery recovery, ProcessStatus status,
        @Nullable ProcessEnd end, @Nullable String cancelReason, @Nullable String stuckBecause,
        Instant startedAt, @Nullable Instant endedAt) {

    /** What a row says; one that cannot be read is told too, so that it can be abandoned. */
    public static ProcessInfo of(ProcessRow row) {
        try {
            return read(row);
        } catch (BelayException unreadable) {
            ScopeState scope = row.scope();
            return new ProcessInfo(row.id(), row.place(),
                    new ProcessWork.Unreadable(String.valueOf(unreadable.getMessage())), Recovery.NEVER,
                    open(scope.status()), null, scope.cancelReason(), scope.stuckBecause(), row.startedAt(),
                    row.endedAt());
        }
    }

    private static ProcessInfo read(ProcessRow row) {
        ScopeState scope = row.scope();
        Json result = scope.result();
        ProcessEnd end = result == null ? null : ProcessEnd.of(result);
        ProcessStart start = start(row);
        return new ProcessInfo(row.id(), row.place(), start.work(), start.recovery(),
                end == null ? open(scope.status()) : end.status(), end, scope.cancelReason(),
                scope.stuckBecause(), row.startedAt(), row.endedAt());
    }

    public static ProcessStart start(ProcessRow row) {
        return ProcessEngine.Beginning.of(row.scope().input()).start();
    }

    private static ProcessStatus open(ScopeState.Status status) {
        return switch (status) {
            case READY, RUNNING -> ProcessStatus.RUNNING;
            case PARKED, STUCK, ENDED -> ProcessStatus.WAITING;
        };
    }
}
