package dev.belay.runtime.session.hosted;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelException;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whose loops programs own: begins them, finds them again, and gives those that are ready to the loop that has their name.
 *
 * <p>Concurrency: thread-safe. Recovery: turns of a name are served like any other scope while a loop of that name is registered;
 * the others wait for {@link #begin}.
 */
public final class HostedLoops implements ScopeRunner {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    private static final int LONGEST_NAME = 100;

    private final Agents agents;
    private final TurnServices services;
    private final Consumer<String> serving;
    private final Map<String, Loop> loops = new ConcurrentHashMap<>();
    /** Turns at work, each under one claim. */
    private final Map<ScopeId, HostedTurn> live = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** A program's loop that goes on with turns of its name. Called by many threads, one for each turn. */
    @FunctionalInterface
    public interface Loop {

        /** Goes on with a turn, from the top. */
        void run(BegunTurn turn) throws Exception;
    }

    /**
     * The loops of a runtime.
     *
     * @param serving told of each kind of scope that is served from now on
     */
    public HostedLoops(Agents agents, Consumer<String> serving) {
        this.agents = agents;
        services = agents.shared();
        this.serving = serving;
    }

    /** Begins a turn, or goes on with it. */
    public BegunTurn begin(SessionId session, UserMessage message, String inputId, String loop, Json with) {
        if (!loop.isEmpty()) {
            StoredNames.check("the name of a loop", loop, LONGEST_NAME);
        }
        services.host().requireServing();
        services.host().pauses().requireNone(agents.of(session).agent(), session);
        var input = new TurnInput(message, TurnSettings.NONE, loop, with,
                services.inbox().now()).within(services.inbox().carriers().accepted());
        Arrival arrival = input.arrival(inputId);
        while (true) {
            Acceptance accepted = services.inbox()
                    .offer(session, arrival, services.inbox().idlePlace(session, inputId));
            switch (accepted) {
                case Acceptance.Started(long turn, Claim claim) -> {
                    if (claim == null) {
                        return take(session, turn);
                    }
                    HostedTurn own = open(claim);
                    services.host().adopt(claim);
                    return BegunTurn.running(own);
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
                case Acceptance.Closed closed -> throw new IllegalStateException("refused before");
            }
        }
    }

    /** Goes on with a turn, or says how it ended. */
    private BegunTurn take(SessionId session, long turn) {
        ScopeId scope = services.inbox()
                .scope(session, turn)
                .orElseThrow(() -> new BelayException("unknown_session", "there is no session " + session));
        if (services.host()
                .state(scope)
                .filter(state -> !TurnScope.isOpen(state.input().kind()))
                .isPresent()) {
            throw new BelayException("unknown_turn", "turn " + turn + " of session " + session
                    + " belongs to the loop of the runtime, and cannot be begun or abandoned by a program");
        }
        Claim claim = services.host().claim(scope).orElse(null);
        if (claim != null) {
            HostedTurn own = open(claim);
            services.host().resume(claim);
            return BegunTurn.running(own);
        }
        ScopeState state = services.host()
                .state(scope)
                .orElseThrow(() -> new BelayException("unknown_turn",
                        "there is no turn " + turn + " in session " + session + " that could go on"));
        Json result = state.result();
        if (result != null) {
            return new BegunTurn(TurnStart.of(state.input()), null, TurnResult.Ended.of(result));
        }
        if (state.status() == ScopeState.Status.STUCK) {
            throw TurnFaults.stuck(session, turn, state);
        }
        throw new BelayException("turn_busy", "turn " + turn + " of session " + session
                + " is being run by another thread or process; wait until that has closed it");
    }

    /** Makes the turn of a claim; the claim is given back if that fails. */
    private HostedTurn open(Claim claim) {
        try {
            return open(claim.scope(), TurnStart.of(claim.input()), claim.fence());
        } catch (RuntimeException | Error e) {
            services.host().giveBack(claim);
            throw e;
        }
    }

    private HostedTurn open(ScopeId scope, TurnStart start, long fence) {
        var own = new HostedTurn(agents.of(start.agent()), start, fence);
        HostedTurn before = live.put(scope, own);
        own.opened(scope);
        if (before != null) {
            before.handoff().abolish(); // its claim is an old one
        }
        if (closed) {
            own.handoff().close();
        }
        return own;
    }

    /**
     * Gives turns of a name to a loop, from now on.
     *
     * @throws BelayException {@code duplicate_loop} if the name is taken
     */
    public void serve(String name, Loop loop) {
        StoredNames.check("the name of a loop", name, LONGEST_NAME);
        if (loops.putIfAbsent(name, loop) != null) {
            throw new BelayException("duplicate_loop", "there is a loop " + name
                    + " already; a turn could not know which one is its own");
        }
        serving.accept(TurnScope.openKind(name));
    }

    /** Runs a turn for the thread that has begun it, or for the loop that has its name. */
    @Override
    public Json run(EffectScope scope, ScopeInput input) {
        HostedTurn own = live.get(scope.id());
        if (own == null || own.handoff().fence() != scope.fence().value() || own.handoff().isGone()) {
            TurnStart start = TurnStart.of(input);
            Loop loop = start.input().loop() == null ? null : loops.get(start.input().loop());
            if (loop == null || agents.find(start.agent()).isEmpty()) {
                scope.rest();
                throw new IllegalStateException("a scope that rests goes on");
            }
            try {
                own = open(scope.id(), start, scope.fence().value());
                agents.unentered().remove(scope.id());
            } catch (BelayException e) {
                throw agents.unentered().rest(scope, start, e, true, services.time().now());
            }
            HostedTurn waits = own;
            services.host().spawn(() -> Carriers.within(context(waits), () -> {
                run(loop, waits);
                return waits;
            }));
        }
        HostedTurn served = own;
        return Carriers.within(context(served), () -> served.serve(scope));
    }

    private Carriers.Captured context(HostedTurn turn) {
        TurnStart start = turn.start();
        return services.inbox().carriers().of(start.input().manner().context()).marked(start::marks);
    }

    @Override
    public ToolOutcome child(EffectScope scope, ScopeInput input) {
        HostedTurn own = Objects.requireNonNull(live.get(scope.id()), "the turn of a call runs here");
        return own.dispatcher(input).call(scope, input);
    }

    private static void run(Loop loop, HostedTurn own) {
        try {
            loop.run(BegunTurn.running(own));
        } catch (ModelException e) {
            if (own.waitsForModel()) {
                own.rest(); // the loop is run again when the model may be asked
            } else {
                failed(own, e);
            }
        } catch (Throwable e) { // an Error too: the turn must not wait for a loop that is gone
            failed(own, e);
        }
    }

    private static void failed(HostedTurn own, Throwable fault) {
        LOG.warn("The loop of turn {} of session {} threw", own.start().turn(), own.start().session(), fault);
        own.handoff().fail(fault);
    }

    @Override
    public void left(ScopeId scope, long fence) {
        HostedTurn own = live.get(scope);
        if (own != null && own.handoff().fence() == fence) {
            own.handoff().abolish();
            own.closed(scope);
            live.remove(scope, own);
        }
    }

    @Override
    public void closing() {
        closed = true;
        live.values().forEach(own -> own.handoff().close());
    }

    /** Turns that are not committed. */
    public List<OpenTurnState> list(@Nullable SessionId after, int most) {
        return services.store()
                .read(SessionReads.openTurns(after, most))
                .stream()
                .map(OpenTurnState::of)
                .toList();
    }
}
