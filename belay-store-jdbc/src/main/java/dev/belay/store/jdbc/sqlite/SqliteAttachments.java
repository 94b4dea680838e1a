package dev.belay.store.jdbc.sqlite;

import dev.belay.store.jdbc.file.Database;
import dev.belay.tool.context.Attachments;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Who keeps what of the bytes that are stored by content. */
public final class SqliteAttachments {

    public static final String IS_KEPT = "select 1 from attachment where keeper = ? and hash = ? and media_type = ?";
    public static final String FIND = "select b.bytes from attachment a join output_bytes b on b.hash = a.hash"
            + " where a.keeper = ? and a.hash = ? and a.media_type = ? and length(b.bytes) = ?";
    private static final String KEEP = "insert into attachment (keeper, hash, media_type, since) values (?, ?, ?, ?)"
            + " on conflict do nothing";
    public static final String KEEP_TOO = "insert into attachment (keeper, hash, media_type, since)"
            + " select ?, hash, media_type, since from attachment where keeper = ?";
    public static final String COLLECT = "delete from attachment where keeper = (select id from scope where n = ?1)"
            + " and (hash, media_type) in (select hash, media_type from attachment"
            + " where keeper = (select id from scope where n = ?1) limit ?2)";

    private SqliteAttachments() {}

    public static boolean isKept(Database db, String keeper, Attachments.Reference reference)
            throws SQLException {
        return db.number(IS_KEPT, keeper, reference.hash(), reference.mediaType()) == 1;
    }

    public static byte @Nullable [] find(Database db, String keeper, Attachments.Reference reference)
            throws SQLException {
        return db.first(FIND, row -> row.getBytes(1), keeper, reference.hash(), reference.mediaType(),
                reference.size());
    }

    /** Keeps bytes that are there. */
    static void keep(Database db, String keeper, Attachments.Reference reference, String at)
            throws SQLException {
        db.update(KEEP, keeper, reference.hash(), reference.mediaType(), at);
    }

    /** Lets a new keeper keep what another one keeps. */
    static void keepToo(Database db, String keeper, String from) throws SQLException {
        db.update(KEEP_TOO, keeper, from);
    }

    /** Lets go of some of what a scope itself keeps; how many. */
    static int collect(Database db, long scope, int most) throws SQLException {
        return db.update(COLLECT, scope, most);
    }
}
