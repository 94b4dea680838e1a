package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.archive.WholeSessions;
import dev.belay.runtime.session.turn.RoundRecord;
import dev.belay.runtime.session.turn.SessionEngine;
import dev.belay.runtime.session.turn.SessionTurn;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** An input that was accepted. Holds nothing: it can be made again by {@link Session#input}. Thread-safe. */
public final class InputHandle {

    private final SessionEngine engine;
    private final SessionId session;
    private final String inputId;
    /** The turn that was started for it, if that is known; saves looking it up. */
    private final @Nullable ScopeId started;

    public InputHandle(SessionEngine engine, SessionId session, String inputId, @Nullable ScopeId started) {
        this.engine = engine;
        this.session = session;
        this.inputId = inputId;
        this.started = started;
    }

    /** The id of the input. */
    public String inputId() {
        return inputId;
    }

    /** The turn it is in; empty while it waits for one. A turn takes an input for good when it commits. */
    public Optional<Long> turn() {
        return Optional.ofNullable(arrived().turn());
    }

    /** What came of it; empty until its turn was committed. */
    public Optional<TurnResult> result() {
        Long turn = arrived().turn();
        return turn == null ? Optional.empty() : result(turn);
    }

    /**
     * Waits until its turn was committed, parked calls included.
     *
     * @throws BelayException {@code session_stuck} if the turn cannot go on by itself
     */
    public TurnResult await() throws InterruptedException {
        return await(scope -> engine.host().join(scope)).orElseThrow(this::gone);
    }

    /**
     * Waits for that, but no longer than the given time; the turn goes on, and can be awaited again.
     *
     * @return empty if it was not committed in that time
     * @throws BelayException {@code session_stuck} if the turn cannot go on by itself
     */
    public Optional<TurnResult> await(Duration most) throws InterruptedException {
        long start = engine.time().nanos();
        return await(scope -> engine.host()
                .join(scope, most.minusNanos(engine.time().nanos() - start)));
    }

    /** Waits for a scope until it is settled, or no longer. */
    @FunctionalInterface
    private interface Joining {
        Optional<ScopeState> join(ScopeId scope) throws InterruptedException;
    }

    private Optional<TurnResult> await(Joining joining) throws InterruptedException {
        if (started != null) {
            return join(joining, started);
        }
        while (true) {
            SessionHead head = head(); // first: a turn that takes the input and commits in between is found by the second
            Long turn = arrived().turn();
            Long active = turn != null ? turn : head.active();
            if (active == null) {
                continue; // between two turns
            }
            if (turn != null && turn <= head.revision()) {
                return result(turn);
            }
            Optional<TurnResult> ended = join(joining, TurnScope.id(head.incarnation(), active));
            if (ended.isEmpty() || ended.get().input().equals(inputId)) {
                return ended;
            }
        }
    }

    /** Waits for a turn; empty if it was not waited for to its end. */
    private Optional<TurnResult> join(Joining joining, ScopeId scope) throws InterruptedException {
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
        return Optional.of(engine.images().result(session, scope, result));
    }

    /**
     * Asks the turn it is in to end, or takes the input back if it waits for one. It is in a turn once a model is asked with it.
     * Ordered against the commit: after that the answer is {@link CancelReceipt.AlreadyEnded} with the result.
     */
    public CancelReceipt cancel(String reason) {
        return cancel(reason, turn -> true);
    }

    /** The same, but leaves it in a turn that another input has started. */
    public void stop(String reason) {
        cancel(reason, this::startedBy);
    }

    private CancelReceipt cancel(String reason, LongPredicate which) {
        Objects.requireNonNull(reason, "reason");
        Arrived arrived = arrived();
        if (arrived.turn() == null && engine.locks().alone(session, this::takeBack)) {
            new WholeSessions(engine).takenBack(arrived.arrival());
            return new CancelReceipt.Requested();
        }
        SessionHead head = head(); // first, as in await
        Long turn = arrived().turn();
        Long of = turn != null ? turn : head.active();
        return of == null || !which.test(of)
                ? new CancelReceipt.Unknown()
                : engine.host().cancel(TurnScope.id(head.incarnation(), of), reason);
    }

    private boolean startedBy(long turn) {
        return engine.store().turn(session, turn).filter(row -> row.input().equals(inputId)).isPresent();
    }

    /** Takes it back, unless the turn that is active has shown it to a model. */
    private boolean takeBack() {
        SessionHead head = head();
        Long active = head.active();
        ScopeId scope = active == null ? null : TurnScope.id(head.incarnation(), active);
        if (scope != null && isTaken(scope)) {
            return false;
        }
        return engine.store().withdraw(session, inputId, engine.now());
    }

    /** Whether a turn that runs here asks a model with this input, or a round of it has recorded so. */
    private boolean isTaken(ScopeId turn) {
        SessionTurn here = engine.running(turn);
        return (here != null && here.shown().has(inputId)) || engine.store()
                .journal()
                .effects(turn)
                .stream()
                .filter(row -> row.kind().equals("round") && row.result() != null)
                .flatMap(row -> RoundRecord.of(Objects.requireNonNull(row.result())).joined().stream())
                .anyMatch(joined -> joined.id().equals(inputId));
    }

    private Optional<TurnResult> result(long turn) {
        return engine.store()
                .turn(session, turn)
                .map(TurnRow::end)
                .map(end -> TurnResult.of(end.result()));
    }

    private Arrived arrived() {
        return engine.store().arrival(session, inputId).orElseThrow(this::gone);
    }

    private SessionHead head() {
        return engine.store().head(session).orElseThrow(this::gone);
    }

    private BelayException gone() {
        return new BelayException("unknown_input", "input " + inputId + " of session " + session
                + " is not kept any more: it was taken back, or the session was deleted");
    }
}
