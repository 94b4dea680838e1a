package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.OpenWait.Kind;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The waits of scopes. Resolutions are stored as {@code OutcomeJson} writes them. */
public final class SqliteWaits {

    public static final String FIND = "select kind, opened, resolution from wait where scope = ? and name = ?";
    public static final String LIST = "select name, kind, deadline, announcement, opened, resolution from wait"
            + " where scope = (select n from scope where id = ?)";
    /** One that was settled before it was opened keeps its resolution; one that is open stays as it is. */
    private static final String OPEN = "insert into wait (scope, name, kind, opened, deadline, announcement)"
            + " values (?, ?, ?, 1, ?, ?) on conflict (scope, name) do update set opened = 1,"
            + " kind = excluded.kind, deadline = excluded.deadline, announcement = excluded.announcement"
            + " where opened = 0";
    private static final String SETTLE = "update wait set resolution = ?, settled_at = ?"
            + " where scope = ? and name = ?";
    private static final String SETTLE_EARLY = "insert into wait (scope, name, kind, opened, resolution, settled_at)"
            + " values (?, ?, 'COMPLETION', 0, ?, ?)";
    private static final String SETTLE_ALL = "update wait set resolution = ?, settled_at = ?"
            + " where scope = ? and resolution is null";
    private static final String SETTLE_DUE = "update wait set resolution = ?, settled_at = ?2"
            + " where scope = ? and resolution is null and deadline is not null and deadline <= ?2";
    private static final String DUE_EVENTS = "select count(*) from wait where scope = ? and resolution is null"
            + " and kind = 'EVENT' and deadline is not null and deadline <= ?";
    private static final String ANY_SETTLED = "select count(*) from wait where scope = ? and resolution is not null"
            + " and name in (select value from json_each(?))";
    private static final String OPEN_COMPLETIONS = "select count(*) from wait where scope = ?"
            + " and resolution is null and kind = 'COMPLETION'";
    public static final String DUE_SCOPES = "select scope from wait where resolution is null"
            + " and deadline is not null and deadline <= ? order by deadline limit ?";
    public static final String NEXT_DUE = "select deadline from wait where resolution is null"
            + " and deadline is not null order by deadline limit 1";

    private SqliteWaits() {}

    /**
     * A wait as a resolution finds it.
     *
     * @param kind what its settlement means
     * @param resolution what settled it, or null
     */
    record Found(Kind kind, @Nullable String resolution) {}

    /**
     * A wait as it is stored.
     *
     * @param name which
     * @param kind what its settlement means
     * @param deadline when it times out, or null
     * @param announcement or null
     * @param opened whether the scope came to wait for it
     * @param resolution or null
     */
    public record Stored(String name, Kind kind, @Nullable String deadline, @Nullable String announcement,
            boolean opened,
            @Nullable String resolution) {}

    static @Nullable Found find(Database db, long scope, String name) throws SQLException {
        return db.first(FIND, row -> new Found(Kind.valueOf(row.getString(1)), row.getString(3)), scope,
                name);
    }

    static boolean isSettled(Database db, long scope, String name) throws SQLException {
        Found found = find(db, scope, name);
        return found != null && found.resolution() != null;
    }

    public static List<Stored> list(Database db, String scope) throws SQLException {
        return db.list(LIST, row -> new Stored(row.getString(1), Kind.valueOf(row.getString(2)),
                row.getString(3), row.getString(4), row.getInt(5) == 1, row.getString(6)),
                scope);
    }

    static void open(Database db, long scope, List<OpenWait> waits) throws SQLException {
        for (OpenWait wait : waits) {
            db.update(OPEN, scope, wait.name().value(), wait.kind().name(),
                    Moments.nullableText(wait.deadline()),
                    wait.announcement());
        }
    }

    static void settle(Database db, long scope, String name, String resolution, String at)
            throws SQLException {
        db.update(SETTLE, resolution, at, scope, name);
    }

    static void settleEarly(Database db, long scope, String name, String resolution, String at)
            throws SQLException {
        db.update(SETTLE_EARLY, scope, name, resolution, at);
    }

    /** Settles all that are open; how many. */
    static int settleAll(Database db, long scope, String resolution, String at) throws SQLException {
        return db.update(SETTLE_ALL, resolution, at, scope);
    }

    /** Settles those whose deadline has come; how many. */
    static int settleDue(Database db, long scope, String resolution, String now) throws SQLException {
        return db.update(SETTLE_DUE, resolution, now, scope);
    }

    static boolean hasDueEvent(Database db, long scope, String now) throws SQLException {
        return db.number(DUE_EVENTS, scope, now) > 0;
    }

    /** Whether one of the names, given as an array in JSON, is settled. */
    static boolean anySettled(Database db, long scope, String names) throws SQLException {
        return db.number(ANY_SETTLED, scope, names) > 0;
    }

    static boolean hasOpenCompletion(Database db, long scope) throws SQLException {
        return db.number(OPEN_COMPLETIONS, scope) > 0;
    }

    static List<Long> dueScopes(Database db, String now, int most) throws SQLException {
        return db.list(DUE_SCOPES, row -> row.getLong(1), now, most);
    }

    public static @Nullable String nextDue(Database db) throws SQLException {
        return db.first(NEXT_DUE, row -> row.getString(1));
    }
}
