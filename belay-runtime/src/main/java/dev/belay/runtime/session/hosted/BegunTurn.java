package dev.belay.runtime.session.hosted;

import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.inbox.TurnStart;
import org.jspecify.annotations.Nullable;

/**
 * A turn that a program has begun: it runs here, or was committed before.
 *
 * @param start where it begins
 * @param running the turn, or null if it was committed
 * @param result the result of a committed turn, otherwise null
 */
public record BegunTurn(TurnStart start, @Nullable HostedTurn running, TurnResult.@Nullable Ended result) {

    static BegunTurn running(HostedTurn turn) {
        return new BegunTurn(turn.start(), turn, null);
    }
}
