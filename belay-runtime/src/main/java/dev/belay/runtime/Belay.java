package dev.belay.runtime;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A runtime: sessions, the model that answers them, the tools it may call, and the store that forgets nothing. Made once, used
 * by many threads, closed at the end.
 */
public final class Belay extends BelayClient {

    private final AtomicBoolean started = new AtomicBoolean();

    Belay(Assembly parts) {
        super(parts, Actor.PROGRAM);
    }

    /** Starts a runtime. A model is all that sessions need; calls and processes need none. */
    public static BelayBuilder builder() {
        return new BelayBuilder();
    }

    /**
     * Looks into a store without running anything; see {@link BelayClient}.
     *
     * @param store best one that is made for looking: {@code JdbcStore.existing(file)}, or {@code existing()} of shared memory. Closed
     *        with the client
     */
    public static BelayClient client(Store store) {
        return new BelayClient(new BelayBuilder().store(store).elsewhere(), Actor.PROGRAM);
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

    /**
     * Begins to work like {@link #start()}, on turns of one session up to this one and on those of all sessions below it. A later turn
     * of the session is left to another runtime, also if its input is accepted before this runtime is closed. Takes the place of
     * {@code sessions(…)} of the builder and of earlier calls of this method.
     *
     * @param turn its number, see {@link dev.belay.runtime.session.InputHandle#turn}
     */
    public void start(String session, long turn) {
        turns().store().served().limit(Map.of(new SessionId(session).value(), turn));
        start();
    }

    /** An agent that the builder has defined; {@code unknown_agent} if there is none of that name. */
    public Agent agent(String name) {
        return new Agent(parts, parts.agents().defined(name));
    }

    /** The tools that all sessions of the agent {@code default} share; sources may be added, replaced and withdrawn while turns run. */
    public ToolRegistry tools() {
        return parts.registry();
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

    /** How this runtime is: whether its store answers, what it serves, how late it is. Costs a small read of the store. */
    public Health health() {
        return new Checkup(turns().store(), turns().host(), turns().time()).of(parts.agents(),
                parts.sessions());
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
