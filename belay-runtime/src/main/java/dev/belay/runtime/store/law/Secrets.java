package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.StoreRows.SECRETS;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.SecretRow;
import dev.belay.runtime.store.rows.Unit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that sign keys of waits. The last one that was not revoked signs the keys of new scopes. A secret from outside has a row
 * like the others, with a mark in place of its bytes: a part of their hash.
 */
public final class Secrets {

    private static final String STORE = "store";
    private static final Selector<SecretRow> ALL = Selector.of(SECRETS, STORE);
    /** Shorter than a secret, so that the two are never taken for each other. */
    private static final int MARK_DIGITS = 32;

    /** Secrets from outside by their marks, the one that signs first; empty if the store keeps its own. */
    private final Map<String, byte[]> outside = new LinkedHashMap<>();

    /** Secrets from outside, the one that signs first; empty for secrets that are kept in the rows. */
    public Secrets(List<byte[]> outside) {
        outside.forEach(bytes -> this.outside.put(mark(new Secret(1, bytes).bytes()), bytes.clone()));
    }

    private static String mark(byte[] secret) {
        return new FramedHash().add("belay-secret-1").add(secret).hex().substring(0, MARK_DIGITS);
    }

    private static boolean isMark(byte @Nullable [] bytes) {
        return bytes != null && bytes.length != Secret.LENGTH;
    }

    static void select(Collection<Selector<?>> rows) {
        rows.add(ALL);
    }

    /** The number of the secret that signs keys of new scopes. */
    static long current(Unit unit) {
        return latest(unit).map(SecretRow::id).orElseThrow(Secrets::none);
    }

    private static JournalException none() {
        return JournalException.corrupt("the journal has no secret that signs new keys", null);
    }

    private static Optional<SecretRow> latest(Unit unit) {
        for (SecretRow row : unit.list(ALL).reversed()) {
            if (row.bytes() != null) {
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    /** Sees to it that the store has a secret which this opening can sign with. */
    public Operation<Boolean> opening(byte[] drawn) {
        return Operation.of(null, 0, Secrets::select, unit -> {
            SecretRow latest = latest(unit).orElse(null);
            if (outside.isEmpty()) {
                if (latest == null) {
                    add(unit, drawn);
                } else if (isMark(latest.bytes())) {
                    throw unavailable();
                }
            } else {
                byte[] mark = HexFormat.of().parseHex(outside.keySet().iterator().next());
                if (latest == null || !Arrays.equals(mark, latest.bytes())) {
                    add(unit, mark);
                }
            }
            return true;
        });
    }

    private static long add(Unit unit, byte[] bytes) {
        List<SecretRow> all = unit.list(ALL);
        long id = all.isEmpty() ? 1 : all.getLast().id() + 1;
        unit.put(SECRETS, new SecretRow(STORE, id, bytes));
        return id;
    }

    /** Adds a secret for scopes that are submitted from now on. */
    public Operation<Secret> rotate(byte[] bytes) {
        if (!outside.isEmpty()) {
            throw fromOutside("rotated", "put a new secret in front of it");
        }
        return Operation.of("rotate-secret", bytes.length, Secrets::select,
                unit -> new Secret(add(unit, bytes), bytes));
    }

    /** Makes every key that a secret signed unknown for good; if it is the current one, another one takes its place. */
    public Operation<Boolean> revoke(long id, byte[] replacement) {
        return Operation.of("revoke-secret", replacement.length, Secrets::select, unit -> {
            Optional<SecretRow> known = unit.list(ALL).stream().filter(row -> row.id() == id).findFirst();
            if (known.isPresent() && isMark(known.get().bytes())) {
                throw fromOutside("revoked", "take it out");
            }
            if (current(unit) == id) {
                add(unit, replacement);
            }
            if (known.isPresent()) {
                unit.put(SECRETS, new SecretRow(STORE, id, null));
            }
            return known.isPresent();
        });
    }

    private static BelayException fromOutside(String verb, String instead) {
        return new BelayException("secret_outside", "the secret comes from outside the store and cannot be "
                + verb + " in it; " + instead + " where it comes from, and open the store again");
    }

    /** The secret that signs the keys of new scopes. */
    public Operation<Secret> reading() {
        return Operation.reading(Secrets::select, unit -> {
            SecretRow latest = latest(unit).orElseThrow(Secrets::none);
            return secret(latest).orElseThrow(Secrets::unavailable);
        });
    }

    /** A secret, unless it was revoked. */
    public Operation<Optional<Secret>> reading(long id) {
        return Operation.reading(rows -> rows.add(Selector.one(SECRETS, STORE, id)),
                unit -> Optional.ofNullable(unit.get(SECRETS, STORE, id)).flatMap(this::secret));
    }

    /** A secret that this opening knows; one from outside that was not given counts as revoked. */
    private Optional<Secret> secret(SecretRow row) {
        byte[] bytes = row.bytes();
        byte[] known = bytes != null && isMark(bytes) ? outside.get(HexFormat.of().formatHex(bytes)) : bytes;
        return known == null ? Optional.empty() : Optional.of(new Secret(row.id(), known));
    }

    private static BelayException unavailable() {
        return new BelayException("secret_unavailable", "the keys of this store are signed by a secret from"
                + " outside, and this program did not give that secret; open the store with it");
    }
}
