package dev.belay.store.jdbc;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.Writing;
import dev.belay.store.jdbc.file.GroupWriter;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.store.jdbc.file.Write;
import dev.belay.store.jdbc.sqlite.OpenFile;
import dev.belay.store.jdbc.sqlite.RecordedText;
import dev.belay.store.jdbc.sqlite.ScopeWrites;
import dev.belay.store.jdbc.sqlite.SqliteAttachments;
import dev.belay.store.jdbc.sqlite.SqliteCollector;
import dev.belay.store.jdbc.sqlite.SqliteEffects;
import dev.belay.store.jdbc.sqlite.SqliteLate;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.store.jdbc.sqlite.SqliteResources;
import dev.belay.store.jdbc.sqlite.SqliteScopes;
import dev.belay.store.jdbc.sqlite.SqliteScopes.Raw;
import dev.belay.store.jdbc.sqlite.SqliteSecrets;
import dev.belay.store.jdbc.sqlite.SqliteWaits;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in one SQLite file. A write is on disk when its method returns; several processes of one machine may open the same
 * file. Thread-safe.
 *
 * <p>Concurrency: one thread writes, and concurrent writes share a commit; two others read. Callers render JSON before and parse
 * it after, so that these threads only use the database.
 *
 * <p>Durability: write-ahead log with full synchronisation. Recovery: a dead owner is recognised by its free lock
 * ({@code OwnerLock}), and the next journal that looks for work claims its scopes.
 */
public final class SqliteJournal implements Journal {

    private final OpenFile store;
    private final ScopeWrites writes;
    private final SqliteCollector collector;

    private SqliteJournal(OpenFile store) {
        this.store = store;
        writes = store.writes();
        collector = new SqliteCollector(store);
    }

    /**
     * Opens a file, or creates one.
     *
     * @throws dev.belay.BelayException {@code journal_unusable} if the place cannot hold a journal, {@code journal_newer} if a
     *         later version wrote it, {@code journal_altered} if a migration with another text created it,
     *         {@code journal_unavailable} if it cannot be opened now
     */
    public static SqliteJournal open(Path file) {
        return open(file, SqliteOptions.STANDARD);
    }

    /** Opens a file, or creates one, with options. */
    public static SqliteJournal open(Path file, SqliteOptions options) {
        return new SqliteJournal(OpenFile.open(file, options, GroupWriter.COMMIT));
    }

    /** Opens one whose commits are made by the given code. */
    static SqliteJournal open(Path file, SqliteOptions options, GroupWriter.Commit commit) {
        return new SqliteJournal(OpenFile.open(file, options, commit));
    }

    public OpenFile store() {
        return store;
    }

    @Override
    public String owner() {
        return writes.owner();
    }

    @Override
    public Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        String value = input.value().text();
        String hash = input.hash();
        Incarnation incarnation = store.draw(Incarnation::random);
        String now = Moments.text(at);
        var submitted = store.write("submit " + scope, value.length(), db -> writes.submit(db,
                scope.value(), input, value, hash, take, incarnation, now));
        if (submitted.created()) {
            return new Submission.Created(claim(submitted.scope()));
        }
        Raw recorded = submitted.scope();
        return recorded == null ? new Submission.Known() : new Submission.Conflict(recorded.scopeInput());
    }

    @Override
    public void serve(Set<String> kinds) {
        writes.served().set(kinds);
    }

    @Override
    public Optional<Claim> claim(ScopeId scope, Instant at) {
        String now = Moments.text(at);
        return Optional.ofNullable(claim(store.write("take " + scope, 0,
                db -> writes.claim(db, scope.value(), now))));
    }

    @Override
    public List<Claim> takeReady(int most, int limit, Instant at) {
        return store.takers().ready(most, limit, Moments.text(at));
    }

    @Override
    public List<Claim> takeDue(int most, Instant now) {
        return store.takers().due(most, Moments.text(now));
    }

    @Override
    public Optional<Instant> nextDue() {
        String earliest = store.read(db -> {
            String wait = SqliteWaits.nextDue(db);
            String wake = SqliteScopes.nextWake(db);
            return wait == null || (wake != null && wake.compareTo(wait) < 0) ? wake : wait;
        });
        return Optional.ofNullable(Moments.nullableInstant(earliest));
    }

    @Override
    public Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at) {
        String now = Moments.text(at);
        return Optional.ofNullable(claim(store.write("reenter " + claim.scope(), 0,
                db -> writes.reenter(db, claim, limit, fault, now))));
    }

    @Override
    public void giveBack(Claim claim, Instant at) {
        String now = Moments.text(at);
        store.write("give-back " + claim.scope(), 0, db -> writes.giveBack(db, claim, now));
    }

    @Override
    public List<EffectRow> effects(ScopeId scope) {
        return store.read(db -> SqliteEffects.list(db, scope.value()))
                .stream()
                .map(SqliteEffects.Raw::row)
                .toList();
    }

    @Override
    public Written write(Claim claim, EffectWrite write) {
        return writing(claim, write).await();
    }

    @Override
    public Writing writing(Claim claim, EffectWrite write) {
        EffectRow row = write.row();
        Json result = row.result();
        var rendered = SqliteEffects.Rendered.of(write,
                result == null ? Stored.NOTHING : stored(result, write.at()));
        var asked = Write.guarded("effect " + row.key() + " " + row.status(), rendered.size(),
                db -> writes.writeAtOnce(db, claim, rendered), db -> writes.write(db, claim, rendered));
        store.put(List.of(asked));
        return new Writing() {

            @Override
            public boolean isDone() {
                return asked.isGiven();
            }

            @Override
            public Written await() {
                return asked.await();
            }
        };
    }

    @Override
    public Written take(Claim claim, String resource, String key, Instant at) {
        return store.write("hold " + resource, 0, db -> writes.hold(db, claim, resource, key));
    }

    @Override
    public void release(String resource, ScopeId scope, String key) {
        store.write("release " + resource, 0, db -> {
            SqliteResources.release(db, resource, owner(), scope.value(), key);
            return true;
        });
    }

    @Override
    public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at) {
        Set<String> names = new TreeSet<>();
        known.forEach(name -> names.add(name.value()));
        waits.forEach(wait -> names.add(wait.name().value()));
        String json = Json.array(names.stream().map(Json::string).toList()).text();
        List<OpenWait> opened = List.copyOf(waits);
        String wake = Moments.nullableText(wakeAt);
        String now = Moments.text(at);
        return store.write("park " + claim.scope(), json.length(),
                db -> writes.park(db, claim, opened, json, cancelSeen, wake, now));
    }

    @Override
    public boolean end(Claim claim, Json result, Instant at) {
        Stored stored = stored(result, at);
        String now = Moments.text(at);
        return store.write("end " + claim.scope(), stored.size(),
                db -> writes.end(db, claim, stored, now));
    }

    @Override
    public boolean stick(Claim claim, String reason, Instant at) {
        String now = Moments.text(at);
        return store.write("stick " + claim.scope(), reason.length(),
                db -> writes.stick(db, claim, reason, now));
    }

    @Override
    public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
            boolean take, Instant at) {
        String resolution = OutcomeJson.of(value).text();
        String now = Moments.text(at);
        var settled = store.write("resolve " + name, resolution.length(), db -> writes.resolve(db,
                scope.value(), incarnation, name.value(), resolution, take, now));
        if (!settled.known()) {
            return new Settlement.Unknown();
        }
        String winner = settled.winner();
        return winner == null
                ? new Settlement.Accepted(claim(settled.woken()))
                : new Settlement.Lost(RecordedText.resolution(winner));
    }

    @Override
    public Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at) {
        String resolution = ScopeWrites.cancelled(reason);
        String now = Moments.text(at);
        var cancelled = store.write("cancel " + scope, resolution.length(),
                db -> writes.cancel(db, scope.value(), reason, resolution, take, now));
        Raw before = cancelled.before();
        if (before == null) {
            return cancelled.known()
                    ? new Cancelling(new CancelReceipt.Requested(), claim(cancelled.woken()))
                    : new Cancelling(new CancelReceipt.Unknown(), null);
        }
        String earlier = before.cancelReason();
        return new Cancelling(before.status() == ScopeState.Status.ENDED || earlier == null
                ? new CancelReceipt.AlreadyEnded(before.endedWith())
                : new CancelReceipt.AlreadyRequested(earlier), null);
    }

    @Override
    public void late(ScopeId scope, String key, Json result, Instant at) {
        Stored stored = stored(result, at);
        String now = Moments.text(at);
        store.write("late " + key, stored.size(),
                db -> SqliteLate.add(db, scope.value(), key, stored, now));
    }

    @Override
    public List<LateResult> lateResults(ScopeId scope) {
        return store.read(db -> SqliteLate.list(db, scope.value()))
                .stream()
                .map(late -> new LateResult(new EffectKey(late.key()), RecordedText.json(late.result()),
                        Moments.instant(late.at())))
                .toList();
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return Optional.ofNullable(store.read(db -> SqliteScopes.state(db, scope.value()))).map(Raw::state);
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return store.read(db -> SqliteWaits.list(db, scope.value()))
                .stream()
                .map(wait -> new WaitState(new WaitName(wait.name()), wait.kind(),
                        Moments.nullableInstant(wait.deadline()), wait.announcement(), wait.opened(),
                        RecordedText.nullableResolution(wait.resolution())))
                .toList();
    }

    @Override
    public List<ScopeState> stuck() {
        return store.read(SqliteScopes::stuck).stream().map(Raw::state).toList();
    }

    @Override
    public boolean retry(ScopeId scope, Instant at) {
        String now = Moments.text(at);
        return store.write("retry " + scope, 0, db -> writes.retry(db, scope.value(), now));
    }

    @Override
    public boolean abandon(ScopeId scope, Json result, Instant at) {
        Stored stored = stored(result, at);
        String now = Moments.text(at);
        return store.write("abandon " + scope, stored.size(),
                db -> writes.abandon(db, scope.value(), stored, now));
    }

    @Override
    public boolean keep(Claim claim, String keeper, KeptBytes kept, Instant at) {
        Attachments.Reference reference = kept.reference();
        if (store.read(db -> SqliteAttachments.isKept(db, keeper, reference))) {
            return true;
        }
        String now = Moments.text(at);
        boolean small = reference.size() <= LargeResult.INLINE;
        Stored bytes = small
                ? new Stored(null, reference.hash(), kept.bytes())
                : store.output(reference.hash(), kept.bytes(), now);
        return store.write("keep " + reference.hash(), small ? reference.size() : 0,
                db -> writes.keep(db, claim, keeper, reference, bytes, now));
    }

    @Override
    public Optional<byte[]> kept(String keeper, Attachments.Reference reference) {
        return Optional.ofNullable(store.read(db -> SqliteAttachments.find(db, keeper, reference)));
    }

    @Override
    public long version() {
        return store.version();
    }

    @Override
    public Secret currentSecret() {
        Secret current = store.read(SqliteSecrets::current);
        if (current == null) {
            throw JournalException.corrupt("the journal has no secret that signs new keys", null);
        }
        return current;
    }

    @Override
    public Optional<Secret> secret(long id) {
        return Optional.ofNullable(store.read(db -> SqliteSecrets.byId(db, id)));
    }

    @Override
    public Secret rotateSecret() {
        byte[] bytes = store.draw(OpenFile::secretBytes);
        return store.write("rotate-secret", bytes.length, db -> SqliteSecrets.add(db, bytes));
    }

    @Override
    public void revokeSecret(long id) {
        byte[] replacement = store.draw(OpenFile::secretBytes);
        store.write("revoke-secret", replacement.length, db -> {
            SqliteSecrets.revoke(db, id, replacement);
            return true;
        });
    }

    @Override
    public int collectOutputs(Instant before) {
        return collector.outputs(Moments.text(before));
    }

    @Override
    public int collectEffects(Instant endedBefore) {
        return collector.effects(Moments.text(endedBefore));
    }

    @Override
    public void close() {
        store.close();
    }

    public static @Nullable Claim claim(@Nullable Raw scope) {
        return scope == null ? null : scope.claim();
    }

    /** A result as it will stand in its record; a large one is written now, in a commit of its own. */
    public Stored stored(Json result, Instant at) {
        return LargeResult.of(result)
                .map(large -> store.output(large.hash(), large.bytes(), Moments.text(at)))
                .orElseGet(() -> new Stored(result.text(), null, null));
    }
}
