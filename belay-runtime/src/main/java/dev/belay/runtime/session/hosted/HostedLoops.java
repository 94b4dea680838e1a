package dev.belay.runtime.session.hosted;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnLoop;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.turn.SessionEngine;
import dev.belay.runtime.session.turn.TurnStart;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whose loops programs own: begins them, finds them again, and gives those that are ready to the loop that has their name.
 *
 * <p>Concurrency: thread-safe. Recovery: turns of a name are served like any other work, as long as a loop of that name is here;
 * the others wait for {@link #begin}.
 */
public final class HostedLoops {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    private static final int LONGEST_NAME = 100;

    private final SessionEngine engine;
    private final Map<String, OpenTurnLoop> loops = new ConcurrentHashMap<>();
    /** Who is at work, each under one claim. */
    private final Map<ScopeId, HostedTurn> seated = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public HostedLoops(SessionEngine engine) {
        this.engine = engine;
    }

    /** Begins a turn, or goes on with it. */
    public OpenTurn begin(SessionId session, UserMessage message, String inputId, String loop) {
        if (!loop.isEmpty()) {
            StoredNames.check("the name of a loop", loop, LONGEST_NAME);
        }
        var input = new TurnInput(message, TurnSettings.NONE, loop, Json.EMPTY_OBJECT, engine.now());
        Arrival arrival = input.arrival(inputId);
        while (true) {
            SessionHead head = engine.store().head(session).orElse(null);
            Arrived known = engine.store().arrival(session, inputId).orElse(null);
            if (known == null && head != null && head.active() != null) {
                throw new BelayException("session_busy", "turn " + head.active() + " of session " + session
                        + " is not committed yet, and a session has one turn at a time; wait for it, cancel it, or"
                        + " abandon it");
            }
            // nothing but an arrival can start a turn in a session that has none
            Acceptance accepted = engine.offer(session, arrival, head == null ? 0 : head.lastPlace());
            switch (accepted) {
                case Acceptance.Started(long turn, Claim claim) -> {
                    if (claim == null) {
                        return take(session, turn);
                    }
                    HostedTurn own = seat(claim);
                    engine.host().adopt(claim);
                    return OpenTurn.running(own);
                }
                case Acceptance.Known(Arrived there) when there.turn() != null -> {
                    return take(session, there.turn());
                }
                case Acceptance.Known waits -> {
                }
                case Acceptance.Overtaken overtaken -> {
                }
                case Acceptance.Waits waits -> throw new IllegalStateException("an open turn waits");
                case Acceptance.Conflict conflict -> throw new IllegalStateException("refused before");
            }
        }
    }

    /** Goes on with a turn, or says how it ended. */
    OpenTurn take(SessionId session, long turn) {
        ScopeId scope = engine.scope(session, turn)
                .orElseThrow(() -> new BelayException("unknown_session", "there is no session " + session));
        if (engine.host().state(scope).filter(state -> !TurnScope.isOpen(state.input().kind())).isPresent()) {
            throw new BelayException("unknown_turn", "turn " + turn + " of session " + session
                    + " belongs to the loop of the runtime, and cannot be begun or abandoned by a program");
        }
        Claim claim = engine.host().claim(scope).orElse(null);
        if (claim != null) {
            HostedTurn own = seat(claim);
            engine.host().resume(claim);
            return OpenTurn.running(own);
        }
        ScopeState state = engine.host()
                .state(scope)
                .orElseThrow(() -> new BelayException("unknown_turn",
                        "there is no turn " + turn + " in session " + session + " that could go on"));
        Json result = state.result();
        if (result != null) {
            return OpenTurn.committed(TurnStart.of(state.input()), TurnResult.of(result));
        }
        if (state.status() == ScopeState.Status.STUCK) {
            throw new BelayException("session_stuck", "turn " + turn + " of session " + session
                    + " cannot go on by itself: " + state.stuckBecause()
                    + "; see stuck() of the runtime, then retry it or abandon it");
        }
        throw new BelayException("turn_busy", "turn " + turn + " of session " + session
                + " is being run by another thread or process; wait until that has closed it");
    }

    /** Makes a seat for a claim; a claim that cannot be seated is given back. */
    private HostedTurn seat(Claim claim) {
        try {
            return seat(claim.scope(), TurnStart.of(claim.input()), claim.fence());
        } catch (RuntimeException | Error e) {
            engine.host().giveBack(claim);
            throw e;
        }
    }

    private HostedTurn seat(ScopeId scope, TurnStart start, long fence) {
        var own = new HostedTurn(engine, start, fence);
        HostedTurn before = seated.put(scope, own);
        if (before != null) {
            before.seat().abolish(); // its claim is an old one
        }
        if (closed) {
            own.seat().close();
        }
        return own;
    }

    /** Gives turns of a name to a loop, from now on. */
    public void serve(String name, OpenTurnLoop loop) {
        StoredNames.check("the name of a loop", name, LONGEST_NAME);
        if (loops.putIfAbsent(name, loop) != null) {
            throw new BelayException("duplicate_loop", "there is a loop " + name
                    + " already; a turn could not know which one is its own");
        }
        engine.host().serve(kinds());
    }

    /** The kinds of turns that are served here. */
    Set<String> kinds() {
        Set<String> kinds = new HashSet<>(engine.kinds());
        loops.keySet().forEach(name -> kinds.add(TurnScope.openKind(name)));
        return kinds;
    }

    /** Runs a turn's scope for whoever has begun it, or for the loop that has its name. */
    public Json enter(EffectScope scope, ScopeInput input) {
        HostedTurn own = seated.get(scope.id());
        if (own == null || own.seat().fence() != scope.fence().value() || own.seat().isGone()) {
            TurnStart start = TurnStart.of(input);
            OpenTurnLoop loop = start.input().loop() == null ? null : loops.get(start.input().loop());
            if (loop == null) {
                scope.rest();
                throw new IllegalStateException("a scope that rests goes on");
            }
            own = seat(scope.id(), start, scope.fence().value());
            HostedTurn waits = own;
            engine.host().spawn(() -> run(loop, waits));
        }
        return own.serve(scope);
    }

    private void run(OpenTurnLoop loop, HostedTurn own) {
        OpenTurn turn = OpenTurn.running(own);
        try {
            loop.run(turn);
            turn.close();
        } catch (Throwable e) { // whatever it is, the turn must not wait for a loop that is gone
            LOG.warn("The loop of turn {} of session {} threw", own.start().turn(), own.start().session(),
                    e);
            own.seat().fail(e);
        }
    }

    public @Nullable HostedTurn seated(ScopeId scope) {
        return seated.get(scope);
    }

    public void left(ScopeId scope, long fence) {
        HostedTurn own = seated.get(scope);
        if (own != null && own.seat().fence() == fence) {
            own.seat().abolish();
            seated.remove(scope, own);
        }
    }

    public void close() {
        closed = true;
        seated.values().forEach(own -> own.seat().close());
    }

    /** Turns that are not committed. */
    public List<OpenTurnState> list(@Nullable SessionId after, int most) {
        return engine.store().openTurns(after, most).stream().map(OpenTurnState::of).toList();
    }

    /** Commits a turn as given up; false if it was committed. */
    public boolean abandon(SessionId session, long turn, String reason) {
        OpenTurn open = take(session, turn);
        if (open.result().isPresent()) {
            return false;
        }
        open.abandon(reason);
        return true;
    }
}
