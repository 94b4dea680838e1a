package dev.belay.store.jdbc.file;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of journals that share a file. */
public final class SqliteOwners {

    private static final String ADD = "insert into owner (id, last_batch) values (?, 0)";
    private static final String MARK = "update owner set last_batch = ? where id = ?";
    private static final String LAST_BATCH = "select last_batch from owner where id = ?";
    private static final String OTHERS = "select id from owner where id <> ?";
    private static final String RELEASE_RESOURCES = "update resource set owner = null, scope = null, key = null"
            + " where owner = ?";
    private static final String FORGET = "delete from owner where id = ?1"
            + " and not exists (select 1 from scope where owner = ?1)";

    private SqliteOwners() {}

    public static void add(Database db, String owner) throws SQLException {
        db.update(ADD, owner);
    }

    /** Counts a commit; false if the owner's row is gone. */
    public static boolean mark(Database db, String owner, long batch) throws SQLException {
        return db.update(MARK, batch, owner) == 1;
    }

    public static @Nullable Long lastBatch(Database db, String owner) throws SQLException {
        return db.first(LAST_BATCH, row -> row.getLong(1), owner);
    }

    public static List<String> others(Database db, String owner) throws SQLException {
        return db.list(OTHERS, row -> row.getString(1), owner);
    }

    /** Forgets an owner that is dead, unless it still has scopes that nobody took. */
    public static boolean forget(Database db, String dead) throws SQLException {
        db.update(RELEASE_RESOURCES, dead);
        return db.update(FORGET, dead) == 1;
    }
}
