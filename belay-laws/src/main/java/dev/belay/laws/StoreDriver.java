package dev.belay.laws;

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
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Cancelling;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.law.AuditRules;
import dev.belay.runtime.store.law.DecisionRules;
import dev.belay.runtime.store.law.DecisionRules.Deciding;
import dev.belay.runtime.store.law.DecisionRules.Granting;
import dev.belay.runtime.store.law.DecisionRules.Replacing;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.runtime.store.law.DoubtRules.DoubtSettling;
import dev.belay.runtime.store.law.KeepRules;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.runtime.store.law.OperatorReads.SessionRow;
import dev.belay.runtime.store.law.OperatorReads.Standing;
import dev.belay.runtime.store.law.OperatorReads.StuckScope;
import dev.belay.runtime.store.law.PauseRules;
import dev.belay.runtime.store.law.PauseRules.Verb;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.runtime.store.law.ProcessRules.Ended;
import dev.belay.runtime.store.law.ProcessRules.Signalling;
import dev.belay.runtime.store.law.ProcessRules.Starting;
import dev.belay.runtime.store.law.ProcessRules.Telling;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.law.SessionRules;
import dev.belay.runtime.store.law.SessionRules.Withdrawing;
import dev.belay.runtime.store.law.TurnEndRules;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store by verbs, for tests: each is one operation, or a method of the store. A change of how the rules are called changes this class
 * and no assertion.
 *
 * @param store what is driven
 */
public record StoreDriver(Store store) implements AutoCloseable {

    public Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        return store.apply(store.scopes().submit(scope, input, take, at));
    }

    public void serve(Set<String> kinds) {
        store.served().set(kinds);
    }

    public void limit(Map<String, Long> sessions) {
        store.served().limit(sessions);
    }

    public boolean serves(ScopeInput scope) {
        return store.served().serves(scope);
    }

    public Set<String> served() {
        return Objects.requireNonNullElse(store.served().get(), Set.of());
    }

    public Pauses knownPauses() {
        return store.served().pauses();
    }

    public boolean readPauses() {
        return store.readPauses();
    }

    public Store.Writes writes() {
        return store.writes();
    }

    public Optional<Claim> claim(ScopeId scope, Instant at) {
        return store.apply(store.scopes().claim(scope, at));
    }

    public List<Claim> takeReady(int most, int limit, Instant at) {
        return store.work().ready(most, limit, at);
    }

    public List<Claim> takeDue(int most, Instant now) {
        return store.work().due(most, now);
    }

    public Optional<Instant> nextDue() {
        return store.work().nextDue();
    }

    public Optional<Instant> readySince() {
        return store.work().readySince();
    }

    public Map<String, Instant> readyKinds() {
        return store.work().waiting();
    }

    public Optional<Claim> reenter(Claim claim, int limit, Instant at) {
        return reenter(claim, limit, "", at);
    }

    public Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at) {
        return store.apply(store.scopes().reenter(claim, limit, fault, at));
    }

    public void giveBack(Claim claim, Instant at) {
        store.apply(store.scopes().giveBack(claim, at));
    }

    public boolean stick(Claim claim, String reason, Instant at) {
        return store.apply(store.scopes().stick(claim, reason, at));
    }

    public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at) {
        return hold(claim, Set.of(), waits, known, cancelSeen, wakeAt, at);
    }

    public Parking hold(Claim claim, Set<String> by, List<OpenWait> waits, Set<WaitName> known,
            boolean cancelSeen, @Nullable Instant wakeAt, Instant at) {
        return store.apply(store.scopes().park(claim, by, waits, known, cancelSeen, wakeAt, at));
    }

    public boolean awaits(Claim claim, @Nullable Awaiting why) {
        return store.apply(store.scopes().awaits(claim, why));
    }

    public boolean end(Claim claim, Json result, Instant at) {
        return store.apply(store.scopes().end(claim, result, at));
    }

    public boolean retry(ScopeId scope, Instant at) {
        return store.apply(store.scopes().retry(scope, at));
    }

    public boolean abandon(ScopeId scope, Json result, Instant at) {
        return abandon(scope, result, List.of(), at);
    }

    public boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts, Instant at) {
        return store.apply(store.scopes().abandon(scope, result, doubts, at));
    }

    public boolean stop(ScopeId scope, String because, Instant at) {
        return store.apply(store.scopes().stop(scope, because, at));
    }

    public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
            boolean take, Instant at) {
        return store.apply(store.scopes().resolve(scope, incarnation, name, value, take, at));
    }

    public Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at) {
        return store.apply(store.scopes().cancel(scope, reason, take, at));
    }

    public Optional<ScopeState> state(ScopeId scope) {
        return store.read(ScopeReads.state(scope));
    }

    public List<WaitState> waits(ScopeId scope) {
        return store.read(ScopeReads.waits(scope));
    }

    public List<ScopeState> stuck() {
        return store.read(ScopeReads.stuck());
    }

    public List<EffectRow> effects(ScopeId scope) {
        return store.read(ScopeReads.effects(scope));
    }

    public Written write(Claim claim, EffectWrite write) {
        return store.apply(store.records().write(claim, write));
    }

    public Pending<Written> writing(Claim claim, EffectWrite write) {
        return store.begin(store.records().write(claim, write));
    }

    public Written take(Claim claim, String resource, String key, Instant at) {
        return store.apply(store.records().hold(claim, resource, key));
    }

    public void release(String resource, ScopeId scope, String key) {
        store.apply(store.records().release(resource, scope, key));
    }

    public boolean issue(Claim claim, WaitName wait, Json schema, Instant at) {
        return store.apply(store.records().issue(claim, wait, schema));
    }

    public Optional<Json> schema(ScopeId scope, Incarnation incarnation, WaitName wait) {
        return store.read(ScopeReads.schema(scope, incarnation, wait));
    }

    public void late(ScopeId scope, String key, Json result, Instant at) {
        store.apply(store.records().late(scope, key, result, at));
    }

    public List<LateResult> lateResults(ScopeId scope) {
        return store.read(ScopeReads.lateResults(scope));
    }

    public boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at) {
        return store.keep(claim, keeper, bytes, at);
    }

    public Optional<byte[]> kept(String keeper, Attachments.Reference reference) {
        return store.read(KeepRules.kept(keeper, reference));
    }

    public Optional<KeptBytes> nextKept(String keeper, String after) {
        return store.nextKept(keeper, after);
    }

    public int collectOutputs(Instant before) {
        return store.collectOutputs(before);
    }

    public int collectEffects(Instant endedBefore) {
        return store.collectEffects(endedBefore);
    }

    public Secret currentSecret() {
        return store.currentSecret();
    }

    public Optional<Secret> secret(long id) {
        return store.secret(id);
    }

    public Secret rotateSecret() {
        return store.rotateSecret();
    }

    public void revokeSecret(long id) {
        store.revokeSecret(id);
    }

    public String owner() {
        return store.owner();
    }

    public boolean isAlive(String owner) {
        return store.read(ScopeReads.isAlive(owner));
    }

    public long version() {
        return store.version();
    }

    public Others others() {
        return store.others();
    }

    public List<Inconsistency> inconsistencies(int most) {
        return store.inconsistencies(most);
    }

    public void fail(JournalException why) {
        store.fail(why);
    }

    public Acceptance accept(SessionId session, Incarnation ifNew, Arrival arrival, long expectedPlace,
            boolean take, Instant at) {
        return store.apply(store.sessions().accept(session, ifNew, arrival, expectedPlace, take, at));
    }

    public List<Arrived> waiting(SessionId session) {
        return store.read(SessionReads.waiting(session));
    }

    public Optional<Arrived> arrival(SessionId session, String id) {
        return store.read(SessionReads.arrival(session, id));
    }

    public Optional<SessionProfile> profile(SessionId session, UnaryOperator<SessionProfile> change) {
        return store.apply(SessionRules.profile(session, change));
    }

    public boolean withdraw(SessionId session, String id, Instant at) {
        return store.apply(store.sessions().withdraw(session, id, at));
    }

    public Withdrawing withdraw(SessionId session, String id, AuditEntry.@Nullable Note note, Instant at) {
        return (note == null ? store : store.noting(note, at))
                .apply(store.sessions().withdrawAlone(session, id, at));
    }

    public Committed commit(Claim claim, TurnCommit commit, boolean take, Instant at) {
        return store.apply(TurnEndRules.of(store.sessions(), commit, take, at).commit(claim));
    }

    public Committed abandon(TurnCommit commit, boolean take, Instant at) {
        return store.apply(TurnEndRules.of(store.sessions(), commit, take, at).abandon());
    }

    public Optional<SessionHead> head(SessionId session) {
        return store.read(SessionReads.head(session));
    }

    public List<SessionHead> sessions(@Nullable SessionId after, int most) {
        return store.read(SessionReads.heads(after, most));
    }

    public List<ScopeState> openTurns(@Nullable SessionId after, int most) {
        return store.read(SessionReads.openTurns(after, most));
    }

    public List<StoredMessage> messages(SessionId session, long from, int most) {
        return store.read(SessionReads.messages(session, from, most));
    }

    public Optional<TurnRow> turn(SessionId session, long turn) {
        return store.read(SessionReads.turn(session, turn));
    }

    public List<TurnRow> turns(SessionId session, long from, int most) {
        return store.read(SessionReads.turns(session, from, most));
    }

    public List<Json> calls(SessionId session, long turn) {
        return store.calls(session, turn);
    }

    public boolean create(NewSession session, Instant at) {
        return store.apply(store.sessions().create(session, at));
    }

    public boolean delete(SessionId session, Instant at) {
        return delete(session, true, at);
    }

    public boolean delete(SessionId session, boolean evenInDoubt, Instant at) {
        return store.apply(store.sessions().delete(session, evenInDoubt));
    }

    public Starting start(NewProcess process, List<NewProcess.Grant> grants, boolean take, Instant at) {
        return store.apply(store.processes().start(process, grants, take, at));
    }

    public boolean grant(ProcessId process, NewProcess.Grant grant, Instant at) {
        return store.apply(store.processes().grant(process, grant, at));
    }

    public boolean isGranted(ProcessId process, SessionId session) {
        return store.read(ProcessReads.isGranted(process, session));
    }

    public Telling tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at) {
        return store.apply(store.processes().tell(claim, process, event, at));
    }

    public Telling tell(ProcessId process, ProcessEvent.Draft event, Instant at) {
        return store.apply(store.processes().tell(process, event, at));
    }

    public List<ProcessEvent> events(ProcessId process, long after, int most) {
        return store.read(ProcessReads.events(process, after, most));
    }

    public Signalling signal(ProcessId process, NewSignal signal, boolean take, Instant at) {
        return store.signal(process, signal, take, at);
    }

    public boolean watch(ProcessId process, String token, Instant at) {
        return store.apply(store.processes().watch(process, token));
    }

    public List<String> watchers(ProcessId process) {
        return store.read(ProcessReads.watchers(process));
    }

    public Ended end(Claim claim, ProcessEnding ending, Instant at) {
        return store.apply(store.processes().end(claim, ending, at));
    }

    public Ended abandon(ProcessEnding ending, Instant at) {
        return store.apply(store.processes().abandon(ending, at));
    }

    public Optional<ProcessRow> process(ProcessId process) {
        return store.read(ProcessReads.process(process));
    }

    public List<ProcessRow> processes(long after, int most) {
        return store.read(ProcessReads.processes(after, most));
    }

    public List<ProcessRow> processes(SessionId session, long after, int most) {
        return ProcessReads.ofSession(store, session, after, most);
    }

    public List<ProcessRow> stuckProcesses(@Nullable ProcessId after, int most) {
        return store.read(ProcessReads.stuck(after, most));
    }

    public List<OpenKey> pending(@Nullable String after, int most, UnaryOperator<String> record) {
        return store.read(OperatorReads.pending(after, most, record));
    }

    public Optional<OpenKey> pending(String keyId, UnaryOperator<String> record) {
        return store.read(OperatorReads.pending(keyId, record));
    }

    public Optional<OpenKey> decided(String keyId, UnaryOperator<String> record) {
        return store.read(OperatorReads.decided(keyId, record));
    }

    public Optional<Standing> standing(ScopeId scope, UnaryOperator<String> record) {
        return store.read(OperatorReads.standing(scope, record));
    }

    public Deciding decide(OpenKey wait, Resolution decided, AuditEntry.Note note, @Nullable Granting grant,
            boolean take, Instant at) {
        return store.apply(store.decisions().decide(wait, decided, note, grant, take, at));
    }

    public Replacing replace(OpenKey wait, String next, Resolution instead, AuditEntry.Note note,
            @Nullable Granting grant, Instant at) {
        return store.apply(DecisionRules.replace(wait, next, instead, note, grant, at));
    }

    public List<SessionRow> sessions(String after, @Nullable String from, int most) {
        return store.read(OperatorReads.sessions(after, from, most));
    }

    public List<StuckScope> stuck(@Nullable ScopeId after, int most) {
        return store.read(OperatorReads.stuck(after, most));
    }

    public long lastAudit() {
        return store.read(AuditRules.last());
    }

    public List<AuditEntry> audit(long after, int most) {
        return store.read(AuditRules.reading(after, most));
    }

    public void note(AuditEntry.Note note, Instant at) {
        store.apply(AuditRules.only(note, at));
    }

    public StoreDriver noting(AuditEntry.Note note, Instant at) {
        return new StoreDriver(store.noting(note, at));
    }

    public List<Doubt> doubts(long after, int most) {
        return store.read(DoubtRules.reading(after, most));
    }

    public Optional<Doubt> doubt(String id) {
        return store.read(DoubtRules.reading(id));
    }

    public boolean isInDoubt(SessionId session) {
        return store.read(DoubtRules.isInDoubt(session));
    }

    public DoubtSettling settle(String id, Reconciliation<ToolOutcome> truth, AuditEntry.Note note,
            boolean take, Instant at) {
        return store.apply(store.doubts().settle(id, truth, note, take, at));
    }

    public Verb pause(Pause.Target target, Actor by, String reason, Instant at) {
        return store.apply(PauseRules.pause(target, by, reason, at));
    }

    public Verb unpause(Pause.Target target, Actor by, String reason, Instant at) {
        return store.apply(PauseRules.unpause(target, by, reason, at));
    }

    public List<Pause> pauses() {
        return store.read(PauseRules.reading());
    }

    public String address() {
        return store.address();
    }

    @Override
    public void close() {
        store.close();
    }
}
