package dev.belay.store.jdbc.sqlite;

import dev.belay.store.jdbc.file.Database;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Large results and attachments, once each. The bytes are written in a commit of their own, before the row that refers to them;
 * if a collector took them in between, the row's own commit brings them back.
 */
public final class SqliteOutputs {

    private static final String KNOWN = "select 1 from output where hash = ?";
    private static final String TOUCH = "update output set written_at = max(written_at, ?) where hash = ?";
    private static final String ADD = "insert into output (hash, written_at) values (?, ?)";
    private static final String ADD_BYTES = "insert into output_bytes (hash, bytes) values (?, ?)";
    private static final String NOT_REFERRED_TO = " and not exists (select 1 from effect where output = o.hash)"
            + " and not exists (select 1 from scope where output = o.hash)"
            + " and not exists (select 1 from late where output = o.hash)"
            + " and not exists (select 1 from attachment where hash = o.hash)";
    public static final String UNUSED = "select written_at, hash, (select length(bytes) from output_bytes b"
            + " where b.hash = o.hash) from output o where (written_at, hash) > (?, ?) and written_at < ?"
            + NOT_REFERRED_TO + " order by written_at, hash limit ?";
    /** Foreign keys would refuse to delete what a record refers to; asking first spares the others of the commit. */
    public static final String COLLECT = "delete from output as o where hash = ? and written_at < ?"
            + NOT_REFERRED_TO;

    private SqliteOutputs() {}

    /**
     * A result as it is stored: in its record, or by content.
     *
     * @param text in the record, or null
     * @param hash of the content, or null
     * @param bytes the content, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Stored(@Nullable String text, @Nullable String hash, byte @Nullable [] bytes) {

        public static final Stored NOTHING = new Stored(null, null, null);

        public long size() {
            return text == null ? 0 : text.length();
        }

        /** Makes sure that the content is there when a record refers to it. */
        void ensure(Database db, String at) throws SQLException {
            if (hash != null && bytes != null) {
                add(db, hash, bytes, at);
            }
        }
    }

    /**
     * A result that nothing refers to.
     *
     * @param writtenAt when it was written last
     * @param hash of the content
     * @param bytes how long it is
     */
    record Unused(String writtenAt, String hash, long bytes) {

        /** Comes before all of them. */
        static final Unused FIRST = new Unused("", "", 0);
    }

    public static boolean known(Database db, String hash) throws SQLException {
        return db.number(KNOWN, hash) == 1;
    }

    public static void add(Database db, String hash, byte[] bytes, String at) throws SQLException {
        if (db.update(TOUCH, at, hash) == 0) {
            db.update(ADD, hash, at);
            db.update(ADD_BYTES, hash, bytes);
        }
    }

    static List<Unused> unused(Database db, String before, Unused after, int most) throws SQLException {
        return db.list(UNUSED, row -> new Unused(row.getString(1), row.getString(2), row.getLong(3)),
                after.writtenAt(), after.hash(), before, most);
    }

    /** Deletes a result if it is still old and nothing refers to it; how many. */
    static int collect(Database db, String hash, String before) throws SQLException {
        return db.update(COLLECT, hash, before);
    }

    /** The text of a result: from its record, or from the bytes that a query has joined to it. */
    static @Nullable String text(ResultSet row, int text, int bytes) throws SQLException {
        String inline = row.getString(text);
        if (inline != null) {
            return inline;
        }
        byte[] content = row.getBytes(bytes);
        return content == null ? null : new String(content, StandardCharsets.UTF_8);
    }
}
