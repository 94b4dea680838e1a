package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The waits of one entry: it holds its thread for a while, then it is suspended. */
final class ScopeWaits {

    private final EntryState entry;
    private final LiveScope live;

    ScopeWaits(EntryState entry) {
        this.entry = entry;
        this.live = entry.live();
    }

    /** Waits for a settlement. The deadline that was recorded when the wait was opened counts, not a later one. */
    Resolution await(CompletionKey key, Deadline deadline, @Nullable String announcement) {
        WaitName name = own(key);
        WaitState known = live.memory().waitState(name);
        OpenWait open = known != null && known.opened()
                ? new OpenWait(name, known.kind(), known.deadline(), known.announcement())
                : new OpenWait(name, OpenWait.Kind.EVENT, deadline.at(), announcement);
        entry.holdOrSuspend(new Waiting.ForWait(open, open.deadline()));
        Resolution there = live.memory().resolution(name);
        if (there != null) {
            return there;
        }
        String reason = live.memory().cancelReason();
        return settle(name, reason != null ? new Resolution.Cancelled(reason) : new Resolution.TimedOut());
    }

    /** Settles a wait; returns the resolution that was first. */
    Resolution settle(WaitName name, Resolution value) {
        Resolution winner = switch (live.host()
                .store()
                .apply(live.host()
                        .store()
                        .scopes()
                        .resolve(live.id(), live.claim().incarnation(), name, value, false,
                                live.host().time().now()))) {
            case Settlement.Accepted accepted -> value;
            case Settlement.Lost(Resolution first) -> first;
            case Settlement.Unknown unknown -> throw live.fenced();
        };
        live.memory().settled(name, winner);
        return winner;
    }

    /** The wait that a key names; refuses a key of another scope. */
    private WaitName own(CompletionKey key) {
        return CompletionKeys.inside(key.token())
                .filter(named -> named.scope().equals(live.id())
                        && named.incarnation().equals(live.claim().incarnation())
                        && named.name().value().startsWith(entry.path()))
                .map(CompletionKeys.Named::name)
                .orElseThrow(() -> new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                        "unknown_wait",
                        key + " is no key of this call; await what completionKey or externalEventKey"
                                + " of the same call returned")));
    }

    /** A moment that is drawn once and recorded: so much later than the time at which it is first asked for. */
    record DrawnMoment(EffectKey key, String kind, Json identity, TimeSource time, Duration later)
            implements
                Effect<Instant> {

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, identity);
        }

        @Override
        public Instant run(Running running) {
            return time.now().plus(later);
        }

        @Override
        public Json encode(Instant moment) {
            return Json.string(moment.toString());
        }

        @Override
        public Instant decode(Json recorded) {
            return Instant.parse(recorded.asString());
        }

        @Override
        public Instant doubt(Running started) {
            throw new IllegalStateException("a drawn moment is never in doubt");
        }
    }
}
