package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.tool.context.Incarnation;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of sessions: one small row each, which every write of a turn changes, and what it began with. */
public final class SqliteSessions {

    public static final String FIND = "select n, incarnation, revision, active, messages, last_place from session"
            + " where id = ?";
    public static final String EXISTS = "select 1 from session where incarnation = ?";
    private static final String HEAD = "select s.id, s.incarnation, s.revision, s.active, s.messages, s.last_place,"
            + " coalesce(t.state, p.state), p.origin, s.created_at, s.changed_at from session s"
            + " left join turn t on t.session = s.n and t.turn = s.state_turn"
            + " left join session_past p on p.session = s.n";
    public static final String HEAD_BY_ID = HEAD + " where s.id = ?";
    public static final String HEADS = HEAD + " where s.id > ? order by s.id limit ?";
    private static final String ADD = "insert into session (id, incarnation, revision, active, messages, last_place,"
            + " created_at, changed_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) on conflict do nothing";
    private static final String ADD_PAST = "insert into session_past (session, origin, state) values (?, ?, ?)";
    private static final String ARRIVED = "update session set last_place = ?, active = ?, changed_at = ?"
            + " where n = ?";
    private static final String COMMITTED = "update session set revision = ?, active = ?, messages = messages + ?,"
            + " state_turn = coalesce(?, state_turn), changed_at = ? where n = ?";
    private static final String TOUCH = "update session set changed_at = ? where n = ?";
    private static final List<String> DELETE = List.of("delete from message where session = ?",
            "delete from arrival where session = ?", "delete from turn where session = ?",
            "delete from session_past where session = ?", "delete from process_grant where session = ?",
            "delete from session where n = ?");

    private SqliteSessions() {}

    /**
     * What a write needs to know of a session.
     *
     * @param n its row
     * @param incarnation its random bits
     * @param revision the last turn that was committed
     * @param active the turn that is not, or null
     * @param messages how many
     * @param lastPlace of an arrival
     */
    record Found(long n, Incarnation incarnation, long revision, @Nullable Long active, long messages,
            long lastPlace) {

        private static Found read(ResultSet row) throws SQLException {
            return new Found(row.getLong(1), SqliteScopes.bits(row.getBytes(2)), row.getLong(3),
                    nullableLong(row, 4),
                    row.getLong(5), row.getLong(6));
        }
    }

    /**
     * A whole session; its JSON is parsed by whoever asked.
     *
     * @param id which
     * @param incarnation its random bits
     * @param revision the last turn that was committed
     * @param active the turn that is not, or null
     * @param messages how many
     * @param lastPlace of an arrival
     * @param state as text, or null for none
     * @param origin as text, or null for none
     * @param createdAt when
     * @param changedAt when
     */
    record Raw(String id, Incarnation incarnation, long revision, @Nullable Long active, long messages,
            long lastPlace, @Nullable String state, @Nullable String origin, String createdAt,
            String changedAt) {

        private static Raw read(ResultSet row) throws SQLException {
            return new Raw(row.getString(1), SqliteScopes.bits(row.getBytes(2)), row.getLong(3),
                    nullableLong(row, 4),
                    row.getLong(5), row.getLong(6), row.getString(7), row.getString(8), row.getString(9),
                    row.getString(10));
        }

        SessionHead head() {
            return new SessionHead(new SessionId(id), incarnation, revision, active, messages, lastPlace,
                    orNull(state), orNull(origin), Moments.instant(createdAt), Moments.instant(changedAt));
        }

        private static Json orNull(@Nullable String text) {
            return text == null ? Json.NULL : RecordedText.json(text);
        }
    }

    static @Nullable Long nullableLong(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    static @Nullable Found find(Database db, String id) throws SQLException {
        return db.first(FIND, Found::read, id);
    }

    static boolean exists(Database db, Incarnation incarnation) throws SQLException {
        return db.number(EXISTS, (Object) incarnation.bytes()) == 1;
    }

    static @Nullable Raw head(Database db, String id) throws SQLException {
        return db.first(HEAD_BY_ID, Raw::read, id);
    }

    static List<Raw> heads(Database db, String after, int most) throws SQLException {
        return db.list(HEADS, Raw::read, after, most);
    }

    /** Adds a session whose name is free; its row. */
    static long add(Database db, String id, Incarnation incarnation, long revision, @Nullable Long active,
            long messages, long lastPlace, String at) throws SQLException {
        if (db.update(ADD, id, incarnation.bytes(), revision, active, messages, lastPlace, at) == 0) {
            throw new IllegalArgumentException("the incarnation " + incarnation
                    + " belongs to another session; draw one for " + id);
        }
        return db.number("select last_insert_rowid()");
    }

    static void addPast(Database db, long session, String origin, String state) throws SQLException {
        db.update(ADD_PAST, session, origin, state);
    }

    static void arrived(Database db, long session, long place, @Nullable Long active, String at)
            throws SQLException {
        db.update(ARRIVED, place, active, at, session);
    }

    static void committed(Database db, long session, long turn, @Nullable Long next, int messages,
            boolean newState, String at) throws SQLException {
        db.update(COMMITTED, turn, next, messages, newState ? turn : null, at, session);
    }

    static void touch(Database db, long session, String at) throws SQLException {
        db.update(TOUCH, at, session);
    }

    static void delete(Database db, long session) throws SQLException {
        for (String table : DELETE) {
            db.update(table, session);
        }
    }
}
