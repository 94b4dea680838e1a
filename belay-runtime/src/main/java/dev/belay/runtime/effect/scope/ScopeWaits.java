package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a scope waits for: holds the thread for a while, then suspends the scope. */
final class ScopeWaits {

    private final JournalScope scope;
    private final LiveScope live;
    private final String path;

    ScopeWaits(JournalScope scope, LiveScope live, String path) {
        this.scope = scope;
        this.live = live;
        this.path = path;
    }

    /** Waits for a settlement. The deadline that was recorded when the wait was opened counts, not a later one. */
    Resolution await(CompletionKey key, Deadline deadline) {
        WaitName name = own(key);
        WaitState known = live.memory().waitState(name);
        OpenWait open = known != null && known.opened()
                ? new OpenWait(name, known.kind(), known.deadline(), null)
                : new OpenWait(name, OpenWait.Kind.EVENT, deadline.at(), null);
        Instant due = open.deadline();
        holdOrSuspend(new Waiting.ForWait(open, due), due);
        Resolution there = live.memory().resolution(name);
        if (there != null) {
            return there;
        }
        String reason = live.memory().cancelReason();
        return settle(name, reason != null ? new Resolution.Cancelled(reason) : new Resolution.TimedOut());
    }

    /** A moment that is drawn once, from now on later. */
    Instant drawn(EffectKey key, String kind, Json identity, Duration later) {
        return scope.run(new DrawnValue<>(key, kind, identity, () -> live.host().time().now().plus(later),
                moment -> Json.string(moment.toString()), recorded -> Instant.parse(recorded.asString())));
    }

    /** Waits for a moment. */
    void until(Instant due) {
        holdOrSuspend(new Waiting.ForTime(due), due);
    }

    private void holdOrSuspend(Waiting condition, @Nullable Instant due) {
        if (!live.memory().hold(() -> live.memory().isOver(condition), due)) {
            throw scope.entry().suspend(List.of(condition));
        }
    }

    /** Settles a wait; what won. */
    Resolution settle(WaitName name, Resolution value) {
        ScopeId id = live.claim().scope();
        Resolution winner = switch (live.host()
                .journal()
                .resolve(id, live.claim().incarnation(), name, value, false, live.host().time().now())) {
            case Journal.Settlement.Accepted accepted -> value;
            case Journal.Settlement.Lost(Resolution first) -> first;
            case Journal.Settlement.Unknown unknown -> throw new FencedException(id, live.claim().fence());
        };
        live.memory().settled(name, winner);
        return winner;
    }

    /** The wait that a key of this scope names. */
    private WaitName own(CompletionKey key) {
        return live.host()
                .keys()
                .check(key.token())
                .filter(named -> named.scope().equals(live.claim().scope())
                        && named.incarnation().equals(live.claim().incarnation())
                        && named.name().value().startsWith(path))
                .map(CompletionKeys.Named::name)
                .orElseThrow(() -> new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                        "unknown_wait",
                        key + " is no key of this call; await what completionKey or externalEventKey"
                                + " of the same call returned")));
    }
}
