package dev.belay.runtime.store.check;

import static dev.belay.runtime.store.rows.ScopeRows.AWAITED;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.INPUTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.RESULTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.StoreRows.OWNERS;
import static dev.belay.runtime.store.rows.StoreRows.SECRETS;

import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.ScopeRows.Awaited;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Late;
import dev.belay.runtime.store.rows.ScopeRows.Result;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.ScopeRows.WaitKey;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a scope: its head, what it counts, and its records, waits and keys.
 *
 * @param id of the scope
 */
record ScopeCheck(String id) implements StoreCheck.Part {

    @Override
    public void first(Collection<Selector<?>> rows) {
        rows.add(Selector.one(SCOPES, id));
        rows.add(Selector.one(INPUTS, id));
        rows.add(Selector.one(RESULTS, id));
        rows.add(Selector.one(AWAITED, id));
        rows.add(effects());
        rows.add(waits());
        rows.add(keys());
        rows.add(late());
    }

    private Selector<Effect> effects() {
        return Selector.of(EFFECTS, id);
    }

    private Selector<Wait> waits() {
        return Selector.of(WAITS, id);
    }

    private Selector<WaitKey> keys() {
        return Selector.of(KEYS, id);
    }

    private Selector<Late> late() {
        return Selector.of(LATE, id);
    }

    @Override
    public void second(Unit unit, Collection<Selector<?>> rows) {
        Scope head = unit.get(SCOPES, id);
        if (head == null) {
            return;
        }
        if (head.owner() != null) {
            rows.add(Selector.one(OWNERS, head.owner()));
        }
        rows.add(Selector.one(SECRETS, OperatorRows.STORE, head.secret()));
        List<@Nullable String> contents = new ArrayList<>();
        unit.list(effects()).forEach(effect -> contents.add(effect.output()));
        unit.list(late()).forEach(one -> contents.add(one.output()));
        Result result = unit.get(RESULTS, id);
        contents.add(result == null ? null : result.output());
        FoundInconsistencies.selectContent(rows, contents);
    }

    @Override
    public void look(Unit unit, FoundInconsistencies found) {
        Scope head = unit.get(SCOPES, id);
        if (head == null || head.kind().equals("damaged")) {
            return; // deleted meanwhile, or put there in place of a head that was damaged
        }
        checkHead(unit, head, found);
        checkRecords(unit, head, found);
        checkWaits(unit, head, found);
    }

    private static void checkHead(Unit unit, Scope head, FoundInconsistencies found) {
        found.require(unit.get(INPUTS, head.id()) != null, SCOPES, head, "what it started from is missing");
        found.require((head.status() == Status.RUNNING) == (head.owner() != null), SCOPES, head,
                "it is " + head.status() + " and its owner is " + head.owner());
        found.require(head.owner() == null || unit.get(OWNERS, head.owner()) != null, SCOPES, head,
                "its owner " + head.owner() + " is not known");
        found.require(head.wakeAt() == null || head.status() == Status.PARKED, SCOPES, head,
                "it is " + head.status() + " and wakes at " + head.wakeAt());
        found.require((head.status() == Status.STUCK) == (head.stuckBecause() != null), SCOPES, head,
                "it is " + head.status() + " and stuck because of " + head.stuckBecause());
        found.require(head.secret() == 0 || unit.get(SECRETS, OperatorRows.STORE, head.secret()) != null,
                SCOPES, head, "the secret " + head.secret() + " of its keys is missing");
        Result result = unit.get(RESULTS, head.id());
        found.require((head.status() == Status.ENDED) == (result != null), SCOPES, head,
                "it is " + head.status() + " and " + (result == null ? "has no result" : "has a result"));
        if (result != null) {
            found.requireContent(unit, result.output(), RESULTS, result);
        }
        Awaited awaited = unit.get(AWAITED, head.id());
        if (awaited != null) {
            found.require(awaited.fence() <= head.fence(), AWAITED, awaited,
                    "its fence " + awaited.fence() + " is beyond that of its scope, " + head.fence());
        }
    }

    private void checkRecords(Unit unit, Scope head, FoundInconsistencies found) {
        List<Effect> effects = unit.list(effects());
        found.requireSame(head.effects(), effects.size(), SCOPES, head, "records");
        for (Effect effect : effects) {
            found.require(effect.row().fence() <= head.fence(), EFFECTS, effect, "its fence "
                    + effect.row().fence() + " is beyond that of its scope, " + head.fence());
            found.requireContent(unit, effect.output(), EFFECTS, effect);
        }
        unit.list(late()).forEach(late -> found.requireContent(unit, late.output(), LATE, late));
    }

    private void checkWaits(Unit unit, Scope head, FoundInconsistencies found) {
        List<Wait> waits = unit.list(waits());
        List<WaitKey> keys = unit.list(keys());
        found.requireSame(head.waits(), waits.size(), SCOPES, head, "waits");
        found.requireSame(head.completions(),
                waits.stream()
                        .filter(wait -> !wait.isSettled() && wait.kind() == OpenWait.Kind.COMPLETION)
                        .count(),
                SCOPES, head, "open completions");
        for (Wait wait : waits) {
            WaitKey key = keys.stream()
                    .filter(one -> one.name().equals(wait.name()))
                    .findFirst()
                    .orElse(null);
            found.require(wait.isSettled() || (key != null && key.place() != null), WAITS, wait,
                    "it is open and has no key");
            found.require(!wait.isSettled() || key == null || key.place() == null, WAITS, wait,
                    "it is settled and has a key");
            found.require(wait.isSettled() == (wait.settledAt() != null), WAITS, wait,
                    "it is settled and lacks the time, or the reverse");
            found.require(wait.isSettled() || head.status() != Status.ENDED, WAITS, wait,
                    "it is open and its scope has ended");
        }
        for (WaitKey key : keys) {
            found.require(
                    key.place() == null || waits.stream().anyMatch(wait -> wait.name().equals(key.name())),
                    KEYS, key, "it is listed as open and its wait is missing");
            found.require(head.status() != Status.ENDED, KEYS, key, "its scope has ended");
        }
    }
}
