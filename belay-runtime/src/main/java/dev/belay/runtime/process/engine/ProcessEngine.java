package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.ProcessStore;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Runs processes as scopes of the host, and answers for those that are kept.
 *
 * <p><b>Concurrency.</b> Thread-safe. A process is entered by a thread of the host; its call, which is a child of its scope, finds
 * its dispatcher by the scope. <b>Durability.</b> Starting, telling an event and ending are one write each; the end is told to
 * whoever watches before it is written. <b>Recovery.</b> How a process ended is a function of its records, so that an end that was
 * told and not written comes out the same when the process is entered again.
 */
public final class ProcessEngine {

    private final ProcessStore store;
    private final JournalHost host;
    private final ToolRegistry registry;
    private final ToolDispatcher tools;
    private final ProcessSettings settings;
    private final SessionWork sessions;
    private final TimeSource time;
    private final RandomGenerator random;
    /** The dispatchers of processes that are entered here. */
    private final Map<ScopeId, ToolDispatcher> live = new ConcurrentHashMap<>();

    /**
     * What an engine is made of.
     *
     * @param store where processes are kept
     * @param host over the store's journal
     * @param registry all tools
     * @param tools runs calls
     * @param settings what else is run
     * @param sessions runs turns
     * @param time the host's
     * @param random for ids and incarnations; thread-safe
     */
    public record Parts(ProcessStore store, JournalHost host, ToolRegistry registry,
            ToolDispatcher tools, ProcessSettings settings, SessionWork sessions, TimeSource time,
            RandomGenerator random) {}

    /** Makes an engine; the one who serves the host hands it the scopes of processes. */
    public ProcessEngine(Parts parts) {
        store = parts.store();
        host = parts.host();
        registry = parts.registry();
        tools = parts.tools();
        settings = parts.settings();
        sessions = parts.sessions();
        time = parts.time();
        random = parts.random();
    }

    /**
     * Where a process begins, as its scope was given it.
     *
     * @param id which
     * @param incarnation of its idempotency keys
     * @param start what it is to do
     */
    public record Beginning(ProcessId id, Incarnation incarnation, ProcessStart start) {

        public static Beginning of(ScopeInput input) {
            Json recorded = input.value();
            return RecordReader.read("beginning of a process", recorded, () -> {
                var id = new ProcessId(RecordReader.text(recorded, "process"));
                return new Beginning(id, Incarnation.parse(RecordReader.text(recorded, "incarnation")),
                        ProcessStart.of(id, RecordReader.field(recorded, "start")));
            });
        }
    }

    /** Whether a scope is for {@link #enter}. */
    public static boolean isProcess(EffectScope scope) {
        return ProcessScope.isProcess(scope.id());
    }

    /** Runs the call of a process that is given as data. */
    public ToolOutcome call(EffectScope scope, ScopeInput input) {
        return Objects.requireNonNull(live.get(scope.id()), "the process of a call runs here")
                .call(scope, input);
    }

    /** Runs a process. */
    public Json enter(EffectScope scope, ScopeInput input) {
        if (!ProcessScope.isProcess(input.kind())) {
            throw new BelayException("unknown_scope", "scope " + scope.id() + " is of kind " + input.kind()
                    + "; processes are of kind " + ProcessScope.KIND + ", so another program must serve it");
        }
        Beginning beginning = Beginning.of(input);
        try {
            ProcessEnd end = new ProcessEntry(this, scope, beginning).run();
            ClaimedScope.of(scope).endWith((claim, result, at) -> end(claim, beginning, end, at));
            return end.toJson();
        } finally {
            live.remove(scope.id());
        }
    }

    /** A call of this scope will be run by a dispatcher. */
    void runs(ScopeId scope, ToolDispatcher dispatcher) {
        live.put(scope, dispatcher);
    }

    private boolean end(Claim claim, Beginning beginning, ProcessEnd end, Instant at) {
        return ended(beginning.id(), beginning.start().work(), end, ending -> store.end(claim, ending, at));
    }

    /** Tells watchers until all of them know, then writes the end. */
    private boolean ended(ProcessId id, ProcessWork work, ProcessEnd end,
            Function<ProcessEnding, ProcessStore.Ended> write) {
        Json result = end.toJson();
        Set<String> told = new HashSet<>();
        while (true) {
            List<String> watchers = store.watchers(id);
            watchers.stream().filter(told::add).forEach(token -> host.resolve(token, Resolution.ok(result)));
            var ending = new ProcessEnding(id, result, ProcessNotice.of(id, work, end), watchers.size());
            switch (write.apply(ending)) {
                case DONE -> {
                    return true;
                }
                case FENCED -> {
                    return false;
                }
                case WATCHED -> {
                    // somebody came to watch meanwhile
                }
            }
        }
    }

    /** Starts a process, or finds the one that was started before. */
    public DurableProcess start(ProcessStart start) {
        if (start.work() instanceof ProcessWork.Body(String name, Json input)) {
            body(name);
        }
        Json content = start.content();
        ProcessId given = start.id();
        ProcessId id = given == null ? new ProcessId(Incarnation.random(random).toString()) : given;
        List<NewProcess.Grant> grants = start.grants().stream().map(this::grant).toList();
        var process = new NewProcess(id, Incarnation.random(random), ProcessStart.hash(content), content);
        switch (host.claiming(ProcessScope.id(id),
                () -> store.start(process, grants, host.hasRoom(), time.now()))) {
            case ProcessStore.Starting.Started(Claim claim) -> {
                if (claim != null) {
                    host.adopt(claim);
                }
            }
            case ProcessStore.Starting.Known known -> {
            }
            case ProcessStore.Starting.Conflict(ScopeInput recorded) -> throw new BelayException(
                    "input_conflict", "process " + id
                            + " was started before with another content; use another id, or the same content. Recorded: "
                            + RecordReader.field(recorded.value(), "start"));
        }
        return new DurableProcess(this, id, null);
    }

    private NewProcess.Grant grant(SessionId session) {
        return new NewProcess.Grant(session, Incarnation.random(random));
    }

    public void grant(ProcessId id, SessionId session) {
        if (!store.grant(id, grant(session), time.now())) {
            throw unknown(id);
        }
    }

    /** A body by its name; {@code unknown_process_body} if there is none. */
    ProcessBody body(String name) {
        ProcessBody body = settings.bodies().get(name);
        if (body == null) {
            throw new BelayException("unknown_process_body", "this runtime has no process body \"" + name
                    + "\"; it has " + new TreeSet<>(settings.bodies().keySet())
                    + ". Give it to the builder by process(…)");
        }
        return body;
    }

    public ProcessRow row(ProcessId id) {
        return store.process(id).orElseThrow(() -> unknown(id));
    }

    public ProcessInfo info(ProcessId id) {
        return ProcessInfo.of(row(id));
    }

    private static BelayException unknown(ProcessId id) {
        return new BelayException("unknown_process",
                "there is no process " + id + "; list(…) has those that there are");
    }

    /** Waits for the end, parked or not. */
    public ProcessEnd await(ProcessId id) throws InterruptedException {
        return ended(id, host.join(ProcessScope.id(id)).orElseThrow(() -> unknown(id)));
    }

    /** The same, but no longer than that; empty if it goes on. */
    public Optional<ProcessEnd> await(ProcessId id, Duration most) throws InterruptedException {
        return Optional.of(host.join(ProcessScope.id(id), most).orElseThrow(() -> unknown(id)))
                .filter(ScopeState::isSettled)
                .map(state -> ended(id, state));
    }

    private static ProcessEnd ended(ProcessId id, ScopeState state) {
        Json result = state.result();
        if (result == null) {
            throw new BelayException("process_stuck", "process " + id + " cannot go on by itself: "
                    + state.stuckBecause() + "; see stuck() of the processes, then retry it or abandon it");
        }
        return ProcessEnd.of(result);
    }

    /** Lets a wait be settled with the end of a process, at once if it has ended. */
    void watch(ProcessId id, String token) {
        if (!store.watch(id, token, time.now())) {
            Json result = row(id).scope().result();
            if (result != null) {
                host.resolve(token, Resolution.ok(result));
            }
        }
    }

    public boolean retry(ProcessId id) {
        return host.retry(ProcessScope.id(id));
    }

    public boolean abandon(ProcessId id, String reason) {
        ScopeState state = host.state(ProcessScope.id(id)).orElseThrow(() -> unknown(id));
        boolean done = state.status() == ScopeState.Status.STUCK
                && ended(id, info(id).work(), new ProcessEnd.Abandoned(reason),
                        ending -> store.abandon(ending, time.now()));
        if (done) {
            host.ended(state.id());
        }
        return done;
    }

    /** Adds an event to external work. */
    public void tell(ProcessId id, ProcessEvent.Draft event) {
        external(info(id));
        switch (store.tell(id, event, time.now())) {
            case ADDED, KNOWN -> {
            }
            case CONFLICT -> throw new BelayException("input_conflict", "process " + id
                    + " has an event of the key " + event.key() + " with another content; use another key");
            case ENDED -> throw over(id);
            case FENCED, UNKNOWN -> throw unknown(id);
        }
    }

    public static void external(ProcessInfo info) {
        if (!(info.work() instanceof ProcessWork.External)) {
            throw new BelayException("process_not_external", "process " + info.id() + " ("
                    + info.work().name()
                    + ") runs here: only external work is completed or told from outside");
        }
    }

    public static BelayException over(ProcessId id) {
        return new BelayException("process_ended",
                "process " + id + " has ended; nothing reaches it any more");
    }

    /** What a body may do with processes, in the name of a session. */
    public ProcessesCapability of(SessionId session, dev.belay.tool.ToolContext call) {
        return new CallProcesses(this, session, call);
    }

    public ProcessStore store() {
        return store;
    }

    public JournalHost host() {
        return host;
    }

    ToolRegistry registry() {
        return registry;
    }

    ToolDispatcher tools() {
        return tools;
    }

    ToolDispatcher bodies() {
        return settings.dispatcher();
    }

    SessionWork sessions() {
        return sessions;
    }

    Instant now() {
        return time.now();
    }
}
