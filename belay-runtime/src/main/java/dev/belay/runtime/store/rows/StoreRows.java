package dev.belay.runtime.store.rows;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rows that belong to the store as a whole: owners, secrets, counters, and what is kept by content. */
public final class StoreRows {

    /** Stores that are open on these rows, or died on them. */
    public static final Table<Owner> OWNERS = Table.single("owner", "id text, last_batch number", Owner::id,
            o -> new Object[]{o.id, o.lastBatch}, v -> new Owner(v.text(), v.number()));

    /** Numbers that only grow. */
    public static final Table<Counter> COUNTERS = Table.of("counter",
            "parent text, name text, value number, digest text",
            Counter::parent, Counter::name, c -> new Object[]{c.parent, c.name, c.value, c.digest},
            v -> new Counter(v.text(), v.text(), v.number(), v.textOrNull()));

    /** Keys of waits are signed by these. */
    public static final Table<SecretRow> SECRETS = Table.of("secret", "store text, id number, bytes bytes",
            SecretRow::store, SecretRow::id, s -> new Object[]{s.store, s.id, s.bytes},
            v -> new SecretRow(v.text(), v.number(), v.bytesOrNull()));

    /** What is kept by content: large results and attachments. */
    public static final Table<Content> CONTENTS = Table.single("content",
            "hash text, size number, written_at moment",
            Content::hash, c -> new Object[]{c.hash, c.size, c.writtenAt},
            v -> new Content(v.text(), v.number(), v.moment()));

    /** Its bytes. Apart, so that a touch does not move them. */
    public static final Table<Bytes> BYTES = Table.single("content_bytes", "hash text, bytes bytes",
            Bytes::hash,
            b -> new Object[]{b.hash, b.bytes}, v -> new Bytes(v.text(), v.bytes()));

    /** Which keeper keeps which content. */
    public static final Table<Kept> KEPT = Table.of("kept",
            "keeper text, reference text, hash text, since moment",
            Kept::keeper, Kept::reference, k -> new Object[]{k.keeper, k.reference, k.hash, k.since},
            v -> new Kept(v.text(), v.text(), v.text(), v.moment()));

    private StoreRows() {}

    /**
     * A store that writes these rows.
     *
     * @param id which
     * @param lastBatch the number of its last commit
     */
    public record Owner(String id, long lastBatch) {}

    /**
     * A number that only grows.
     *
     * @param parent of what
     * @param name which
     * @param value how far it is
     * @param digest of the row that has this number, where each row covers the one before it; else null
     */
    public record Counter(String parent, String name, long value, @Nullable String digest) {

        /** A counter of rows that stand alone. */
        public Counter(String parent, String name, long value) {
            this(parent, name, value, null);
        }
    }

    /**
     * A secret.
     *
     * @param store always the same; the parent of all secrets
     * @param id its number
     * @param bytes its bytes, or a mark of another length if they are kept outside; null once it was revoked
     */
    @SuppressWarnings("ArrayRecordComponent") // rows are not compared
    public record SecretRow(String store, long id, byte @Nullable [] bytes) {}

    /**
     * Some content.
     *
     * @param hash of its bytes
     * @param size in bytes
     * @param writtenAt when a record referred to it last
     */
    public record Content(String hash, long size, Instant writtenAt) {}

    /**
     * The bytes of some content.
     *
     * @param hash of them
     * @param bytes these
     */
    @SuppressWarnings("ArrayRecordComponent") // rows are not compared
    public record Bytes(String hash, byte[] bytes) {}

    /**
     * A reference to some content.
     *
     * @param keeper who keeps it
     * @param reference hash and media type
     * @param hash of the content
     * @param since when
     */
    public record Kept(String keeper, String reference, String hash, Instant since) {}
}
