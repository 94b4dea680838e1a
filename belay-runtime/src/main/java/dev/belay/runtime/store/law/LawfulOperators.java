package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.PROFILES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.OperatorStore.DoubtSettling;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.ScopeRows.WaitKey;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Profile;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What operators see and do, over rows.
 *
 * @param journal applies operations
 */
record LawfulOperators(LawfulJournal journal) implements OperatorStore {

    @Override
    public List<OpenKey> pending(@Nullable String after, int most, UnaryOperator<String> record) {
        return journal.read(OperatorReads
                .pending(Selector.found(Index.PENDING, after, null, Math.max(0, most)), record));
    }

    @Override
    public Optional<Standing> standing(ScopeId scope, UnaryOperator<String> record) {
        return journal.read(OperatorReads.standing(scope.value(), record));
    }

    @Override
    public String address() {
        return journal.address();
    }

    @Override
    public Optional<OpenKey> pending(String keyId, UnaryOperator<String> record) {
        return journal.read(OperatorReads.pending(Selector.found(Index.KEY_ID, keyId), record))
                .stream()
                .findFirst();
    }

    @Override
    public Optional<OpenKey> decided(String keyId, UnaryOperator<String> record) {
        return journal.read(OperatorReads.decided(Selector.found(Index.KEY_ID, keyId), record))
                .stream()
                .findFirst();
    }

    @Override
    public Replacing replace(OpenKey wait, String next, Resolution instead, AuditEntry.Note note,
            @Nullable Granting grant, Instant at) {
        return journal.apply(replace(wait, new Replaced(next, OutcomeJson.of(instead)), note, grant, at));
    }

    @Override
    public Deciding decide(OpenKey wait, Resolution decided, AuditEntry.Note note, @Nullable Granting grant,
            boolean take, Instant at) {
        return journal.apply(decide(journal.rules(), wait, decided, note, grant, take, at));
    }

    @Override
    public long lastAudit() {
        return journal.read(AuditRules.last());
    }

    @Override
    public List<SessionRow> sessions(String after, @Nullable String from, int most) {
        return journal.read(OperatorReads.sessions(after, from, Math.max(0, most)));
    }

    @Override
    public List<StuckScope> stuck(@Nullable ScopeId after, int most) {
        return journal.read(OperatorReads.stuck(after, Math.max(0, most)));
    }

    @Override
    public List<AuditEntry> audit(long after, int most) {
        return journal.read(AuditRules.reading(after, most));
    }

    @Override
    public List<Doubt> doubts(long after, int most) {
        return journal.read(DoubtRules.reading(after, most));
    }

    @Override
    public boolean isInDoubt(SessionId session) {
        var doubts = DoubtRules.of(session);
        return journal.read(Operation.reading(rows -> rows.add(doubts), unit -> unit.first(doubts) != null));
    }

    @Override
    public Optional<Doubt> doubt(String id) {
        return journal.read(DoubtRules.reading(id));
    }

    @Override
    public DoubtSettling settle(String id, Reconciliation<ToolOutcome> truth, AuditEntry.Note note,
            boolean take, Instant at) {
        return journal.apply(new DoubtRules(journal.rules()).settle(id, truth, note, take, at));
    }

    @Override
    public void note(AuditEntry.Note note, Instant at) {
        journal.apply(AuditRules.only(note, at));
    }

    @Override
    public SessionStore noting(AuditEntry.Note note, Instant at) {
        return new LawfulSessions(journal.noting(note, at));
    }

    @Override
    public boolean stop(ScopeId scope, String because, Instant at) {
        return journal.apply(journal.rules().stop(scope, because, at));
    }

    @Override
    public Withdrawing withdraw(SessionId session, String input, AuditEntry.@Nullable Note note, Instant at) {
        return (note == null ? journal : journal.noting(note, at))
                .apply(new SessionRules(journal.rules()).withdrawAlone(session, input, at));
    }

    @Override
    public Verb pause(Pause.Target target, Actor by, String reason, Instant at) {
        return journal.apply(PauseRules.pause(target, by, reason, at));
    }

    @Override
    public Verb unpause(Pause.Target target, Actor by, String reason, Instant at) {
        return journal.apply(PauseRules.unpause(target, by, reason, at));
    }

    @Override
    public List<Pause> pauses() {
        return journal.read(PauseRules.reading());
    }

    /** Settles one wait by a person's decision, with a note, and perhaps a grant and a notice for its session. */
    private static Operation<Deciding> decide(ScopeRules scopes, OpenKey key, Resolution decided,
            AuditEntry.Note note,
            @Nullable Granting granting, boolean take, Instant at) {
        String scope = key.scope().value();
        String wait = key.opened().name().value();
        Json resolution = OutcomeJson.of(decided);
        return Operation.of("decide " + wait, resolution.text().length(), rows -> {
            ScopeRules.selectWhole(rows, scope);
            rows.add(Selector.one(WAITS, scope, wait));
            AuditRules.select(rows);
            if (granting != null) {
                rows.add(Selector.one(SESSIONS, granting.session().value()));
                rows.add(Selector.one(PROFILES, granting.session().value()));
                if (granting.notice() != null) {
                    rows.add(Selector.one(ARRIVALS, granting.session().value(), granting.notice().id()));
                }
            }
        }, unit -> {
            Scope row = unit.get(SCOPES, scope);
            Wait open = row == null ? null : Waits.find(unit, row, wait);
            if (row == null || open == null || !row.incarnation().equals(key.incarnation())) {
                return new Deciding.Unknown();
            }
            if (open.resolution() != null) {
                return new Deciding.Already(OutcomeJson.resolution(open.resolution()));
            }
            if (row.status() == Status.ENDED) {
                return new Deciding.Unknown();
            }
            AuditRules.note(unit, note, at);
            if (granting != null) {
                tell(unit, key.scope(), granting, at);
            }
            Claim woken = scopes.settle(unit, row, wait, resolution, take, at);
            unit.put(KEYS, new WaitKey(scope, wait, key.keyId(), null, null)); // the decision can be found until the scope ends
            return new Deciding.Decided(woken);
        });
    }

    /** What comes in the place of a decision, unless a record follows from that. */
    private record Replaced(String next, Json by) {}

    private static Operation<Replacing> replace(OpenKey key, Replaced replaced, AuditEntry.Note note,
            @Nullable Granting granting, Instant at) {
        String scope = key.scope().value();
        String wait = key.opened().name().value();
        return Operation.of("replace " + wait, replaced.by().text().length(), rows -> {
            rows.add(Selector.one(SCOPES, scope));
            rows.add(Selector.one(WAITS, scope, wait));
            rows.add(Selector.one(EFFECTS, scope, replaced.next()));
            AuditRules.select(rows);
            if (granting != null) {
                rows.add(Selector.one(PROFILES, granting.session().value()));
            }
        }, unit -> {
            Scope row = unit.get(SCOPES, scope);
            Wait known = row == null ? null : Waits.find(unit, row, wait);
            if (row == null || known == null || !row.incarnation().equals(key.incarnation())
                    || row.status() == Status.ENDED
                    || !OutcomeJson.of(Objects.requireNonNull(key.opened().resolution()))
                            .equals(known.resolution())) {
                return Replacing.GONE;
            }
            if (unit.get(EFFECTS, scope, replaced.next()) != null) {
                return Replacing.BEGUN;
            }
            unit.put(WAITS, known.settled(replaced.by(), at));
            AuditRules.note(unit, note, at);
            Profile profile = granting == null ? null : unit.get(PROFILES, granting.session().value());
            if (granting != null && granting.grant() != null && profile != null) {
                unit.put(PROFILES,
                        new Profile(profile.session(), profile.value().revoked(granting.grant().id())));
            }
            return Replacing.DONE;
        });
    }

    /** Writes what holds for further calls and what the model is told, if the session is still the one that asked. */
    private static void tell(Unit unit, ScopeId scope, Granting granting, Instant at) {
        Session head = unit.get(SESSIONS, granting.session().value());
        if (head == null || !TurnScope.isOf(scope, head.incarnation())) {
            return;
        }
        if (granting.grant() != null) {
            Profile known = unit.get(PROFILES, head.id());
            SessionProfile before = known == null ? SessionProfile.PLAIN : known.value();
            unit.put(PROFILES, new Profile(head.id(), before.granted(granting.grant(), granting.turn())));
        }
        if (granting.notice() != null && unit.get(ARRIVALS, head.id(), granting.notice().id()) == null) {
            Session told = head.arrived(at);
            unit.put(ARRIVALS, new Arrived(head.id(), granting.notice(), told.lastPlace(), null, at));
            unit.put(SESSIONS, told);
        }
    }
}
