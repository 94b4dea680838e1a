package dev.belay.runtime.process;

import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.store.ProcessId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a process at one moment.
 *
 * @param id the process
 * @param place in the order of starts, from 1; the cursor of {@link Processes#list}
 * @param work its work
 * @param recovery what happens if its owner dies
 * @param status its status
 * @param end its end; null until it has ended
 * @param cancelReason the reason of the request to end it; null if there is none
 * @param stuckBecause why it does not go on by itself; null if it does
 * @param startedAt when it was started
 * @param endedAt when it ended; null until it has ended
 * @param waits what it waits for; null once it has ended
 */
public record ProcessInfo(ProcessId id, long place, ProcessWork work, Recovery recovery, ProcessStatus status,
        @Nullable ProcessEnd end, @Nullable String cancelReason, @Nullable String stuckBecause,
        Instant startedAt, @Nullable Instant endedAt, @Nullable WaitsFor waits) {}
