package dev.belay.runtime.store.law;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.check.StoreCheck;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The journal over rows: each write is one operation of the rules. Thread-safe. */
public final class LawfulJournal implements Journal {

    private final WatchedCommits commits;
    private final RandomGenerator random;
    private final ServedKinds served;
    private final ScopeRules rules;
    private final RecordRules records;
    private final KeepRules keeping;
    private final WorkTakers takers;
    private final Secrets secrets;
    private final ReentrantLock drawing;

    /** A journal on rows that keeps its secret in them, and makes one if they have none. */
    public LawfulJournal(Commits commits, RandomGenerator random, boolean forgets) {
        this(commits, random, forgets, List.of());
    }

    /**
     * A journal on rows.
     *
     * @param commits applies its writes
     * @param random makes incarnations and secrets; its numbers must be unpredictable
     * @param forgets whether the records of a scope go with its end
     * @param secrets from outside, which are not stored: the one that signs, then earlier ones whose keys stay known; empty for a
     *        secret that is kept in the rows
     * @throws dev.belay.BelayException {@code secret_unavailable} if a secret from outside signs, and none was given
     */
    public LawfulJournal(Commits commits, RandomGenerator random, boolean forgets, List<byte[]> secrets) {
        this(commits, random, forgets, new Secrets(secrets));
        this.commits.apply(this.secrets.opening(drawSecret()));
    }

    /**
     * A journal on rows that a runtime has made. Opening it writes nothing, and needs no secret before a key is checked or made. It takes
     * no scopes.
     */
    public static LawfulJournal existing(Commits commits, RandomGenerator random, boolean forgets,
            List<byte[]> secrets) {
        var journal = new LawfulJournal(commits, random, forgets, new Secrets(secrets));
        journal.serve(Set.of());
        return journal;
    }

    private LawfulJournal(Commits commits, RandomGenerator random, boolean forgets, Secrets secrets) {
        this.commits = new WatchedCommits(commits);
        this.random = random;
        drawing = new ReentrantLock();
        served = new ServedKinds();
        rules = new ScopeRules(commits::owner, served, forgets);
        records = new RecordRules(rules);
        keeping = new KeepRules(rules);
        takers = new WorkTakers(this.commits, rules);
        this.secrets = secrets;
    }

    private LawfulJournal(LawfulJournal other, Commits commits) {
        this.commits = new WatchedCommits(commits);
        random = other.random;
        drawing = other.drawing;
        served = other.served;
        rules = other.rules;
        records = other.records;
        keeping = other.keeping;
        takers = other.takers;
        secrets = other.secrets;
    }

    /** The same journal; each of its writes leaves a note if it changes something. */
    LawfulJournal noting(AuditEntry.Note note, Instant at) {
        return new LawfulJournal(this, new AuditRules.NotingCommits(commits, note, at));
    }

    ScopeRules rules() {
        return rules;
    }

    <T extends @Nullable Object> T apply(Operation<T> operation) {
        return commits.apply(operation);
    }

    <T extends @Nullable Object> T read(Operation<T> operation) {
        return commits.read(operation);
    }

    String address() {
        return commits.address();
    }

    /** Draws from the source of chance, which need not be thread-safe. */
    Incarnation drawIncarnation() {
        drawing.lock();
        try {
            return Incarnation.random(random);
        } finally {
            drawing.unlock();
        }
    }

    private byte[] drawSecret() {
        byte[] bytes = new byte[Secret.LENGTH];
        drawing.lock();
        try {
            random.nextBytes(bytes);
        } finally {
            drawing.unlock();
        }
        return bytes;
    }

    @Override
    public String owner() {
        return commits.owner();
    }

    @Override
    public Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        return apply(rules.submit(scope, input, take, drawIncarnation(), at));
    }

    @Override
    public void serve(Set<String> kinds) {
        served.set(kinds);
    }

    @Override
    public void limit(Map<String, Long> sessions) {
        served.limit(sessions);
    }

    @Override
    public boolean serves(ScopeInput scope) {
        return served.serves(scope);
    }

    @Override
    public Set<String> served() {
        return Objects.requireNonNullElse(served.get(), Set.of());
    }

    @Override
    public Writes writes() {
        return commits.writes();
    }

    @Override
    public Optional<Instant> readySince() {
        return takers.readySince();
    }

    @Override
    public Optional<Claim> claim(ScopeId scope, Instant at) {
        return apply(rules.claim(scope, at));
    }

    @Override
    public List<Claim> takeReady(int most, int limit, Instant at) {
        return takers.ready(most, limit, at);
    }

    @Override
    public List<Claim> takeDue(int most, Instant now) {
        return takers.due(most, now);
    }

    @Override
    public Optional<Instant> nextDue() {
        return takers.nextDue();
    }

    @Override
    public Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at) {
        return apply(rules.reenter(claim, limit, fault, at));
    }

    @Override
    public void giveBack(Claim claim, Instant at) {
        apply(rules.giveBack(claim, at));
    }

    @Override
    public List<EffectRow> effects(ScopeId scope) {
        return read(ScopeReads.effects(scope.value()));
    }

    @Override
    public Written write(Claim claim, EffectWrite write) {
        return apply(records.write(claim, write));
    }

    @Override
    public Pending<Written> writing(Claim claim, EffectWrite write) {
        return commits.submit(List.of(records.write(claim, write))).getFirst();
    }

    @Override
    public Written take(Claim claim, String resource, String key, Instant at) {
        return apply(records.hold(claim, resource, key));
    }

    @Override
    public void release(String resource, ScopeId scope, String key) {
        apply(records.release(resource, scope, key));
    }

    @Override
    public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at) {
        return apply(rules.park(claim, Set.of(), waits, known, cancelSeen, wakeAt, at));
    }

    @Override
    public Parking hold(Claim claim, Set<String> by, List<OpenWait> waits, Set<WaitName> known,
            boolean cancelSeen, @Nullable Instant wakeAt, Instant at) {
        return apply(rules.park(claim, by, waits, known, cancelSeen, wakeAt, at));
    }

    @Override
    public boolean awaits(Claim claim, @Nullable Awaiting why) {
        return apply(rules.awaits(claim, why));
    }

    @Override
    public Pauses pauses() {
        return served.pauses();
    }

    @Override
    public boolean readPauses() {
        Pauses before = served.pauses();
        Pauses now = read(PauseRules.reading(before));
        if (now.version() != before.version()) {
            served.pause(now);
        }
        return now.version() != before.version();
    }

    @Override
    public boolean end(Claim claim, Json result, Instant at) {
        return apply(rules.end(claim, result, at));
    }

    @Override
    public boolean stick(Claim claim, String reason, Instant at) {
        return apply(rules.stick(claim, reason, at));
    }

    @Override
    public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
            boolean take, Instant at) {
        return apply(rules.resolve(scope, incarnation, name, value, take, at));
    }

    @Override
    public Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at) {
        return apply(rules.cancel(scope, reason, take, at));
    }

    @Override
    public void late(ScopeId scope, String key, Json result, Instant at) {
        apply(records.late(scope, key, result, at));
    }

    @Override
    public List<LateResult> lateResults(ScopeId scope) {
        return read(ScopeReads.lateResults(scope.value()));
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return read(ScopeReads.state(scope.value()));
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return read(ScopeReads.waits(scope.value()));
    }

    @Override
    public boolean issue(Claim claim, WaitName wait, Json schema, Instant at) {
        return apply(records.issue(claim, wait, schema));
    }

    @Override
    public Optional<Json> schema(ScopeId scope, Incarnation incarnation, WaitName wait) {
        return read(ScopeReads.schema(scope, incarnation, wait));
    }

    @Override
    public Map<String, Instant> readyKinds() {
        return takers.waiting();
    }

    @Override
    public List<ScopeState> stuck() {
        return read(ScopeReads.stuck());
    }

    @Override
    public boolean retry(ScopeId scope, Instant at) {
        return apply(rules.retry(scope, at));
    }

    @Override
    public boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts, Instant at) {
        return apply(rules.abandon(scope, result, doubts, at));
    }

    @Override
    public boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at) {
        return read(KeepRules.isKept(keeper, bytes.reference()))
                || apply(keeping.keep(claim, keeper, bytes, at));
    }

    @Override
    public Optional<byte[]> kept(String keeper, Attachments.Reference reference) {
        return read(KeepRules.kept(keeper, reference));
    }

    @Override
    public Optional<KeptBytes> nextKept(String keeper, String after) {
        return read(KeepRules.nextKept(keeper, after))
                .flatMap(kept -> read(KeepRules.content(kept)));
    }

    @Override
    public long version() {
        return commits.version();
    }

    @Override
    public Others others() {
        return commits.others();
    }

    @Override
    public boolean isAlive(String owner) {
        return read(Operation.reading(rows -> {}, unit -> unit.isAlive(owner)));
    }

    @Override
    public Secret currentSecret() {
        return read(secrets.reading());
    }

    @Override
    public Optional<Secret> secret(long id) {
        return read(secrets.reading(id));
    }

    @Override
    public Secret rotateSecret() {
        return apply(secrets.rotate(drawSecret()));
    }

    @Override
    public void revokeSecret(long id) {
        apply(secrets.revoke(id, drawSecret()));
    }

    @Override
    public int collectOutputs(Instant before) {
        int all = 0;
        while (read(KeepRules.hasUnused(before))) {
            all += apply(KeepRules.collectUnused(before));
        }
        return all;
    }

    @Override
    public int collectEffects(Instant endedBefore) {
        int all = 0;
        List<String> some = read(KeepRules.ended(endedBefore));
        while (!some.isEmpty()) {
            for (Pending<Integer> one : commits
                    .submit(some.stream().map(KeepRules::collectRecords).toList())) {
                all += one.await();
            }
            some = read(KeepRules.ended(endedBefore));
        }
        return all;
    }

    @Override
    public List<Inconsistency> inconsistencies(int most) {
        List<Inconsistency> found = new ArrayList<>(commits.alteredSchema());
        found.addAll(StoreCheck.of(this::read, most));
        return found.stream().limit(most).toList();
    }

    @Override
    public void fail(JournalException why) {
        commits.fail(why);
    }

    @Override
    public void close() {
        commits.close();
    }
}
