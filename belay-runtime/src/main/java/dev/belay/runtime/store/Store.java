package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.check.StoreCheck;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.runtime.store.law.AuditRules;
import dev.belay.runtime.store.law.DecisionRules;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.runtime.store.law.KeepRules;
import dev.belay.runtime.store.law.PauseRules;
import dev.belay.runtime.store.law.ProcessRules;
import dev.belay.runtime.store.law.ProcessRules.Signalling;
import dev.belay.runtime.store.law.RecordRules;
import dev.belay.runtime.store.law.ScopeRules;
import dev.belay.runtime.store.law.Secrets;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.law.SessionRules;
import dev.belay.runtime.store.law.WorkTakers;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of scopes, sessions and processes. The rules ({@code dev.belay.runtime.store.law}) make operations, and this applies them:
 * {@code store.apply(store.scopes().claim(scope, now))}, {@code store.read(SessionReads.head(session))}.
 *
 * <ul>
 * <li>Every method may be called by many threads at once and blocks. An interrupt neither stops a write nor is lost: it is set
 * again when the method returns.
 * <li>A write is atomic, and durable when the method returns. It succeeds, is refused, or fails alone, also if it shares a
 * commit with others. Two writes of one thread are applied in their order.
 * <li>An owner is alive as long as its store is open in a process that lives. On PostgreSQL it has a lease.
 * <li>A {@link dev.belay.runtime.store.journal.JournalProbe} hears of each write that is applied, by its name; one write for each scope
 * that is taken.
 * <li>A large result is kept by content, once; so are attachments. Bytes are durable together with whatever refers to them.
 * <li>A session has at most one active turn. Turn n is accepted when n − 1 is the last one committed, and only its commit makes it the
 * last one. An arrival is in at most one turn. The cost of both does not grow with the number of turns or messages before.
 * <li>What fails is a {@link JournalException}; then either nothing was written, or all of it and the caller is told so by
 * looking it up.
 * </ul>
 *
 * Times are given by the caller; a store reads no clock, and keeps microseconds at least.
 */
public final class Store extends ForwardingCommits {

    /**
     * How long ago writes of this store ended.
     *
     * @param sinceGood the last one that was answered; null if none was
     * @param sinceFailed the last one that failed because of the store; null if none has
     */
    public record Writes(@Nullable Duration sinceGood, @Nullable Duration sinceFailed) {}

    /** Draws from a source of numbers, which need not be thread-safe. */
    private record Chance(RandomGenerator random, ReentrantLock lock) {

        Incarnation incarnation() {
            lock.lock();
            try {
                return Incarnation.random(random);
            } finally {
                lock.unlock();
            }
        }

        byte[] secret() {
            byte[] bytes = new byte[Secret.LENGTH];
            lock.lock();
            try {
                random.nextBytes(bytes);
            } finally {
                lock.unlock();
            }
            return bytes;
        }
    }

    /** When something happened last, by {@link System#nanoTime}. */
    private static final class Moment {

        private static final long NEVER = Long.MIN_VALUE;

        private final AtomicLong last = new AtomicLong(NEVER);

        void now() {
            last.set(System.nanoTime());
        }

        @Nullable
        Duration ago(long now) {
            long then = last.get();
            return then == NEVER ? null : Duration.ofNanos(Math.max(0, now - then));
        }
    }

    private final Chance chance;
    private final Secrets secrets;
    private final ScopeRules scopes;
    private final RecordRules records;
    private final SessionRules sessions;
    private final Moment good;
    private final Moment failed;

    /** A store on rows that keeps its secret in them, and makes one if they have none. */
    public Store(Commits commits, RandomGenerator random, boolean forgets) {
        this(commits, random, forgets, List.of());
    }

    /**
     * A store on rows.
     *
     * @param commits applies its writes
     * @param random makes incarnations and secrets; its numbers must be unpredictable
     * @param forgets whether the records of a scope go with its end
     * @param secrets from outside, which are not stored: the one that signs, then earlier ones whose keys stay known; empty for a
     *        secret that is kept in the rows
     * @throws dev.belay.BelayException {@code secret_unavailable} if a secret from outside signs, and none was given
     */
    public Store(Commits commits, RandomGenerator random, boolean forgets, List<byte[]> secrets) {
        this(commits, new Chance(random, new ReentrantLock()), forgets, new Secrets(secrets));
        apply(this.secrets.opening(chance.secret()));
    }

    /**
     * A store on rows that a runtime has made. Opening it writes nothing, and needs no secret before a key is checked or made. It takes
     * no scopes.
     */
    public static Store existing(Commits commits, RandomGenerator random, boolean forgets,
            List<byte[]> secrets) {
        var store = new Store(commits, new Chance(random, new ReentrantLock()), forgets,
                new Secrets(secrets));
        store.served().set(Set.of());
        return store;
    }

    private Store(Commits commits, Chance chance, boolean forgets, Secrets secrets) {
        super(commits);
        this.chance = chance;
        this.secrets = secrets;
        scopes = new ScopeRules(commits::owner, new ServedKinds(), forgets, chance::incarnation);
        records = new RecordRules(scopes);
        sessions = new SessionRules(scopes);
        good = new Moment();
        failed = new Moment();
    }

    private Store(Store other, Commits commits) {
        super(commits);
        chance = other.chance;
        secrets = other.secrets;
        scopes = other.scopes;
        records = other.records;
        sessions = other.sessions;
        good = other.good;
        failed = other.failed;
    }

    /** The same store by other commits, which go on to those that they are given. */
    public Store through(UnaryOperator<Commits> way) {
        return new Store(this, way.apply(commits));
    }

    /** The same store; each of its writes leaves this note, in its own commit, if it changes something. */
    public Store noting(AuditEntry.Note note, Instant at) {
        return through(way -> AuditRules.noting(way, note, at));
    }

    /** What writes decide about scopes and their waits. */
    public ScopeRules scopes() {
        return scopes;
    }

    /** What writes decide about records. */
    public RecordRules records() {
        return records;
    }

    /** What writes decide about sessions. */
    public SessionRules sessions() {
        return sessions;
    }

    /** What writes decide about processes. */
    public ProcessRules processes() {
        return new ProcessRules(scopes);
    }

    /** What writes decide about calls that may have happened. */
    public DoubtRules doubts() {
        return new DoubtRules(scopes);
    }

    /** What the decisions of persons lead to. */
    public DecisionRules decisions() {
        return new DecisionRules(scopes);
    }

    /** Looks for work, and takes it. */
    public WorkTakers work() {
        return new WorkTakers(this, scopes);
    }

    /** The scopes that this store takes by itself, and the pauses as far as they are known here. Not kept. */
    public ServedKinds served() {
        return scopes.served();
    }

    @Override
    public <T extends @Nullable Object> T apply(Operation<T> operation) {
        try {
            T answer = super.apply(operation);
            good.now();
            return answer;
        } catch (JournalException e) {
            throw failing(e);
        }
    }

    /** Begins to apply an operation, in the order of this thread's writes. */
    public <T extends @Nullable Object> Pending<T> begin(Operation<T> operation) {
        return submit(List.of(operation)).getFirst();
    }

    @Override
    public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
        List<Pending<T>> answers = new ArrayList<>(operations.size());
        super.submit(operations).forEach(answer -> answers.add(new Watched<>(answer)));
        return answers;
    }

    private JournalException failing(JournalException e) {
        if (e.retryable()) {
            failed.now();
        }
        return e;
    }

    private final class Watched<T extends @Nullable Object> implements Pending<T> {

        private final Pending<T> pending;

        Watched(Pending<T> pending) {
            this.pending = pending;
        }

        @Override
        public boolean isDone() {
            return pending.isDone();
        }

        @Override
        public T await() {
            try {
                T answer = pending.await();
                good.now();
                return answer;
            } catch (JournalException e) {
                throw failing(e);
            }
        }
    }

    /** How its last writes went. */
    public Writes writes() {
        long now = System.nanoTime();
        return new Writes(good.ago(now), failed.ago(now));
    }

    /** Reads the pauses again if they have changed; whether they have. */
    public boolean readPauses() {
        Pauses before = served().pauses();
        Pauses now = read(PauseRules.reading(before));
        if (now.version() != before.version()) {
            served().pause(now);
        }
        return now.version() != before.version();
    }

    /**
     * Settles the first wait for such signals that is not settled, as {@link ProcessRules#signal} says. What this costs does not grow with
     * the number of signals.
     *
     * @param take whether to own the scope at once if it becomes ready
     */
    public Signalling signal(ProcessId process, NewSignal signal, boolean take, Instant at) {
        Optional<Signalling> answer = Optional.empty();
        while (answer.isEmpty()) {
            answer = apply(processes().signal(process, signal, take, at));
        }
        return answer.get();
    }

    /** The ledger of a turn that was committed: one row for each of its calls, in the order of its rounds. */
    public List<Json> calls(SessionId session, long turn) {
        return read(SessionReads.end(session, turn)).filter(end -> end.calls() > 0)
                .map(end -> read(SessionReads.calls(session, end.firstCall(), end.calls())))
                .orElse(List.of());
    }

    /**
     * Keeps bytes by content for a keeper. The same bytes of the same type again change nothing, and are no write. A keeper is a
     * scope, which keeps until its records are deleted, or all scopes whose names begin alike, such as the turns of a session,
     * which keep until they are deleted.
     *
     * @param keeper the name of the claim's scope, or what it begins with up to a slash
     * @return false if it was fenced, and they are not kept
     */
    public boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at) {
        return read(KeepRules.isKept(keeper, bytes.reference()))
                || apply(new KeepRules(scopes).keep(claim, keeper, bytes, at));
    }

    /**
     * The next content that a keeper keeps, for one who reads all of them in the order of their names.
     *
     * @param after the name of the one before, which is its hash, a space and its media type; empty for the first
     */
    public Optional<KeptBytes> nextKept(String keeper, String after) {
        return read(KeepRules.nextKept(keeper, after)).flatMap(kept -> read(KeepRules.content(kept)));
    }

    /**
     * Deletes large results and attachments that no record refers to, that no keeper keeps, and that were last written before a
     * moment; how many. Holds up no other write for long, and is no write if there is nothing to delete.
     */
    public int collectOutputs(Instant before) {
        int all = 0;
        while (read(KeepRules.hasUnused(before))) {
            all += apply(KeepRules.collectUnused(before));
        }
        return all;
    }

    /**
     * Deletes the records of scopes that ended before a moment, and lets go of what these scopes themselves keep; how many of
     * both. The scopes, their waits and late results stay, and so does what scopes keep together. Holds up no other write for
     * long, and is no write if there are none to delete.
     */
    public int collectEffects(Instant endedBefore) {
        int all = 0;
        List<String> some = read(KeepRules.ended(endedBefore));
        while (!some.isEmpty()) {
            for (Pending<Integer> one : submit(some.stream().map(KeepRules::collectRecords).toList())) {
                all += one.await();
            }
            some = read(KeepRules.ended(endedBefore));
        }
        return all;
    }

    /** The secret that signs the keys of new scopes. */
    public Secret currentSecret() {
        return read(secrets.reading());
    }

    /** A secret, unless it was revoked. */
    public Optional<Secret> secret(long id) {
        return read(secrets.reading(id));
    }

    /**
     * Makes a new secret for scopes that are submitted from now on.
     *
     * @throws dev.belay.BelayException {@code secret_outside} if its secrets come from outside
     */
    public Secret rotateSecret() {
        return apply(secrets.rotate(chance.secret()));
    }

    /**
     * Makes every key that a secret signed unknown for good. If it is the current one, a new one is made in the same write. Scopes of
     * that secret sign their keys with the next one that was not revoked.
     */
    public void revokeSecret(long id) {
        apply(secrets.revoke(id, chance.secret()));
    }

    /**
     * Finds rows of the whole store, sessions included, that contradict each other or were damaged. Reads everything, also while others
     * write.
     *
     * @param most it ends when it has found so many
     */
    public List<Inconsistency> inconsistencies(int most) {
        List<Inconsistency> found = new ArrayList<>(alteredSchema());
        found.addAll(StoreCheck.of(this::read, most));
        return found.stream().limit(most).toList();
    }
}
