package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Journal.Refusal;
import dev.belay.runtime.store.journal.Journal.Written;
import dev.belay.runtime.store.memory.MemoryTables.Resource;
import java.util.Set;

/**
 * Who takes and releases a resource in memory: one record, in the hands of one journal.
 *
 * @param owner the journal
 * @param scope where the record stands
 * @param key its key
 */
record MemoryHolder(String owner, ScopeId scope, String key) {

    Written take(MemoryTables rows, String resource, Set<String> living) {
        Resource known = rows.resource(resource);
        MemoryHolder holder = known == null ? null : known.holder();
        if (holder != null && living.contains(holder.owner()) && !holder.equals(this)) {
            return new Written(Refusal.BUSY, 0);
        }
        long fence = known == null ? 1 : known.fence() + 1;
        rows.put(resource, new Resource(this, fence));
        return new Written(null, fence);
    }

    /** Whether it was held by this one. */
    boolean release(MemoryTables rows, String resource) {
        Resource known = rows.resource(resource);
        boolean held = known != null && equals(known.holder());
        if (known != null && held) {
            rows.put(resource, new Resource(null, known.fence()));
        }
        return held;
    }
}
