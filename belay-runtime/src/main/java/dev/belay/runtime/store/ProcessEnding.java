package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import java.util.List;
import java.util.Objects;

/**
 * Everything that a process leaves behind.
 *
 * @param process which
 * @param result how it ended; the result of its scope
 * @param notice what the sessions that may handle it are told
 * @param watchers how many watchers were told
 * @param doubts about work of a process that is abandoned
 */
public record ProcessEnding(ProcessId process, Json result, Arrival notice, int watchers,
        List<OpenDoubt.Of> doubts) {

    /** A process that leaves no doubt. */
    public ProcessEnding(ProcessId process, Json result, Arrival notice, int watchers) {
        this(process, result, notice, watchers, List.of());
    }

    /** Refuses null, and an arrival that would start a turn. */
    public ProcessEnding {
        Objects.requireNonNull(process, "process");
        Objects.requireNonNull(result, "result");
        doubts = List.copyOf(doubts);
        if (notice.kind() != Arrival.Kind.NOTICE) {
            throw new IllegalArgumentException("the end of a process is told by a notice, found " + notice);
        }
    }
}
