package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.process.Processes;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.process.engine.ProcessSettings;
import dev.belay.runtime.session.OpenTurnLoop;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.archive.StuckTurns;
import dev.belay.runtime.session.archive.WholeSessions;
import dev.belay.runtime.session.body.ProcessSessions;
import dev.belay.runtime.session.hosted.HostedLoops;
import dev.belay.runtime.session.inbox.SessionImages;
import dev.belay.runtime.session.inbox.SessionLocks;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a runtime share: accepts inputs, enters turns, commits them. Thread-safe.
 *
 * <p>Concurrency: a turn is entered by a thread of the host; its calls, which are children of its scope, find it by the scope.
 */
public final class SessionEngine implements AutoCloseable {

    private final Set<String> kinds;

    private final SessionStore store;
    private final JournalHost host;
    private final ToolRegistry registry;
    private final TurnDispatchers dispatchers;
    private final SessionSettings settings;
    private final TimeSource time;
    private final RandomGenerator random;
    private final SessionImages images;
    private final SessionStreams streams;
    private final ProcessEngine processes;
    private final Map<ScopeId, SessionTurn> live = new ConcurrentHashMap<>();
    /** Turns that were accepted here and not entered yet, as their first entry would read them from what was written. */
    private final Map<ScopeId, TurnStart> begun = new ConcurrentHashMap<>();
    private final Map<SessionId, ToolRegistry> own = new ConcurrentHashMap<>();
    private final HostedLoops loops = new HostedLoops(this);
    private final SessionLocks locks = new SessionLocks();

    /**
     * What an engine is made of.
     *
     * @param store where sessions are kept; closed with the engine
     * @param host over the store's journal; served by the engine and closed with it
     * @param registry all tools
     * @param dispatcher runs calls
     * @param settings how turns are run
     * @param processes what processes run beside tools and turns
     * @param time the host's
     * @param random for ids and incarnations; thread-safe
     */
    public record Parts(SessionStore store, JournalHost host, ToolRegistry registry,
            ToolDispatcher dispatcher, SessionSettings settings, ProcessSettings processes, TimeSource time,
            RandomGenerator random) {}

    private SessionEngine(Parts parts) {
        store = parts.store();
        host = parts.host();
        registry = parts.registry();
        dispatchers = new TurnDispatchers(this, parts.dispatcher());
        settings = parts.settings();
        time = parts.time();
        random = parts.random();
        kinds = new HashSet<>(Set.of(TurnScope.KIND, ProcessScope.KIND));
        parts.processes().bodies().keySet().forEach(body -> kinds.add(ProcessScope.bodyKind(body)));
        images = new SessionImages(store);
        streams = new SessionStreams(Long.toHexString(random.nextLong()));
        processes = new ProcessEngine(
                new ProcessEngine.Parts(store.processes(), host, registry, parts.dispatcher(),
                        parts.processes(), new ProcessSessions(this), time, random));
    }

    /** Starts to serve: turns that were left behind go on from here. */
    public static SessionEngine open(Parts parts) {
        var engine = new SessionEngine(parts);
        engine.host.serve(new SessionRunner(engine), engine.kinds);
        return engine;
    }

    /** Runs a turn or a process. */
    Json enter(EffectScope scope, ScopeInput input) {
        if (ProcessEngine.isProcess(scope)) {
            return processes.enter(scope, input);
        }
        if (TurnScope.isOpen(input.kind())) {
            return loops.enter(scope, input);
        }
        if (!input.kind().equals(TurnScope.KIND)) {
            throw new BelayException("unknown_scope", "scope " + scope.id() + " is of kind " + input.kind()
                    + "; turns are of kind " + TurnScope.KIND + ", so another program must serve it");
        }
        TurnStart known = begun.remove(scope.id());
        var turn = new TurnLoop(this, scope, known == null ? TurnStart.of(input) : known);
        live.put(scope.id(), turn);
        try {
            return turn.run();
        } finally {
            live.remove(scope.id(), turn);
        }
    }

    /** Runs a call of a turn or a process that is given as data. */
    ToolOutcome child(EffectScope scope, ScopeInput input) {
        if (ProcessEngine.isProcess(scope)) {
            return processes.call(scope, input);
        }
        SessionTurn turn = Objects.requireNonNull(running(scope.id()), "the turn of a call runs here");
        return turn.dispatcher(input).call(scope, input);
    }

    /** The turn of a scope that runs here, or null. */
    public @Nullable SessionTurn running(ScopeId scope) {
        SessionTurn own = loops.seated(scope);
        return own == null ? live.get(scope) : own;
    }

    /** Accepts an input, and runs the turn if that started one. */
    public Acceptance accept(SessionId session, String id, TurnInput input) {
        Acceptance acceptance = offer(session, input.arrival(id), -1);
        if (acceptance instanceof Acceptance.Started(long turn, Claim claim) && claim != null) {
            if (input.loop() == null && input.isReadAsIs()) {
                begun.put(claim.scope(),
                        new TurnStart(session, TurnScope.session(claim.scope()), turn, id, input));
            }
            host.adopt(claim);
        }
        return acceptance;
    }

    /** Accepts an arrival; {@code input_conflict} if its id is known with another content. */
    public Acceptance offer(SessionId session, Arrival arrival, long expectedPlace) {
        Acceptance acceptance = host.claiming(session, () -> activeScope(session), () -> store.accept(session,
                Incarnation.random(random), arrival, expectedPlace, host.hasRoom(), time.now()));
        if (acceptance instanceof Acceptance.Conflict(Arrived known)) {
            throw new BelayException("input_conflict", "input " + arrival.id() + " of session " + session
                    + " was given before with another content; use another id, or the same content. Recorded: "
                    + known.arrival().content() + ", given: " + arrival.content());
        }
        return acceptance;
    }

    /** Accepts a notice, unless its session is gone or has one of the same id. */
    public void inform(SessionId session, Incarnation incarnation, Arrival notice) {
        Acceptance acceptance;
        do {
            SessionHead head = store.head(session).orElse(null);
            if (head == null || !head.incarnation().equals(incarnation)) {
                return;
            }
            acceptance = store.accept(session, incarnation, notice, head.lastPlace(), false, time.now());
        } while (acceptance instanceof Acceptance.Overtaken);
    }

    /** Commits a turn, as the last write of its scope; false if it belongs to somebody else. */
    boolean commit(Claim claim, TurnCommit commit, Instant at, Runnable done) {
        return switch (host.claiming(commit.session(), () -> activeScope(commit.session()),
                () -> store.commit(claim, commit, host.hasRoom(), at))) {
            case Committed.Done(long started, Claim next) -> {
                done.run();
                if (next != null) {
                    host.adopt(next);
                }
                yield true;
            }
            case Committed.Already already -> true;
            case Committed.Fenced fenced -> false;
            case Committed.Diverged(var head) -> throw new BelayException("session_diverged",
                    "turn " + commit.turn() + " of session " + commit.session() + " cannot be committed: the"
                            + " session is at turn " + head.revision() + " with another past");
        };
    }

    /** Turns that cannot go on by themselves, and what an operator can do about them. */
    public StuckTurns stuckTurns() {
        return new StuckTurns(this);
    }

    public Optional<ScopeId> scope(SessionId session, long turn) {
        return store.head(session).map(head -> TurnScope.id(head.incarnation(), turn));
    }

    /** Dispatchers of the calls of turns. */
    public TurnDispatchers dispatchers() {
        return dispatchers;
    }

    /** The sources that a session sees. */
    public ToolRegistry liveTools(SessionId session) {
        return own.getOrDefault(session, registry);
    }

    /** The sources of a session itself, below those of the runtime. They live as long as the runtime. */
    public ToolRegistry ownRegistry(SessionId session) {
        return own.computeIfAbsent(session, unused -> ToolRegistry.below(registry));
    }

    void pause(Duration wait) {
        time.pause(wait);
    }

    public Incarnation newIncarnation() {
        return Incarnation.random(random);
    }

    /** Asks the turn that runs in a session to end. */
    public CancelReceipt cancelActive(SessionId session, String reason) {
        return activeScope(session).map(scope -> host.cancel(scope, reason))
                .orElseGet(CancelReceipt.Unknown::new);
    }

    /** The scope of the turn that a session is in. */
    public Optional<ScopeId> activeScope(SessionId session) {
        return store.head(session)
                .flatMap(head -> Optional.ofNullable(head.active())
                        .map(turn -> TurnScope.id(head.incarnation(), turn)));
    }

    public String newId() {
        return Incarnation.random(random).toString();
    }

    public TimeSource time() {
        return time;
    }

    public Instant now() {
        return time.now();
    }

    /** Which scopes are served here, beside turns of loops with a name. */
    public Set<String> kinds() {
        return kinds;
    }

    /** Turns whose loops programs own. */
    public HostedLoops loops() {
        return loops;
    }

    /** Gives turns of a name to a loop; see {@code Belay.onReady}. */
    public void onReady(String name, OpenTurnLoop loop) {
        loops.serve(name, loop);
    }

    /** Turns whose loops programs own and that are not committed; see {@code Belay.openTurns}. */
    public List<OpenTurnState> openTurns(@Nullable SessionId after, int most) {
        return loops.list(after, most);
    }

    /** Commits an open turn as given up; see {@code Belay.abandon}. */
    public boolean abandon(OpenTurnState turn, String reason) {
        return stuckTurns().abandon(turn.session(), turn.turn(), reason)
                || loops.abandon(turn.session(), turn.turn(), reason);
    }

    public HostValues hostValues() {
        return dispatchers.hostValues();
    }

    public SessionStore store() {
        return store;
    }

    public JournalHost host() {
        return host;
    }

    ToolRegistry registry() {
        return registry;
    }

    public ProcessEngine processEngine() {
        return processes;
    }

    /** Processes beside the sessions. */
    public Processes processes() {
        return processes.processes();
    }

    public SessionSettings settings() {
        return settings;
    }

    public SessionImages images() {
        return images;
    }

    public SessionStreams streams() {
        return streams;
    }

    public SessionLocks locks() {
        return locks;
    }

    /** Sessions in the order of their names. */
    public List<SessionHead> sessions(@Nullable SessionId after, int most) {
        return store.sessions(after, most);
    }

    /**
     * Reads a session that was exported, under a name of its own.
     *
     * @throws BelayException {@code invalid_export} if it is damaged, cut or newer; {@code session_exists} if the name is taken
     */
    public Session importSession(Reader lines, SessionId as) throws IOException {
        return new WholeSessions(this).importSession(lines, as);
    }

    /** Forgets what is kept in memory of a session. */
    public void forget(SessionId session) {
        images.forget(session);
        own.remove(session);
    }

    /** A session; nothing is read or written until it is used. */
    public Session session(SessionId id) {
        return new Session(this, id);
    }

    /** Closes host and store: what runs is interrupted, what is recorded stays, and the rest goes on elsewhere or later. */
    @Override
    public void close() {
        host.close();
        store.close();
    }
}
