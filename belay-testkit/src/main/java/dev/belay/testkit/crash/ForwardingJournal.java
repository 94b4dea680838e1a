package dev.belay.testkit.crash;

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
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Forwards every call to another journal; a subclass overrides some of them. */
class ForwardingJournal implements Journal {

    private final Journal journal;

    ForwardingJournal(Journal journal) {
        this.journal = journal;
    }

    /** The other journal. */
    Journal journal() {
        return journal;
    }

    @Override
    public String owner() {
        return journal.owner();
    }

    @Override
    public Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        return journal.submit(scope, input, take, at);
    }

    @Override
    public void serve(Set<String> kinds) {
        journal.serve(kinds);
    }

    @Override
    public void limit(Map<String, Long> sessions) {
        journal.limit(sessions);
    }

    @Override
    public boolean serves(ScopeInput scope) {
        return journal.serves(scope);
    }

    @Override
    public Parking hold(Claim claim, Set<String> by, List<OpenWait> waits, Set<WaitName> known,
            boolean cancelSeen, @Nullable Instant wakeAt, Instant at) {
        return journal.hold(claim, by, waits, known, cancelSeen, wakeAt, at);
    }

    @Override
    public boolean awaits(Claim claim, @Nullable Awaiting why) {
        return journal.awaits(claim, why);
    }

    @Override
    public Pauses pauses() {
        return journal.pauses();
    }

    @Override
    public boolean readPauses() {
        return journal.readPauses();
    }

    @Override
    public Set<String> served() {
        return journal.served();
    }

    @Override
    public Writes writes() {
        return journal.writes();
    }

    @Override
    public Optional<Instant> readySince() {
        return journal.readySince();
    }

    @Override
    public Optional<Claim> claim(ScopeId scope, Instant at) {
        return journal.claim(scope, at);
    }

    @Override
    public List<Claim> takeReady(int most, int limit, Instant at) {
        return journal.takeReady(most, limit, at);
    }

    @Override
    public Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at) {
        return journal.reenter(claim, limit, fault, at);
    }

    @Override
    public void giveBack(Claim claim, Instant at) {
        journal.giveBack(claim, at);
    }

    @Override
    public List<EffectRow> effects(ScopeId scope) {
        return journal.effects(scope);
    }

    @Override
    public Written write(Claim claim, EffectWrite write) {
        return journal.write(claim, write);
    }

    @Override
    public Pending<Written> writing(Claim claim, EffectWrite write) {
        return journal.writing(claim, write);
    }

    @Override
    public Written take(Claim claim, String resource, String key, Instant at) {
        return journal.take(claim, resource, key, at);
    }

    @Override
    public void release(String resource, ScopeId scope, String key) {
        journal.release(resource, scope, key);
    }

    @Override
    public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at) {
        return journal.park(claim, waits, known, cancelSeen, wakeAt, at);
    }

    @Override
    public boolean end(Claim claim, Json result, Instant at) {
        return journal.end(claim, result, at);
    }

    @Override
    public boolean stick(Claim claim, String reason, Instant at) {
        return journal.stick(claim, reason, at);
    }

    @Override
    public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
            boolean take, Instant at) {
        return journal.resolve(scope, incarnation, name, value, take, at);
    }

    @Override
    public List<Claim> takeDue(int most, Instant now) {
        return journal.takeDue(most, now);
    }

    @Override
    public Optional<Instant> nextDue() {
        return journal.nextDue();
    }

    @Override
    public Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at) {
        return journal.cancel(scope, reason, take, at);
    }

    @Override
    public void late(ScopeId scope, String key, Json result, Instant at) {
        journal.late(scope, key, result, at);
    }

    @Override
    public List<LateResult> lateResults(ScopeId scope) {
        return journal.lateResults(scope);
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return journal.state(scope);
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return journal.waits(scope);
    }

    @Override
    public boolean issue(Claim claim, WaitName wait, Json schema, Instant at) {
        return journal.issue(claim, wait, schema, at);
    }

    @Override
    public Optional<Json> schema(ScopeId scope, Incarnation incarnation, WaitName wait) {
        return journal.schema(scope, incarnation, wait);
    }

    @Override
    public Map<String, Instant> readyKinds() {
        return journal.readyKinds();
    }

    @Override
    public List<ScopeState> stuck() {
        return journal.stuck();
    }

    @Override
    public boolean retry(ScopeId scope, Instant at) {
        return journal.retry(scope, at);
    }

    @Override
    public boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts, Instant at) {
        return journal.abandon(scope, result, doubts, at);
    }

    @Override
    public boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at) {
        return journal.keep(claim, keeper, bytes, at);
    }

    @Override
    public Optional<byte[]> kept(String keeper, Attachments.Reference reference) {
        return journal.kept(keeper, reference);
    }

    @Override
    public Optional<KeptBytes> nextKept(String keeper, String after) {
        return journal.nextKept(keeper, after);
    }

    @Override
    public long version() {
        return journal.version();
    }

    @Override
    public Others others() {
        return journal.others();
    }

    @Override
    public boolean isAlive(String owner) {
        return journal.isAlive(owner);
    }

    @Override
    public Secret currentSecret() {
        return journal.currentSecret();
    }

    @Override
    public Optional<Secret> secret(long id) {
        return journal.secret(id);
    }

    @Override
    public Secret rotateSecret() {
        return journal.rotateSecret();
    }

    @Override
    public void revokeSecret(long id) {
        journal.revokeSecret(id);
    }

    @Override
    public int collectOutputs(Instant before) {
        return journal.collectOutputs(before);
    }

    @Override
    public int collectEffects(Instant endedBefore) {
        return journal.collectEffects(endedBefore);
    }

    @Override
    public List<Inconsistency> inconsistencies(int most) {
        return journal.inconsistencies(most);
    }

    @Override
    public void fail(JournalException why) {
        journal.fail(why);
    }

    @Override
    public void close() {
        journal.close();
    }
}
