package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.SessionReads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An input that was accepted: waits for its turn, cancels it, reads its result. Holds no state of its own. Thread-safe.
 *
 * @param inbox that accepted it
 * @param session which it was given to
 * @param id of the input
 * @param started the turn that was started for it, if that is known; saves looking it up
 */
public record AcceptedInput(Inbox inbox, SessionId session, String id, @Nullable ScopeId started) {

    /** The input of an id; empty if the session has none. */
    public static Optional<AcceptedInput> find(Inbox inbox, SessionId session, String id) {
        return inbox.store.read(SessionReads.arrival(session, id))
                .filter(known -> known.arrival().kind() == Arrival.Kind.INPUT)
                .map(known -> new AcceptedInput(inbox, session, id, null));
    }

    /** The turn it is in; empty while it waits for one. */
    public Optional<Long> turn() {
        return Optional.ofNullable(arrived().turn());
    }

    /** The result of its turn; empty until that was committed. */
    public Optional<TurnResult.Ended> result() {
        return turn().flatMap(this::result);
    }

    /** Waits until its turn has ended or rests; {@code session_stuck} if the turn cannot go on by itself. */
    public TurnResult await() throws InterruptedException {
        return await(null, null).orElseThrow(this::gone);
    }

    /** The same, but no longer than the given time; empty if the turn goes on then. */
    public Optional<TurnResult> await(Duration most) throws InterruptedException {
        return await(most, null);
    }

    /** Waits until its turn was committed, rests included; {@code session_stuck} if the turn cannot go on by itself. */
    public TurnResult.Ended awaitCommit() throws InterruptedException {
        return ended(inbox.host::join).orElseThrow(this::gone);
    }

    /**
     * Waits until its turn has ended or rests.
     *
     * @param most no longer than this, or null
     * @param known a rest with these waits is told already; null if none is
     */
    private Optional<TurnResult> await(@Nullable Duration most, @Nullable List<Wait> known)
            throws InterruptedException {
        long start = inbox.time.nanos();
        var rest = new AtomicReference<TurnResult.@Nullable Resting>();
        Optional<TurnResult.Ended> ended = ended(scope -> {
            var joined = inbox.rests.join(scope,
                    most == null ? null : most.minusNanos(inbox.time.nanos() - start), known);
            rest.set(joined.waits() == null ? null : resting(joined.state().orElseThrow(), joined.waits()));
            return joined.state();
        });
        return Optional.<TurnResult>ofNullable(rest.get()).or(() -> ended);
    }

    private TurnResult.Resting resting(ScopeState state, List<Wait> waits) {
        TurnStart turn = TurnStart.of(state.input());
        return new TurnResult.Resting(session, turn.turn(), turn.inputId(), waits,
                told -> inbox.rests.after("turn " + turn.turn() + " of session " + session,
                        () -> await(null, told).orElseThrow(this::gone)));
    }

    /** Waits for a scope until it is settled, or no longer. */
    @FunctionalInterface
    private interface Joining {
        Optional<ScopeState> join(ScopeId scope) throws InterruptedException;
    }

    private Optional<TurnResult.Ended> ended(Joining joining) throws InterruptedException {
        if (started != null) {
            return join(joining, started);
        }
        while (true) {
            SessionHead head = head(); // before the arrival: a turn that commits in between then shows in the arrival
            Long turn = arrived().turn();
            Long active = turn != null ? turn : head.active();
            if (active == null) {
                continue; // between two turns
            }
            if (turn != null && turn <= head.revision()) {
                return result(turn);
            }
            Optional<TurnResult.Ended> ended = join(joining, TurnScope.id(head.incarnation(), active));
            if (ended.isEmpty() || ended.get().input().equals(id)) {
                return ended;
            }
        }
    }

    /** Waits for a turn; empty if it has not ended in time. */
    private Optional<TurnResult.Ended> join(Joining joining, ScopeId scope) throws InterruptedException {
        ScopeState state = joining.join(scope).orElseThrow(this::gone);
        if (!state.isSettled()) {
            return Optional.empty();
        }
        Json result = state.result();
        if (result == null) {
            throw new BelayException("session_stuck", "session " + session
                    + " cannot go on by itself: " + state.stuckBecause()
                    + "; see stuck() of the runtime, then retry it or abandon it");
        }
        return Optional.of(inbox.images.result(session, scope, result));
    }

    /**
     * Asks the turn it is in to end, or takes it back if it waits for a turn.
     *
     * @param by whom the audit log names; null if no operator asks
     */
    public CancelReceipt cancel(String reason, @Nullable Actor by) {
        return cancel(reason, by, turn -> true);
    }

    /** The same, but leaves it in a turn that another input has started. */
    public void stop(String reason) {
        cancel(reason, null, this::startedIt);
    }

    private CancelReceipt cancel(String reason, @Nullable Actor by, LongPredicate which) {
        Objects.requireNonNull(reason, "reason");
        Arrived arrived = arrived();
        if (arrived.turn() == null) {
            switch (inbox.withdraw(session, arrived.arrival(), note(by, id, reason))) {
                case DONE, ASKED -> {
                    return new CancelReceipt.Requested();
                }
                case ASKED_BEFORE -> {
                    return new CancelReceipt.AlreadyRequested("the input was asked back");
                }
                case IN_TURN, UNKNOWN -> {
                }
            }
        }
        SessionHead head = head(); // first, as in await
        Long turn = arrived().turn();
        Long of = turn != null ? turn : head.active();
        return of == null || !which.test(of)
                ? new CancelReceipt.Unknown()
                : inbox.by(note(by, of, reason)).cancel(TurnScope.id(head.incarnation(), of), reason);
    }

    private AuditEntry.@Nullable Note note(@Nullable Actor by, Object target, String reason) {
        return by == null ? null : AuditEntry.Note.of(by, "cancel", session + "/" + target, reason);
    }

    private boolean startedIt(long turn) {
        return inbox.store.read(SessionReads.turn(session, turn))
                .filter(row -> row.input().equals(id))
                .isPresent();
    }

    private Optional<TurnResult.Ended> result(long turn) {
        return inbox.store.read(SessionReads.turn(session, turn))
                .map(TurnRow::end)
                .map(end -> TurnResult.Ended.of(end.result()));
    }

    private Arrived arrived() {
        return inbox.store.read(SessionReads.arrival(session, id)).orElseThrow(this::gone);
    }

    private SessionHead head() {
        return inbox.store.read(SessionReads.head(session)).orElseThrow(this::gone);
    }

    private BelayException gone() {
        return new BelayException("unknown_input", "input " + id + " of session " + session
                + " is not kept any more: it was taken back, or the session was deleted");
    }
}
