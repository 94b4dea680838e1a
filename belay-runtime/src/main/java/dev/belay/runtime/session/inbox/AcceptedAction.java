package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.RestText;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.runtime.store.law.SessionReads;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An input that asks for an action: reads its result, and waits for it. Holds no state of its own. Thread-safe.
 *
 * @param inbox that accepted it
 * @param session which it was given to
 * @param id of the input
 */
public record AcceptedAction(Inbox inbox, SessionId session, String id) {

    /** A turn in another process, or in another round, is looked at again after this time. */
    private static final Duration LOOK = Duration.ofMillis(50);

    /** The action that an input has asked for; empty if there is no such input. */
    public static Optional<AcceptedAction> find(Inbox inbox, SessionId session, String id) {
        return inbox.store.read(SessionReads.arrival(session, id))
                .filter(known -> TurnInput.isAction(known.arrival()))
                .map(known -> new AcceptedAction(inbox, session, id));
    }

    /** What came of it; empty while it waits. */
    public Optional<ActionResult> result() {
        SessionHead head = inbox.store.read(SessionReads.head(session)).orElseThrow(this::gone); // first: a turn that commits then shows in the arrival
        Arrived arrived = inbox.store.read(SessionReads.arrival(session, id)).orElseThrow(this::gone);
        Long turn = arrived.turn();
        if (turn != null && turn > 0 && turn <= head.revision()) {
            return Optional.of(committed(turn));
        }
        Long active = head.active();
        return active == null ? Optional.empty() : recorded(TurnScope.id(head.incarnation(), active));
    }

    private ActionResult committed(long turn) {
        return inbox.store.read(SessionReads.turn(session, turn))
                .map(TurnRow::end)
                .stream()
                .flatMap(end -> TurnResult.Ended.of(end.result()).actions().stream())
                .filter(result -> result.input().equals(id))
                .findFirst()
                .orElseThrow(() -> new BelayException("action_abandoned", "turn " + turn + " of session "
                        + session + " was abandoned before it had carried out the action of input " + id
                        + "; give it again with another id"));
    }

    /** What a round of a turn that goes on has recorded of it. */
    private Optional<ActionResult> recorded(ScopeId turn) {
        return inbox.store.read(ScopeReads.effects(turn))
                .stream()
                .filter(row -> row.kind().equals("round") && row.result() != null)
                .flatMap(row -> JoinedArrivals.of(Objects.requireNonNull(row.result())).stream())
                .filter(joined -> joined.id().equals(id))
                .flatMap(joined -> Stream.ofNullable(ActedOn.of(joined).orElse(null)))
                .map(ActedOn::result)
                .findFirst();
    }

    /**
     * Waits until there is a result; {@code session_stuck} if the turn that comes first cannot go on by itself.
     *
     * @param most no longer than this; null for as long as it takes
     * @param waits whether to wait while that turn rests; else {@code turn_resting} says what it waits for
     */
    public Optional<ActionResult> await(@Nullable Duration most, boolean waits) throws InterruptedException {
        long start = inbox.time.nanos();
        while (true) {
            Optional<ActionResult> known = result();
            Duration left = most == null ? LOOK : most.minusNanos(inbox.time.nanos() - start);
            if (known.isPresent() || !left.isPositive()) {
                return known;
            }
            ScopeId active = inbox.activeScope(session).orElse(null);
            if (active != null) {
                Duration now = left.compareTo(LOOK) < 0 ? left : LOOK;
                var joined = waits
                        ? new RestingScopes.Joined(inbox.host.join(active, now), null)
                        : inbox.rests.join(active, now, null);
                requireGoing(joined.state().orElse(null));
                if (joined.waits() != null && result().isEmpty()) {
                    throw new BelayException("turn_resting", RestText.of("turn "
                            + TurnScope.turn(active).orElse(0L) + " of session " + session, joined.waits())
                            + "\nThe command " + id
                            + " is carried out when that turn goes on; awaitCommit() waits for it");
                }
            }
        }
    }

    private void requireGoing(@Nullable ScopeState state) {
        if (state != null && state.status() == ScopeState.Status.STUCK) {
            throw new BelayException("session_stuck", "session " + session
                    + " cannot go on by itself: " + state.stuckBecause()
                    + "; see stuck() of the runtime, then retry it or abandon it");
        }
    }

    private BelayException gone() {
        return new BelayException("unknown_input", "input " + id + " of session " + session
                + " is not kept any more: it was taken back, or the session was deleted");
    }
}
