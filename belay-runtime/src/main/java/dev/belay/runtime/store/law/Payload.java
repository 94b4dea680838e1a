package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.StoreRows.BYTES;
import static dev.belay.runtime.store.rows.StoreRows.CONTENTS;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.Bytes;
import dev.belay.runtime.store.rows.StoreRows.Content;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value on its way into a row: it stands in the row, or is kept by content. Immutable.
 *
 * @param inline the value, or null if it is kept by content or there is none
 * @param hash of the content, or null
 * @param bytes the content, or null
 */
@SuppressWarnings("ArrayRecordComponent") // payloads are not compared
record Payload(@Nullable Json inline, @Nullable String hash, byte @Nullable [] bytes) {

    private static final Payload NONE = new Payload(null, null, null);

    static Payload of(@Nullable Json value) {
        if (value == null) {
            return NONE;
        }
        Optional<LargeResult> large = LargeResult.of(value);
        return large.isEmpty()
                ? new Payload(value, null, null)
                : new Payload(null, large.get().hash(), large.get().bytes());
    }

    static Payload of(KeptBytes kept) {
        return new Payload(null, kept.reference().hash(), kept.bytes());
    }

    long size() {
        return bytes != null ? bytes.length : inline == null ? 0 : inline.text().length();
    }

    void select(Collection<Selector<?>> rows) {
        if (hash != null) {
            rows.add(Selector.one(CONTENTS, hash));
        }
    }

    /** Keeps the content, once, for a row that refers to it. */
    void keep(Unit unit, Instant at) {
        if (hash != null && bytes != null) {
            Content known = unit.get(CONTENTS, hash);
            if (known == null) {
                unit.put(BYTES, new Bytes(hash, bytes));
            }
            if (known == null || known.writtenAt().isBefore(at)) {
                unit.put(CONTENTS, new Content(hash, bytes.length, at));
            }
        }
    }
}
