package dev.belay.runtime.store.memory;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.ServedKinds;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows in memory, with what finds them quickly and what takes a write back.
 *
 * <p>Concurrency: guarded by the lock of {@link InMemoryRecords}. Recovery: each change pushes its reverse; {@link #rollBack}
 * runs these in reverse order, {@link #commit} forgets them. Rows are immutable.
 */
final class MemoryTables {

    /** A moment at which something happens by itself; the name is null if it is the scope's own. */
    private record Due(Instant at, ScopeId scope, @Nullable WaitName name) {

        static final Comparator<Due> ORDER = Comparator.comparing(Due::at)
                .thenComparing(due -> due.scope().value())
                .thenComparing(due -> due.name() == null ? "" : due.name().value());
    }

    /** A record; its result stands in the outputs if {@code output} is set. */
    private record StoredEffect(EffectRow row, @Nullable String output) {}

    /** A resource; the fence outlives the holder, which is null while the resource is free. */
    record Resource(@Nullable MemoryHolder holder, long fence) {}

    private final Map<ScopeId, MemoryScope> scopes = new LinkedHashMap<>();
    private final Map<ScopeId, Map<String, StoredEffect>> effects = new HashMap<>();
    private final Map<ScopeId, Map<WaitName, WaitState>> waits = new HashMap<>();
    private final Map<ScopeId, Map<String, LateResult>> late = new HashMap<>();
    private final Map<String, Resource> resources = new HashMap<>();
    private final MemoryOutputs outputs = new MemoryOutputs(this);
    private final TreeMap<Long, Secret> secrets = new TreeMap<>();

    private final Set<ScopeId> ready = new LinkedHashSet<>();
    private final Set<ScopeId> stuck = new LinkedHashSet<>();
    private final Map<String, Set<ScopeId>> owned = new HashMap<>();
    private final TreeSet<Due> due = new TreeSet<>(Due.ORDER);

    private final Deque<Runnable> undo = new ArrayDeque<>();

    /** Makes the changes final; whether there were any. */
    boolean commit() {
        boolean changed = !undo.isEmpty();
        undo.clear();
        return changed;
    }

    void rollBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }

    /** How a change that was made elsewhere is taken back. */
    void undo(Runnable reverse) {
        undo.push(reverse);
    }

    /** What is kept by content. */
    MemoryOutputs outputs() {
        return outputs;
    }

    @Nullable
    MemoryScope scope(ScopeId id) {
        return scopes.get(id);
    }

    void put(MemoryScope row) {
        MemoryScope old = swap(row.id(), row);
        undo.push(() -> swap(row.id(), old));
    }

    /** Deletes the scopes whose names begin with something, and all that they keep; resources keep their fences. */
    void removeScopes(String prefix) {
        outputs.letGoOf(prefix);
        List.copyOf(scopes.keySet())
                .stream()
                .filter(id -> id.value().startsWith(prefix))
                .forEach(this::remove);
        for (var entry : List.copyOf(resources.entrySet())) {
            MemoryHolder holder = entry.getValue().holder();
            if (holder != null && holder.scope().value().startsWith(prefix)) {
                put(entry.getKey(), new Resource(null, entry.getValue().fence()));
            }
        }
    }

    private void remove(ScopeId id) {
        removeEffects(id);
        put(effects, id, null);
        for (WaitState wait : waits(id)) {
            swap(id, wait.name(), null);
            undo.push(() -> swap(id, wait.name(), wait));
        }
        put(waits, id, null);
        put(late, id, null);
        MemoryScope old = swap(id, null);
        undo.push(() -> swap(id, old));
    }

    private @Nullable MemoryScope swap(ScopeId id, @Nullable MemoryScope row) {
        MemoryScope old = row == null ? scopes.remove(id) : scopes.put(id, row);
        if (old != null) {
            index(old, false);
        }
        if (row != null) {
            index(row, true);
        }
        return old;
    }

    private void index(MemoryScope row, boolean present) {
        switch (row.status()) {
            case READY -> change(ready, row.id(), present);
            case RUNNING -> indexOwned(String.valueOf(row.owner()), row.id(), present);
            case PARKED -> {
                if (row.wakeAt() != null) {
                    change(due, new Due(row.wakeAt(), row.id(), null), present);
                }
            }
            case STUCK -> change(stuck, row.id(), present);
            case ENDED -> {
            }
        }
    }

    private void indexOwned(String owner, ScopeId id, boolean present) {
        Set<ScopeId> ids = owned.computeIfAbsent(owner, unused -> new LinkedHashSet<>());
        change(ids, id, present);
        if (ids.isEmpty()) {
            owned.remove(owner);
        }
    }

    private static <T> void change(Set<T> set, T element, boolean present) {
        if (present) {
            set.add(element);
        } else {
            set.remove(element);
        }
    }

    /** A scope that is ready or whose owner is not among the living. */
    Optional<ScopeId> takeable(Set<String> living, ServedKinds served) {
        Stream<ScopeId> left = owned.entrySet()
                .stream()
                .filter(entry -> !living.contains(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream());
        return Stream.concat(left, ready.stream())
                .filter(id -> served.contains(Objects.requireNonNull(scopes.get(id)).origin().input().kind()))
                .findFirst();
    }

    List<MemoryScope> stuck() {
        return stuck.stream().map(scopes::get).toList();
    }

    /** Scopes that ended before a moment and still have records. */
    List<ScopeId> collectable(Instant endedBefore) {
        return scopes.values()
                .stream()
                .filter(row -> row.endedAt() != null && row.endedAt().isBefore(endedBefore))
                .map(MemoryScope::id)
                .filter(id -> !effects.getOrDefault(id, Map.of()).isEmpty() || outputs.isKeeper(id.value()))
                .toList();
    }

    /** A scope for which something has come due. */
    Optional<ScopeId> due(Instant now) {
        return due.isEmpty() || due.first().at().isAfter(now)
                ? Optional.empty()
                : Optional.of(due.first().scope());
    }

    Optional<Instant> nextDue() {
        return due.isEmpty() ? Optional.empty() : Optional.of(due.first().at());
    }

    List<WaitState> waits(ScopeId scope) {
        return List.copyOf(waits.getOrDefault(scope, Map.of()).values());
    }

    @Nullable
    WaitState wait(ScopeId scope, WaitName name) {
        return waits.getOrDefault(scope, Map.of()).get(name);
    }

    void put(ScopeId scope, WaitState row) {
        WaitState old = swap(scope, row.name(), row);
        undo.push(() -> swap(scope, row.name(), old));
    }

    private @Nullable WaitState swap(ScopeId scope, WaitName name, @Nullable WaitState row) {
        Map<WaitName, WaitState> rows = waits.computeIfAbsent(scope, unused -> new LinkedHashMap<>());
        WaitState old = row == null ? rows.remove(name) : rows.put(name, row);
        if (old != null) {
            index(scope, old, false);
        }
        if (row != null) {
            index(scope, row, true);
        }
        return old;
    }

    private void index(ScopeId scope, WaitState row, boolean present) {
        if (row.resolution() == null && row.deadline() != null) {
            change(due, new Due(row.deadline(), scope, row.name()), present);
        }
    }

    List<EffectRow> effects(ScopeId scope) {
        List<EffectRow> rows = new ArrayList<>();
        for (StoredEffect stored : effects.getOrDefault(scope, Map.of()).values()) {
            rows.add(stored.output() == null
                    ? stored.row()
                    : with(stored.row(), outputs.result(stored.output()), stored.row().fence()));
        }
        return rows;
    }

    EffectRow.@Nullable Status effectStatus(ScopeId scope, String key) {
        StoredEffect stored = effects.getOrDefault(scope, Map.of()).get(key);
        return stored == null ? null : stored.row().status();
    }

    void put(ScopeId scope, EffectRow row, long fence, @Nullable LargeResult large, Instant at) {
        Map<String, StoredEffect> rows = effects.computeIfAbsent(scope, unused -> new LinkedHashMap<>());
        StoredEffect old = rows.get(row.key());
        if (large == null || row.result() == null) {
            put(rows, row.key(), new StoredEffect(with(row, row.result(), fence), null));
        } else {
            outputs.refer(large.hash(), row.result(), at);
            put(rows, row.key(), new StoredEffect(with(row, null, fence), large.hash()));
        }
        forget(old);
    }

    private static EffectRow with(EffectRow row, @Nullable Json result, long fence) {
        return new EffectRow(row.key(), row.ordinal(), row.kind(), row.hash(), row.identity(), row.status(),
                row.input(), result, row.fingerprint(), row.effect(), row.resource(), fence);
    }

    private void forget(@Nullable StoredEffect old) {
        if (old != null && old.output() != null) {
            outputs.forget(old.output());
        }
    }

    /** Deletes the records of a scope and lets go of what it keeps itself; how many of both. */
    int collect(ScopeId scope) {
        return removeEffects(scope) + outputs.letGo(scope.value());
    }

    private int removeEffects(ScopeId scope) {
        Map<String, StoredEffect> rows = effects.getOrDefault(scope, Map.of());
        List<StoredEffect> all = List.copyOf(rows.values());
        for (StoredEffect stored : all) {
            put(rows, stored.row().key(), null);
            forget(stored);
        }
        return all.size();
    }

    @Nullable
    Resource resource(String name) {
        return resources.get(name);
    }

    void put(String name, Resource row) {
        put(resources, name, row);
    }

    List<LateResult> late(ScopeId scope) {
        return List.copyOf(late.getOrDefault(scope, Map.of()).values());
    }

    void putFirst(ScopeId scope, LateResult row) {
        Map<String, LateResult> rows = late.computeIfAbsent(scope, unused -> new LinkedHashMap<>());
        if (!rows.containsKey(row.key().value())) {
            put(rows, row.key().value(), row);
        }
    }

    @Nullable
    Secret secret(long id) {
        return secrets.get(id);
    }

    /** The newest one; there always is one, because {@link #removeSecret} is told to add a successor first. */
    Secret latestSecret() {
        return secrets.lastEntry().getValue();
    }

    Secret addSecret(byte[] bytes) {
        var secret = new Secret(secrets.isEmpty() ? 1 : secrets.lastKey() + 1, bytes);
        put(secrets, secret.id(), secret);
        return secret;
    }

    void removeSecret(long id) {
        put(secrets, id, null);
    }

    /** Replaces a row, or removes it, and knows how that is taken back. */
    <K, V> void put(Map<K, V> rows, K key, @Nullable V row) {
        V old = row == null ? rows.remove(key) : rows.put(key, row);
        undo.push(() -> {
            if (old == null) {
                rows.remove(key);
            } else {
                rows.put(key, old);
            }
        });
    }
}
