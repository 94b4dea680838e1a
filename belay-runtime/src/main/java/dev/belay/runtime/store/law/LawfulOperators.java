package dev.belay.runtime.store.law;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.OperatorStore.DoubtSettling;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.List;
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
    public Optional<OpenKey> pending(String keyId) {
        return journal.read(OperatorReads.pending(Selector.found(Index.KEY_ID, keyId), name -> name))
                .stream()
                .findFirst();
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
}
