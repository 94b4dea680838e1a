package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.store.journal.Secret;
import dev.belay.store.jdbc.file.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The secrets that sign keys of waits. */
public final class SqliteSecrets {

    private static final String CURRENT = "select id, bytes from secret where bytes is not null order by id desc";
    private static final String BY_ID = "select id, bytes from secret where id = ? and bytes is not null";
    private static final String NEXT_ID = "select coalesce(max(id), 0) + 1 from secret";
    private static final String ADD = "insert into secret (id, bytes) values (?, ?)";
    private static final String REVOKE = "update secret set bytes = null where id = ? and bytes is not null";

    private SqliteSecrets() {}

    public static @Nullable Secret current(Database db) throws SQLException {
        return db.first(CURRENT, SqliteSecrets::secret);
    }

    public static @Nullable Secret byId(Database db, long id) throws SQLException {
        return db.first(BY_ID, SqliteSecrets::secret, id);
    }

    public static Secret add(Database db, byte[] bytes) throws SQLException {
        long id = db.number(NEXT_ID);
        db.update(ADD, id, bytes);
        return new Secret(id, bytes);
    }

    /** Revokes a secret; if it was the current one, another takes its place. */
    public static void revoke(Database db, long id, byte[] replacement) throws SQLException {
        Secret current = current(db);
        if (db.update(REVOKE, id) == 1 && current != null && current.id() == id) {
            add(db, replacement);
        }
    }

    private static Secret secret(ResultSet row) throws SQLException {
        return new Secret(row.getLong(1), row.getBytes(2));
    }
}
