package dev.belay.runtime.effect.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.LateResult;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.effect.scope.BestEffortWrites;
import dev.belay.runtime.effect.scope.CompletionKeys;
import dev.belay.runtime.effect.scope.HostThreads;
import dev.belay.runtime.effect.scope.JsonDifference;
import dev.belay.runtime.effect.scope.LiveScope;
import dev.belay.runtime.effect.scope.ResourceQueues;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.Submission;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The effect boundary over a {@link Journal}: in memory, in a file, in a database. The same code for all of them.
 *
 * <p>Concurrency: each claimed scope has threads of its own ({@link LiveScope}); this class only starts them, hands settlements
 * and cancellations to those that are live; {@link WorkFinder} looks for scopes that have work.
 *
 * <p>Durability: whatever must survive is written by the journal before a method here returns.
 *
 * <p>Recovery: {@link #serve} takes what is ready and what dead owners left. Parked scopes are not read.
 */
public final class JournalEffectHost implements JournalHost {

    /** How long work that runs at {@link #close} has to end by itself. */
    public static final Duration CLOSE_GRACE = Duration.ofSeconds(1);

    private final Journal journal;
    private final HostOptions options;
    private final CompletionKeys keys;
    private final WorkFinder finder;
    private final ResourceQueues queues = new ResourceQueues();
    private final BestEffortWrites leftovers;
    private final Map<ScopeId, LiveScope> live = new ConcurrentHashMap<>();
    private final Set<ResourceQueues.Ticket.Holder> bodies = ConcurrentHashMap.newKeySet();
    private final HostThreads threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Joiners joiners = new Joiners(this);
    private final ScopeNotifier news = new ScopeNotifier(this);
    private final LostClaims lost = new LostClaims(this);
    private volatile @Nullable ScopeRunner runner;
    private volatile boolean closing;
    private volatile boolean closed;

    private JournalEffectHost(Journal journal, HostOptions options) {
        this.journal = journal;
        this.options = options;
        this.threads = new HostThreads(options.threads());
        this.keys = new CompletionKeys(journal);
        this.leftovers = new BestEffortWrites(this);
        this.finder = new WorkFinder(this, journal, options, joiners, lost);
    }

    /** A host over a journal, which it closes with itself. */
    public static JournalEffectHost open(Journal journal) {
        return open(journal, HostOptions.DEFAULT);
    }

    /** A host over a journal, which it closes with itself. */
    public static JournalEffectHost open(Journal journal, HostOptions options) {
        return new JournalEffectHost(journal, options);
    }

    @Override
    public void serve(ScopeRunner newRunner) {
        lock.lock();
        try {
            if (runner != null) {
                throw new IllegalStateException("this host serves a runner already");
            }
            runner = newRunner;
        } finally {
            lock.unlock();
        }
        finder.start();
    }

    @Override
    public void serve(ScopeRunner newRunner, Set<String> kinds) {
        journal.serve(kinds);
        serve(newRunner);
    }

    @Override
    public void serve(Set<String> kinds) {
        journal.serve(kinds);
        if (isServing()) {
            spawn(finder::takeReady);
        }
    }

    @Override
    public Optional<Claim> claim(ScopeId scope) {
        if (closing) {
            throw JournalException.closed();
        }
        return claiming(scope, () -> journal.claim(scope, time().now()));
    }

    @Override
    public void giveBack(Claim claim) {
        journal.giveBack(claim, time().now());
    }

    /** A body has ended that an earlier claim of its scope has started: the present one may wait for it. */
    public void bodyEnded(LiveScope under) {
        LiveScope now = live.get(under.claim().scope());
        if (now != null && now != under) {
            now.memory().signal();
        }
    }

    @Override
    public void resume(Claim claim) {
        begin(claim, false);
    }

    @Override
    public void submit(ScopeId scope, ScopeInput input) {
        switch (claiming(scope, () -> journal.submit(scope, input, hasRoom(), time().now()))) {
            case Submission.Created(var claim) -> {
                if (claim != null) {
                    begin(claim, true);
                }
            }
            case Submission.Known known -> {
            }
            case Submission.Conflict(ScopeInput recorded) -> throw new BelayException("input_conflict",
                    "scope " + scope
                            + " was submitted before with another input; use another id, or the same input. "
                            + JsonDifference.between(recorded.value(), input.value())
                                    .orElse("The kinds differ: recorded " + recorded.kind() + ", now "
                                            + input.kind()));
        }
    }

    @Override
    public <T> T claiming(ScopeId scope, Supplier<T> write) {
        return lost.noting(scope, () -> Optional.of(scope), write);
    }

    @Override
    public <T> T claiming(Object whose, Supplier<Optional<ScopeId>> scope, Supplier<T> write) {
        return lost.noting(whose, scope, write);
    }

    @Override
    public void adopt(Claim claim) {
        begin(claim, claim.entries() == 1);
    }

    @Override
    public void ended(ScopeId scope) {
        joiners.ring(scope);
    }

    @Override
    public boolean hasRoom() {
        return runner != null && !closing && live.size() < options.maxLive();
    }

    @Override
    public Delivery resolve(CompletionKey key, Resolution value) {
        return resolve(key.token(), value);
    }

    @Override
    public Delivery resolve(String token, Resolution value) {
        Objects.requireNonNull(value, "value");
        return keys.check(token)
                .map(named -> resolve(named.scope(), named.incarnation(), named.name(), value))
                .orElseGet(Delivery.Unknown::new);
    }

    @Override
    public Delivery resolve(ScopeId of, Incarnation incarnation, WaitName name, Resolution value) {
        return news.resolve(of, incarnation, name, value);
    }

    @Override
    public void settled(ScopeId of, WaitName name, Resolution value, @Nullable Claim woken) {
        news.settled(of, name, value, woken);
    }

    @Override
    public CancelReceipt cancel(ScopeId scope, String reason) {
        return news.cancel(scope, reason);
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return journal.state(scope);
    }

    @Override
    public Optional<ScopeState> join(ScopeId scope) throws InterruptedException {
        return joiners.join(scope);
    }

    @Override
    public Optional<ScopeState> join(ScopeId scope, Duration most) throws InterruptedException {
        return joiners.join(scope, most);
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return journal.waits(scope);
    }

    @Override
    public List<LateResult> lateResults(ScopeId scope) {
        return journal.lateResults(scope);
    }

    @Override
    public List<ScopeState> stuck() {
        return journal.stuck();
    }

    @Override
    public boolean retry(ScopeId scope) {
        boolean done = journal.retry(scope, time().now());
        finder.takeReady();
        return done;
    }

    @Override
    public boolean abandon(ScopeId scope, Json result) {
        boolean done = journal.abandon(scope, result, time().now());
        joiners.ring(scope);
        return done;
    }

    /**
     * Stops entering scopes. Work that runs has {@link #CLOSE_GRACE} to end and be recorded; then it is interrupted, and goes on
     * elsewhere or when the journal is opened again. That is not held against a scope: it is given back as if it had not been
     * entered, so that it does not become stuck by restarts.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
        } finally {
            lock.unlock();
        }
        finder.stop();
        ScopeRunner served = runner;
        if (served != null) {
            served.closing();
        }
        try {
            live.values().forEach(scope -> scope.memory().signal());
            threads.awaitAll(CLOSE_GRACE);
            closed = true;
            live.values().forEach(LiveScope::interrupt);
            threads.awaitAll(CLOSE_GRACE);
            ScopeGivers.giveBack(live.values(), threads);
        } finally {
            closed = true;
            joiners.ringAll();
            journal.close();
        }
    }

    /** Starts a scope that was claimed. */
    void begin(Claim claim, boolean fresh) {
        var scope = new LiveScope(this, claim, fresh);
        live.put(claim.scope(), scope);
        spawn(scope::enter);
    }

    public ScopeNotifier news() {
        return news;
    }

    @Override
    public void spawn(Runnable task) {
        threads.start(task);
    }

    public Joiners joiners() {
        return joiners;
    }

    /** A scope is over for this process: ended, parked, stuck or lost. */
    public void left(LiveScope scope) {
        live.remove(scope.claim().scope(), scope);
        joiners.ring(scope.claim().scope());
        runner().left(scope.claim().scope(), scope.claim().fence());
        if (!closing && live.size() == options.maxLive() - 1) {
            spawn(finder::takeReady);
        }
    }

    /** A scope was parked; it may be the next to wake. */
    public void parked() {
        finder.rearm();
    }

    @Nullable
    LiveScope live(ScopeId scope) {
        return live.get(scope);
    }

    /** How many more scopes may be entered. */
    int room() {
        return options.maxLive() - live.size();
    }

    boolean hasRunner() {
        return runner != null;
    }

    boolean isServing() {
        return runner != null && !closing;
    }

    /** Another process wrote something: it may have settled, cancelled or ended what is waited for here. */
    void othersWrote() {
        try {
            live.values().forEach(scope -> scope.memory().refresh());
        } finally {
            joiners.ringAll();
        }
    }

    /** Writes that nobody waits for. */
    public BestEffortWrites leftovers() {
        return leftovers;
    }

    public ScopeRunner runner() {
        ScopeRunner served = runner;
        if (served == null) {
            throw new IllegalStateException("nobody serves this host");
        }
        return served;
    }

    public Journal journal() {
        return journal;
    }

    public TimeSource time() {
        return options.time();
    }

    public CompletionKeys keys() {
        return keys;
    }

    public ResourceQueues queues() {
        return queues;
    }

    /** Effects whose work runs in this process, whichever entry started it. */
    public Set<ResourceQueues.Ticket.Holder> bodies() {
        return bodies;
    }

    public HostOptions options() {
        return options;
    }

    @Override
    public boolean isClosing() {
        return closing;
    }

    public boolean isClosed() {
        return closed;
    }
}
