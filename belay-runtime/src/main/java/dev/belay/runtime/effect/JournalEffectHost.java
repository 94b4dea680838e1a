package dev.belay.runtime.effect;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Journal.Claim;
import dev.belay.runtime.effect.Journal.Settlement;
import dev.belay.runtime.effect.Journal.Submission;
import dev.belay.tool.CompletionKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
public final class JournalEffectHost implements EffectHost {

    /** How long a scope may hold its thread while it waits. */
    public static final Duration PARK_AFTER = Duration.ofSeconds(1);
    /** How often work of other processes is looked for. */
    public static final Duration POLL_EVERY = Duration.ofMillis(200);
    /** Entries without a new record before a scope is stuck. */
    public static final int ENTRY_LIMIT = 5;
    /** How long work that runs at {@link #close} has to end by itself. */
    public static final Duration CLOSE_GRACE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    private final Journal journal;
    private final Options options;
    private final CompletionKeys keys;
    private final WorkFinder finder;
    private final ResourceQueues queues = new ResourceQueues();
    private final Map<ScopeId, LiveScope> live = new ConcurrentHashMap<>();
    private final Set<ResourceQueues.Ticket.Holder> bodies = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Joiners joiners = new Joiners();
    private volatile @Nullable ScopeRunner runner;
    private volatile boolean closing;
    private volatile boolean closed;

    /**
     * What a host is made with.
     *
     * @param time clock and alarms
     * @param threads makes the threads of scopes; virtual ones by default
     * @param parkAfter how long a scope may hold its thread while it waits; zero parks at once, everywhere
     * @param pollEvery how often work of other processes is looked for
     * @param entryLimit entries without a new record before a scope is stuck
     * @param maxLive scopes that are entered at once; more wait in the store
     */
    public record Options(TimeSource time, ThreadFactory threads, Duration parkAfter, Duration pollEvery,
            int entryLimit,
            int maxLive) {

        /** What is right for most programs. */
        public static final Options DEFAULT = new Options(TimeSource.system(), Thread.ofVirtual().factory(),
                PARK_AFTER,
                POLL_EVERY, ENTRY_LIMIT, 100_000);

        /** Refuses what makes no sense. */
        public Options {
            if (parkAfter.isNegative() || pollEvery.isNegative() || pollEvery.isZero() || entryLimit < 1
                    || maxLive < 1) {
                throw new IllegalArgumentException(
                        "parkAfter must not be negative, the others must be positive, found "
                                + parkAfter + ", " + pollEvery + ", " + entryLimit + ", " + maxLive);
            }
        }

        /** The same with another time. */
        public Options withTime(TimeSource other) {
            return new Options(other, threads, parkAfter, pollEvery, entryLimit, maxLive);
        }

        /** The same with other threads. */
        public Options withThreads(ThreadFactory other) {
            return new Options(time, other, parkAfter, pollEvery, entryLimit, maxLive);
        }

        /** The same with another time to hold a thread. */
        public Options withParkAfter(Duration other) {
            return new Options(time, threads, other, pollEvery, entryLimit, maxLive);
        }

        /** The same with another limit of scopes. */
        public Options withMaxLive(int other) {
            return new Options(time, threads, parkAfter, pollEvery, entryLimit, other);
        }
    }

    private JournalEffectHost(Journal journal, Options options) {
        this.journal = journal;
        this.options = options;
        this.keys = new CompletionKeys(journal);
        this.finder = new WorkFinder(this, journal, options);
    }

    /** A host over a journal, which it closes with itself. */
    public static JournalEffectHost open(Journal journal) {
        return open(journal, Options.DEFAULT);
    }

    /** A host over a journal, which it closes with itself. */
    public static JournalEffectHost open(Journal journal, Options options) {
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
    public void submit(ScopeId scope, ScopeInput input) {
        boolean take = runner != null && live.size() < options.maxLive();
        switch (journal.submit(scope, input, take, time().now())) {
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
    public Delivery resolve(CompletionKey key, Resolution value) {
        return resolve(key.token(), value);
    }

    @Override
    public Delivery resolve(String token, Resolution value) {
        CompletionKeys.Named named = keys.check(token).orElse(null);
        if (named == null) {
            return new Delivery.Unknown();
        }
        return switch (journal.resolve(named.scope(), named.incarnation(), named.name(), value,
                runner != null,
                time().now())) {
            case Settlement.Accepted(var woken) -> {
                tell(named.scope(), woken, scope -> scope.memory().settled(named.name(), value));
                yield new Delivery.Accepted();
            }
            case Settlement.Lost(Resolution winner) -> OutcomeJson.of(winner).equals(OutcomeJson.of(value))
                    ? new Delivery.Same()
                    : new Delivery.Lost(winner);
            case Settlement.Unknown unknown -> new Delivery.Unknown();
        };
    }

    @Override
    public CancelReceipt cancel(ScopeId scope, String reason) {
        Journal.Cancelling cancelling = journal.cancel(scope, reason, runner != null, time().now());
        if (cancelling.receipt() instanceof CancelReceipt.Requested) {
            tell(scope, cancelling.woken(), found -> found.memory().cancelled(reason));
        }
        return cancelling.receipt();
    }

    /** Starts a scope that a write has woken, or tells the one that is live. */
    private void tell(ScopeId scope, @Nullable Claim woken, Consumer<LiveScope> news) {
        if (woken != null) {
            begin(woken, false);
        } else {
            LiveScope found = live.get(scope);
            if (found != null) {
                news.accept(found);
            }
        }
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return journal.state(scope);
    }

    @Override
    public Optional<ScopeState> join(ScopeId scope) throws InterruptedException {
        return joiners.join(scope, () -> {
            Optional<ScopeState> state = journal.state(scope);
            if (closed && state.filter(ScopeState::isSettled).isEmpty()) {
                throw JournalException.closed();
            }
            return state;
        });
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
     * elsewhere or when the journal is opened again.
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
        try {
            live.values().forEach(scope -> scope.memory().signal());
            awaitThreads();
            closed = true;
            live.values().forEach(LiveScope::interrupt);
            awaitThreads();
        } finally {
            closed = true;
            joiners.ringAll();
            journal.close();
        }
    }

    /** Real time, also in tests: nobody moves a clock while a host closes. */
    private void awaitThreads() {
        long end = System.nanoTime() + CLOSE_GRACE.toNanos();
        boolean interrupted = false;
        for (Thread thread : threads) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                if (!thread.equals(Thread.currentThread())) {
                    thread.join(Duration.ofNanos(left));
                }
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts a scope that was claimed. */
    void begin(Claim claim, boolean fresh) {
        var scope = new LiveScope(this, claim, fresh);
        live.put(claim.scope(), scope);
        start(scope);
    }

    void start(LiveScope scope) {
        spawn(scope::enter);
    }

    void spawn(Runnable task) {
        Thread thread = options.threads().newThread(() -> {
            try {
                task.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** A scope is over for this process: ended, parked, stuck or lost. */
    void left(LiveScope scope) {
        live.remove(scope.claim().scope(), scope);
        joiners.ring(scope.claim().scope());
        if (!closing && live.size() == options.maxLive() - 1) {
            spawn(finder::takeReady);
        }
    }

    /** A scope was parked; it may be the next to wake. */
    void parked() {
        finder.rearm();
    }

    /** How many more scopes may be entered. */
    int room() {
        return options.maxLive() - live.size();
    }

    boolean isServing() {
        return runner != null && !closing;
    }

    /** Another process wrote something: it may have settled, cancelled or ended what is waited for here. */
    void othersWrote() {
        live.values().forEach(scope -> scope.memory().refresh());
        joiners.ringAll();
    }

    Consumer<Json> lateSink(ScopeId scope, String key) {
        return result -> {
            try {
                journal.late(scope, key, result, time().now());
            } catch (JournalException e) {
                LOG.warn("A late result of effect {} in scope {} could not be kept: {}", key, scope, result,
                        e);
            }
        };
    }

    void release(String resource, ScopeId scope, String key) {
        try {
            journal.release(resource, scope, key);
        } catch (JournalException e) {
            LOG.warn("Resource {} could not be released in the store", resource, e);
        }
    }

    /** Holds this thread for a time, or until the host closes. */
    void pause(Duration duration) {
        var done = new java.util.concurrent.CountDownLatch(1);
        TimeSource.Alarm alarm = time().after(duration, done::countDown);
        try {
            done.await();
        } catch (InterruptedException e) {
            alarm.cancel();
            Thread.currentThread().interrupt();
        }
    }

    ScopeRunner runner() {
        ScopeRunner served = runner;
        if (served == null) {
            throw new IllegalStateException("nobody serves this host");
        }
        return served;
    }

    Journal journal() {
        return journal;
    }

    TimeSource time() {
        return options.time();
    }

    CompletionKeys keys() {
        return keys;
    }

    ResourceQueues queues() {
        return queues;
    }

    /** Effects whose work runs in this process, whichever entry started it. */
    Set<ResourceQueues.Ticket.Holder> bodies() {
        return bodies;
    }

    Duration parkAfter() {
        return options.parkAfter();
    }

    Duration pollEvery() {
        return options.pollEvery();
    }

    int entryLimit() {
        return options.entryLimit();
    }

    boolean isClosing() {
        return closing;
    }

    boolean isClosed() {
        return closed;
    }
}
