package dev.belay.store.jdbc.sqlite;

import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results that came too late. Insert only. */
public final class SqliteLate {

    private static final String FIND = "select count(*) from late l join scope s on s.n = l.scope"
            + " where s.id = ? and l.key = ?";
    private static final String ADD = "insert into late (scope, key, result, output, at)"
            + " select n, ?, ?, ?, ? from scope where id = ?";
    private static final String LIST = "select l.key, l.result, b.bytes, l.at from late l"
            + " left join output_bytes b on b.hash = l.output"
            + " where l.scope = (select n from scope where id = ?) order by l.at, l.key";

    private SqliteLate() {}

    /**
     * A late result as it was read.
     *
     * @param key the effect
     * @param result as text
     * @param at when it came
     */
    public record Raw(String key, @Nullable String result, String at) {}

    /** Keeps a result; false if there is one for this key, or no such scope. */
    public static boolean add(Database db, String scope, String key, Stored result, String at)
            throws SQLException {
        if (db.number(FIND, scope, key) > 0 || SqliteScopes.head(db, scope) == null) {
            return false;
        }
        result.ensure(db, at);
        return db.update(ADD, key, result.text(), result.hash(), at, scope) == 1;
    }

    public static List<Raw> list(Database db, String scope) throws SQLException {
        return db.list(LIST,
                row -> new Raw(row.getString(1), SqliteOutputs.text(row, 2, 3), row.getString(4)), scope);
    }
}
