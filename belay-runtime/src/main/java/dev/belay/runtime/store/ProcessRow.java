package dev.belay.runtime.store;

import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A process as it is kept. How it stands and what it ended with is what its scope says.
 *
 * @param id which
 * @param place in the order of starts, from 1
 * @param scope of the process
 * @param incarnation of that scope, which keys of its waits carry
 * @param startedAt when
 * @param endedAt when, or null
 * @param active what it waits for; null once it has ended
 */
public record ProcessRow(ProcessId id, long place, ScopeState scope, Incarnation incarnation,
        Instant startedAt, @Nullable Instant endedAt, OperatorReads.@Nullable ActiveScope active) {}
