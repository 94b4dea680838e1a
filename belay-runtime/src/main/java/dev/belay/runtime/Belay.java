package dev.belay.runtime;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.Processes;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Pause;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A runtime: sessions, the model that answers them, the tools it may call, and the store that forgets nothing. Made once, used
 * by many threads, closed at the end.
 */
public final class Belay implements AutoCloseable {

    private static final int MOST_WAITING = 1_000;

    private final Assembly parts;
    private final AtomicBoolean started = new AtomicBoolean();

    Belay(Assembly parts) {
        this.parts = parts;
    }

    /** Starts a runtime. A model is all that sessions need; calls and processes need none. */
    public static BelayBuilder builder() {
        return new BelayBuilder();
    }

    /**
     * Begins to work, if the builder said {@code start(false)}: turns, processes and calls that were left behind go on, and inputs that
     * were accepted meanwhile are answered. Calling it again does nothing.
     */
    public void start() {
        if (started.compareAndSet(false, true)) {
            parts.start().run();
        }
    }

    /** A session by its name: an old one goes on with its agent, a new one begins with its first turn, as {@code default}. */
    public Session session(String id) {
        return session(new SessionId(id));
    }

    /** A session by its name: an old one goes on with its agent, a new one begins with its first turn, as {@code default}. */
    public Session session(SessionId id) {
        return parts.session(id, null);
    }

    /** An agent that the builder has defined; {@code unknown_agent} if there is none of that name. */
    public Agent agent(String name) {
        return new Agent(parts, parts.agents().defined(name));
    }

    /**
     * Agents whose turns or processes wait, or were left by a program that died, and that this runtime does not define; each with the
     * time since which the oldest of them waits. They go on where a runtime defines the agent. Looks at the thousand that have waited
     * longest.
     */
    public Map<String, Instant> waitingFor() {
        Set<String> served = parts.agents().names();
        Map<String, Instant> oldest = new TreeMap<>();
        turns().store()
                .journal()
                .readyKinds(MOST_WAITING)
                .forEach((kind, since) -> TurnScope.agent(kind)
                        .or(() -> ProcessScope.agent(kind))
                        .filter(agent -> !served.contains(agent))
                        .ifPresent(agent -> oldest.merge(agent, since,
                                (one, other) -> one.isBefore(other) ? one : other)));
        return oldest;
    }

    private TurnServices turns() {
        return parts.agents().shared();
    }

    /**
     * Sessions in the order of their names.
     *
     * @param after begins behind this one; null begins with the first
     * @param most at most this many
     */
    public List<SessionHead> sessions(@Nullable SessionId after, int most) {
        return turns().store().sessions(after, most);
    }

    /**
     * Reads a session that {@link Session#export} has written, under a name of its own. It gets keys of its own.
     *
     * @throws dev.belay.BelayException {@code invalid_export} with the number of the line if it is damaged, cut or newer;
     *         {@code session_exists} if the name is taken
     */
    public Session importSession(Reader lines, String as) throws IOException {
        var name = new SessionId(as);
        parts.archive().importSession(lines, name, null);
        return session(name);
    }

    /** The tools that all sessions of the agent {@code default} share; sources may be added, replaced and withdrawn while turns run. */
    public ToolRegistry tools() {
        return parts.registry();
    }

    /** Tool calls that your program asks for itself, outside any session; internal tools are among them. Closed with the runtime. */
    public DurableCalls calls() {
        return parts.calls();
    }

    /** Durable work outside any turn. */
    public Processes processes() {
        return parts.processes().processes();
    }

    /**
     * Turns that cannot go on by themselves; their sessions wait until an operator retries or abandons them. Processes have a list of
     * their own: {@link Processes#stuck}.
     */
    public List<StuckTurn> stuck() {
        return parts.stuck().list();
    }

    /** Lets a stuck turn go on; false if it is not stuck. */
    public boolean retry(StuckTurn turn) {
        return parts.stuck().retry(turn.session(), turn.turn());
    }

    /** Commits a stuck turn as far as it came, so that its session can go on; false if it is not stuck. */
    public boolean abandon(StuckTurn turn, String reason) {
        return parts.stuck().abandon(turn.session(), turn.turn(), reason);
    }

    /**
     * Gives turns that were begun with the name of a loop to that loop, here, whenever they can go on: calls they waited for are
     * settled, or the process that ran them has died.
     *
     * @throws dev.belay.BelayException {@code duplicate_loop} if the name is taken
     */
    public void onReady(String name, OpenTurn.Loop loop) {
        parts.loops().serve(name, begun -> {
            var turn = new OpenTurn(begun);
            loop.run(turn);
            turn.close();
        });
    }

    /**
     * Turns whose loops programs own and that are not committed, in the order of their sessions.
     *
     * @param after begins behind this session; null begins with the first
     * @param most at most this many
     */
    public List<OpenTurnState> openTurns(@Nullable SessionId after, int most) {
        return parts.loops().list(after, most);
    }

    /**
     * Commits an open turn as given up, so that its session can go on; false if it was committed meanwhile.
     *
     * @throws dev.belay.BelayException {@code turn_busy} if a thread or another process runs it
     */
    public boolean abandon(OpenTurnState turn, String reason) {
        return parts.stuck().abandon(turn.session(), turn.turn(), reason)
                || parts.loops().abandon(turn.session(), turn.turn(), reason);
    }

    /** Completes a parked call by the whole string of its key. The first resolution wins. */
    public Delivery resolve(String token, Resolution resolution) {
        return turns().host().resolve(token, resolution);
    }

    /**
     * Pauses everything, an agent, a tool or a session, in all programs on the store: at once here, elsewhere at their next look (200 ms).
     * Inputs are accepted and wait, what runs goes on, and no turn, round or call of it begins until it is unpaused.
     *
     * @param by who asks; recorded in the audit log
     * @param reason why; recorded too
     * @return {@code NotPossible} if the session does not exist
     */
    public VerbResult pause(Pause.Target target, Actor by, String reason) {
        return told(turns().store().operators().pause(target, by, reason, turns().time().now()), target);
    }

    /** Ends a pause: what waited goes on, in all programs on the store. */
    public VerbResult unpause(Pause.Target target, Actor by, String reason) {
        return told(turns().store().operators().unpause(target, by, reason, turns().time().now()), target);
    }

    private VerbResult told(OperatorStore.Verb did, Pause.Target target) {
        turns().host().pausesChanged();
        return switch (did) {
            case DONE -> VerbResult.DONE;
            case ALREADY -> VerbResult.ALREADY;
            case NOT_POSSIBLE -> new VerbResult.NotPossible(
                    "there is no " + target + "; a session is made by its first input");
        };
    }

    /** The pauses that are in force. */
    public List<Pause> pauses() {
        return turns().store().operators().pauses();
    }

    /** How this runtime is: whether its store answers, what it serves, how late it is. Costs a small read of the store. */
    public Health health() {
        return new Checkup(turns().store(), turns().host(), turns().time()).of(parts.agents().names());
    }

    /**
     * Closes this runtime when the virtual machine is shut down: by {@code SIGTERM}, by {@code SIGINT}, or by {@code System.exit}. Nothing
     * is installed unless this is called. Closing the runtime removes it. A body must not call {@code System.exit}: it would wait for
     * itself until the drain is over.
     */
    public void closeOnShutdown() {
        parts.closing().onShutdown();
    }

    /** Stops, and waits for what runs as long as {@link BelayBuilder#drain} says; see {@link #close(Duration)}. */
    @Override
    public void close() {
        parts.closing().close();
    }

    /**
     * Stops. At once nothing more begins: no round, no attempt, no step; inputs are {@code journal_closed}. The exception are turns,
     * processes and batches that a body running here waits for. Bodies and models that run have a time to end. What they answer is
     * recorded, and their turns go on where the store is open. After that time they are interrupted: a call that may be repeated runs
     * again elsewhere, a {@code ONCE} call is left to its reconciler. A second caller waits for the first.
     *
     * @param most zero to interrupt at once
     */
    public void close(Duration most) {
        parts.closing().close(most);
    }
}
