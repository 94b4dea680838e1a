package dev.belay.store.jdbc.sqlite;

import dev.belay.store.jdbc.file.Database;
import java.sql.SQLException;
import java.util.function.Predicate;

/** Who holds which resource. The row of one that nobody holds keeps its fence. */
public final class SqliteResources {

    private static final String HOLDER = "select owner, scope, key from resource where name = ?"
            + " and owner is not null";
    private static final String HOLD = "insert into resource (name, owner, scope, key, fence) values (?, ?, ?, ?, 1)"
            + " on conflict (name) do update set owner = excluded.owner, scope = excluded.scope,"
            + " key = excluded.key, fence = fence + 1";
    private static final String FENCE = "select fence from resource where name = ?";
    private static final String RELEASE = "update resource set owner = null, scope = null, key = null"
            + " where name = ? and owner = ? and scope = ? and key = ?";
    private static final String RELEASE_BY_ID = "update resource set owner = null, scope = null, key = null"
            + " where name = ? and owner = ? and scope = (select n from scope where id = ?) and key = ?";

    private SqliteResources() {}

    /**
     * Who holds a resource: one record, run by one journal.
     *
     * @param owner the journal
     * @param scope the record's scope
     * @param key the record
     */
    record Holder(String owner, long scope, String key) {}

    /** Whether somebody else holds it who is alive. */
    static boolean isBusy(Database db, String resource, Holder asking, Predicate<String> alive)
            throws SQLException {
        Holder found = db.first(HOLDER,
                row -> new Holder(row.getString(1), row.getLong(2), row.getString(3)), resource);
        return found != null && !found.equals(asking)
                && (found.owner().equals(asking.owner()) || alive.test(found.owner()));
    }

    /** Takes it; its new fence. */
    static long hold(Database db, String resource, Holder holder) throws SQLException {
        db.update(HOLD, resource, holder.owner(), holder.scope(), holder.key());
        return db.number(FENCE, resource);
    }

    public static void release(Database db, String resource, Holder holder) throws SQLException {
        db.update(RELEASE, resource, holder.owner(), holder.scope(), holder.key());
    }

    public static void release(Database db, String resource, String owner, String scope, String key)
            throws SQLException {
        db.update(RELEASE_BY_ID, resource, owner, scope, key);
    }
}
