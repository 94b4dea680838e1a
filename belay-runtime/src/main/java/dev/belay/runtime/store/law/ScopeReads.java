package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Late;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** What rows of scopes say to readers. Rows that the head counts and that are missing are damage. */
public final class ScopeReads {

    private ScopeReads() {}

    /** The records of a scope, in no particular order. */
    public static Operation<List<EffectRow>> effects(ScopeId of) {
        String scope = of.value();
        Selector<Effect> effects = Selector.of(EFFECTS, scope);
        return new Operation<>(null, 0, rows -> {
            rows.add(Selector.one(SCOPES, scope));
            rows.add(effects);
        }, (unit, rows) -> unit.list(effects)
                .forEach(effect -> StoredResults.selectContent(rows, effect.output())), unit -> {
                    List<Effect> found = unit.list(effects);
                    requireAll(unit, scope, "records", found.size(), Scope::effects);
                    return found.stream()
                            .map(effect -> effect.output() == null
                                    ? effect.row()
                                    : effect.row()
                                            .with(StoredResults.value(unit, null, effect.output()),
                                                    effect.row().fence()))
                            .toList();
                });
    }

    private static void requireAll(Unit unit, String scope, String what, int found,
            ToIntFunction<Scope> counted) {
        Scope head = unit.get(SCOPES, scope);
        int expected = head == null ? 0 : counted.applyAsInt(head);
        if (found != expected) {
            throw JournalException.corrupt("the scope " + scope + " has " + found + " " + what
                    + ", and its head counts " + expected + "; restore the store from a backup", null);
        }
    }

    /** Late results of a scope. */
    public static Operation<List<LateResult>> lateResults(ScopeId of) {
        String scope = of.value();
        Selector<Late> late = Selector.of(LATE, scope);
        return new Operation<>(null, 0, rows -> rows.add(late),
                (unit, rows) -> unit.list(late)
                        .forEach(row -> StoredResults.selectContent(rows, row.output())),
                unit -> unit.list(late)
                        .stream()
                        .map(row -> new LateResult(new EffectKey(row.key()),
                                StoredResults.required(StoredResults.value(unit, row.result(), row.output()),
                                        "the late row " + row.key() + " of " + scope),
                                row.at()))
                        .toList());
    }

    /** What is known of a scope. */
    public static Operation<Optional<ScopeState>> state(ScopeId of) {
        String scope = of.value();
        return new Operation<>(null, 0, rows -> {
            ScopeRules.selectWhole(rows, scope);
            StoredResults.select(rows, scope);
        }, (unit, rows) -> StoredResults.selectContentOf(unit, rows, scope),
                unit -> Optional.ofNullable(unit.get(SCOPES, scope)).map(row -> state(unit, row)));
    }

    static ScopeState state(Unit unit, Scope row) {
        return new ScopeState(new ScopeId(row.id()), shownInput(unit, row), row.status(),
                new Fence(row.fence()), row.entries(), row.cancelReason(), row.wakeAt(), row.stuckBecause(),
                row.status() == ScopeState.Status.ENDED ? StoredResults.required(unit, row.id()) : null);
    }

    /** What a stuck scope started from may be what it is stuck because of; then it reads as null. */
    static ScopeInput shownInput(Unit unit, Scope row) {
        try {
            return ScopeRules.input(unit, row);
        } catch (JournalException e) {
            if (row.status() != ScopeState.Status.STUCK) {
                throw e;
            }
            return new ScopeInput(row.kind(), Json.NULL);
        }
    }

    /** Waits of a scope. */
    public static Operation<List<WaitState>> waits(ScopeId of) {
        String scope = of.value();
        Selector<Wait> waits = Selector.of(WAITS, scope);
        return Operation.reading(rows -> {
            rows.add(Selector.one(SCOPES, scope));
            rows.add(waits);
        }, unit -> {
            List<Wait> found = unit.list(waits);
            requireAll(unit, scope, "waits", found.size(), Scope::waits);
            return found.stream().map(ScopeReads::state).toList();
        });
    }

    static WaitState state(Wait wait) {
        return new WaitState(new WaitName(wait.name()), wait.kind(), wait.deadline(), wait.announcement(),
                wait.opened(),
                wait.resolution() == null ? null : OutcomeJson.resolution(wait.resolution()));
    }

    /** The schema that was kept for a wait which is not settled; empty if any value may settle it, or it is settled or unknown. */
    public static Operation<Optional<Json>> schema(ScopeId scope, Incarnation incarnation, WaitName wait) {
        Selector<DoubtRow> doubts = DoubtRules.answeredBy(scope.value(), wait.value());
        return Operation.reading(rows -> {
            rows.add(Selector.one(KEYS, scope.value(), wait.value()));
            rows.add(doubts);
        }, unit -> Optional.ofNullable(unit.get(KEYS, scope.value(), wait.value()))
                .filter(key -> key.id().equals(wait.keyId(scope, incarnation)))
                .flatMap(key -> Optional.ofNullable(key.schema()))
                .or(() -> Optional.ofNullable(unit.first(doubts))
                        .flatMap(doubt -> Optional
                                .ofNullable(DoubtJson.of(doubt).about().call().output()))));
    }

    /** Scopes that are stuck. */
    public static Operation<List<ScopeState>> stuck() {
        Selector<Scope> stuck = Selector.found(Index.STUCK, "");
        return new Operation<>(null, 0, rows -> rows.add(stuck),
                (unit, rows) -> unit.list(stuck).forEach(row -> ScopeRules.selectWhole(rows, row.id())),
                unit -> unit.list(stuck).stream().map(row -> state(unit, row)).toList());
    }

    /** Whether an owner lives. One that is dead stays dead. */
    public static Operation<Boolean> isAlive(String owner) {
        return Operation.reading(rows -> {}, unit -> unit.isAlive(owner));
    }
}
