package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.RESOURCES;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;

import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Resource;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.ToolEffect;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How a record takes and releases resources. A holder that is dead, or whose scope was deleted, holds nothing.
 *
 * @param owner in whose hands the record is
 * @param scope of the record
 * @param key of the record
 */
record ResourceRules(String owner, String scope, String key) {

    void select(Collection<Selector<?>> rows, @Nullable String resource) {
        if (resource != null) {
            rows.add(Selector.one(RESOURCES, resource));
        }
    }

    /** Names the scope and the record of another holder. */
    void selectHolder(Unit unit, Collection<Selector<?>> rows, String resource) {
        Resource known = unit.get(RESOURCES, resource);
        if (known != null && known.scope() != null) {
            rows.add(Selector.one(SCOPES, known.scope()));
            rows.add(Selector.one(EFFECTS, known.scope(), String.valueOf(known.key())));
        }
    }

    /**
     * Whether a process died while another record that must not be repeated held it. Whether that happened is not known before its scope
     * is taken over.
     */
    boolean isLeft(Unit unit, String resource) {
        Resource known = unit.get(RESOURCES, resource);
        if (known == null || known.owner() == null || known.scope() == null
                || (scope.equals(known.scope()) && key.equals(known.key())) || unit.isAlive(known.owner())
                || unit.get(SCOPES, known.scope()) == null) {
            return false;
        }
        Effect record = unit.get(EFFECTS, known.scope(), String.valueOf(known.key()));
        return record != null && record.row().status() == EffectRow.Status.STARTED
                && record.row().effect() == ToolEffect.ONCE;
    }

    Written take(Unit unit, String resource) {
        Resource known = unit.get(RESOURCES, resource);
        if (known != null && !known.isHeldBy(owner, scope, key) && isHeld(unit, known)) {
            return new Written(Refusal.BUSY, 0);
        }
        long fence = known == null ? 1 : known.fence() + 1;
        unit.put(RESOURCES, new Resource(resource, owner, scope, key, fence));
        return new Written(null, fence);
    }

    private static boolean isHeld(Unit unit, Resource known) {
        return known.owner() != null && known.scope() != null && unit.isAlive(known.owner())
                && unit.get(SCOPES, known.scope()) != null;
    }

    boolean release(Unit unit, String resource) {
        Resource known = unit.get(RESOURCES, resource);
        boolean held = known != null && known.isHeldBy(owner, scope, key);
        if (known != null && held) {
            unit.put(RESOURCES, new Resource(resource, null, null, null, known.fence()));
        }
        return held;
    }
}
