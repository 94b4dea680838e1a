package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.StoreRows.SECRETS;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.SecretRow;
import dev.belay.runtime.store.rows.Unit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The secrets that sign keys of waits. The last one that was not revoked signs the keys of new scopes. */
final class Secrets {

    private static final String STORE = "store";
    private static final Selector<SecretRow> ALL = Selector.of(SECRETS, STORE);

    private Secrets() {}

    static void select(Collection<Selector<?>> rows) {
        rows.add(ALL);
    }

    /** The number of the secret that signs keys of new scopes. */
    static long current(Unit unit) {
        return latest(unit).map(SecretRow::id)
                .orElseThrow(() -> JournalException.corrupt(
                        "the journal has no secret that signs new keys", null));
    }

    private static Optional<SecretRow> latest(Unit unit) {
        for (SecretRow row : unit.list(ALL).reversed()) {
            if (row.bytes() != null) {
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    /** The first secret of a store; what one that has a secret answers is not used. */
    static Operation<Boolean> first(byte[] bytes) {
        return Operation.of(null, 0, Secrets::select, unit -> {
            boolean none = latest(unit).isEmpty();
            if (none) {
                add(unit, bytes);
            }
            return none;
        });
    }

    private static Secret add(Unit unit, byte[] bytes) {
        List<SecretRow> all = unit.list(ALL);
        long id = all.isEmpty() ? 1 : all.getLast().id() + 1;
        unit.put(SECRETS, new SecretRow(STORE, id, bytes));
        return new Secret(id, bytes);
    }

    static Operation<Secret> rotate(byte[] bytes) {
        return Operation.of("rotate-secret", bytes.length, Secrets::select, unit -> add(unit, bytes));
    }

    static Operation<Boolean> revoke(long id, byte[] replacement) {
        return Operation.of("revoke-secret", replacement.length, Secrets::select, unit -> {
            if (current(unit) == id) {
                add(unit, replacement);
            }
            boolean known = unit.list(ALL).stream().anyMatch(row -> row.id() == id);
            if (known) {
                unit.put(SECRETS, new SecretRow(STORE, id, null));
            }
            return known;
        });
    }

    static Operation<Secret> reading() {
        return Operation.reading(Secrets::select, unit -> latest(unit).flatMap(Secrets::secret)
                .orElseThrow(() -> JournalException.corrupt(
                        "the journal has no secret that signs new keys", null)));
    }

    static Operation<Optional<Secret>> reading(long id) {
        return Operation.reading(rows -> rows.add(Selector.one(SECRETS, STORE, id)),
                unit -> Optional.ofNullable(unit.get(SECRETS, STORE, id)).flatMap(Secrets::secret));
    }

    private static Optional<Secret> secret(SecretRow row) {
        return Optional.ofNullable(row.bytes()).map(bytes -> new Secret(row.id(), bytes));
    }
}
