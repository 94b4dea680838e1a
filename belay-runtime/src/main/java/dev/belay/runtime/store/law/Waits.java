package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.ScopeRows.WaitKey;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How waits are opened and settled, and when a parked scope goes on. Each gives the head of the scope with its new counts. */
final class Waits {

    private static final Json CLOSED = OutcomeJson.of(new Resolution.Cancelled("the call has ended"));

    private Waits() {}

    static void select(Collection<Selector<?>> rows, String scope, List<OpenWait> waits) {
        waits.forEach(wait -> select(rows, scope, wait.name()));
    }

    static void select(Collection<Selector<?>> rows, String scope, WaitName wait) {
        rows.add(Selector.one(WAITS, scope, wait.value()));
        rows.add(Selector.one(KEYS, scope, wait.value()));
    }

    /** The waits of a scope that are open. */
    static Selector<Wait> open(String scope) {
        return Selector.found(Index.OPEN, scope);
    }

    static @Nullable Wait find(Unit unit, Scope scope, String name) {
        return unit.get(WAITS, scope.id(), name);
    }

    static boolean isSettled(Unit unit, Scope scope, String name) {
        Wait wait = find(unit, scope, name);
        return wait != null && wait.isSettled();
    }

    /** Opens waits. What was recorded when one was opened first holds for good. */
    static Scope open(Unit unit, Scope scope, List<OpenWait> opened, Instant at) {
        Scope counted = scope;
        for (OpenWait wait : opened) {
            Wait known = find(unit, scope, wait.name().value());
            if (known == null || !known.opened()) {
                unit.put(WAITS, new Wait(scope.id(), wait.name().value(), wait.kind(), true, wait.deadline(),
                        wait.announcement(), known == null ? null : known.resolution(),
                        known == null ? null : known.settledAt()));
                if (known == null) {
                    unit.put(KEYS, key(unit, scope, wait.name()).open(at));
                }
                counted = counted(counted, known == null ? 1 : 0,
                        known == null && wait.kind() == OpenWait.Kind.COMPLETION ? 1 : 0);
            }
        }
        return counted;
    }

    /** What is kept of the key of a wait, or the beginning of it. */
    private static WaitKey key(Unit unit, Scope scope, WaitName wait) {
        WaitKey known = unit.get(KEYS, scope.id(), wait.value());
        return known != null
                ? known
                : new WaitKey(scope.id(), wait.value(),
                        wait.keyId(new ScopeId(scope.id()), scope.incarnation()), null, null);
    }

    /** Keeps what may settle a wait, unless it is settled. */
    static void issue(Unit unit, Scope scope, WaitName wait, Json schema) {
        if (!isSettled(unit, scope, wait.value())) {
            WaitKey key = key(unit, scope, wait);
            unit.put(KEYS, new WaitKey(key.scope(), key.name(), key.id(), key.place(), schema));
        }
    }

    /** Settles a wait that is not settled, also if the scope has not come to it. */
    static Scope settle(Unit unit, Scope scope, @Nullable Wait open, String name, Json resolution,
            Instant at) {
        Wait wait = open != null
                ? open
                : new Wait(scope.id(), name, OpenWait.Kind.COMPLETION, false, null, null, null, null);
        unit.put(WAITS, wait.settled(resolution, at));
        unit.delete(KEYS, scope.id(), name);
        return counted(scope, open == null ? 1 : 0,
                open != null && wait.kind() == OpenWait.Kind.COMPLETION ? -1 : 0);
    }

    /** What a sender was told is accepted; null if there is nothing of that. */
    static @Nullable Resolution answer(Unit unit, Scope scope, WaitName name) {
        Wait wait = find(unit, scope, name.value());
        Resolution said = wait == null || wait.resolution() == null
                ? null
                : OutcomeJson.resolution(wait.resolution());
        return said instanceof Resolution.Ok || said instanceof Resolution.Failed ? said : null;
    }

    /** The settlement that is in the place of one from which a write follows; null if that is as it was. */
    static @Nullable Resolution instead(Unit unit, Scope scope, Effect.@Nullable Follows follows) {
        Wait wait = follows == null ? null : find(unit, scope, follows.name().value());
        Resolution now = wait == null || wait.resolution() == null
                ? null
                : OutcomeJson.resolution(wait.resolution());
        return follows == null || follows.said().equals(now) ? null : now;
    }

    /** Closes a wait that is not settled: no answer to it is accepted any more. */
    static Scope close(Unit unit, Scope scope, WaitName name, Instant at) {
        return isSettled(unit, scope, name.value())
                ? scope
                : settle(unit, scope, find(unit, scope, name.value()), name.value(), CLOSED, at);
    }

    /** Settles all that are open. */
    static Scope settleAll(Unit unit, Scope scope, Json resolution, Instant at) {
        Scope counted = scope;
        for (Wait wait : unit.list(open(scope.id()))) {
            counted = settle(unit, counted, wait, wait.name(), resolution, at);
        }
        return counted;
    }

    private static Scope counted(Scope scope, int waits, int completions) {
        return scope.counted(scope.effects(), scope.waits() + waits, scope.completions() + completions);
    }

    /**
     * Whether a parked scope goes on because a wait was settled: an event wakes it, the end of a call only with the last one.
     *
     * @param settled the head after that
     */
    static boolean wakes(Scope settled, OpenWait.Kind kind) {
        return kind == OpenWait.Kind.EVENT || settled.completions() == 0;
    }
}
