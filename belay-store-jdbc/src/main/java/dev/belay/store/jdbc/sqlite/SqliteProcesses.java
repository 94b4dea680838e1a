package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of processes: who may handle them, what they have told, who waits for them. */
public final class SqliteProcesses {

    public static final String FIND = "select n, scope, hash, ended_at is not null from process where id = ?";
    private static final String ROW = "select " + SqliteScopes.STATE_COLUMNS
            + ", p.n, p.id, p.started_at, p.ended_at from ";
    private static final String REST = "process p join scope s on s.n = p.scope"
            + " join scope_input i on i.scope = s.n left join output_bytes b on b.hash = s.output";
    public static final String ROW_BY_ID = ROW + REST + " where p.id = ?";
    public static final String LIST = ROW + REST + " where p.n > ? order by p.n limit ?";
    public static final String GRANTED = ROW + "process_grant g cross join " + REST
            + " where p.n = g.process and g.session = (select n from session where id = ?)"
            + " and g.process > ? order by g.process limit ?";
    public static final String IS_GRANTED = "select 1 from process_grant where session = (select n from session where id = ?)"
            + " and process = (select n from process where id = ?)";
    public static final String SESSIONS = "select s.n, s.last_place, s.active from process_grant g"
            + " join session s on s.n = g.session where g.process = ?";
    public static final String EVENTS = "select place, key, type, payload, at from process_event"
            + " where process = (select n from process where id = ?) and place > ? order by place limit ?";
    public static final String EVENT = "select place, key, type, payload, at from process_event"
            + " where process = ? and key = ?";
    public static final String WATCHERS = "select token from process_watcher"
            + " where process = (select n from process where id = ?)";
    private static final String COUNT_WATCHERS = "select count(*) from process_watcher where process = ?";
    private static final String ADD = "insert into process (id, scope, hash, started_at) values (?, ?, ?, ?)";
    private static final String GRANT = "insert into process_grant (session, process) values (?, ?)"
            + " on conflict do nothing";
    private static final String TELL = "insert into process_event (process, place, key, type, payload, at)"
            + " values (?1, (select coalesce(max(place), 0) + 1 from process_event where process = ?1), ?2, ?3, ?4, ?5)";
    private static final String WATCH = "insert into process_watcher (process, token) values (?, ?)"
            + " on conflict do nothing";
    private static final String UNWATCH = "delete from process_watcher where process = ?";
    private static final String END = "update process set ended_at = ? where n = ?";

    private SqliteProcesses() {}

    /**
     * What a write needs to know of a process.
     *
     * @param n its row
     * @param scope the row of its scope
     * @param hash of what it is to do
     * @param ended whether it has
     */
    record Found(long n, long scope, String hash, boolean ended) {}

    /**
     * A whole process; its JSON is parsed by whoever asked.
     *
     * @param scope of the process
     * @param place in the order of starts
     * @param id which
     * @param startedAt when
     * @param endedAt when, or null
     */
    record Raw(SqliteScopes.Raw scope, long place, String id, String startedAt, @Nullable String endedAt) {

        private static Raw read(ResultSet row) throws SQLException {
            return new Raw(SqliteScopes.Raw.read(row), row.getLong(15), row.getString(16), row.getString(17),
                    row.getString(18));
        }

        ProcessRow row() {
            return new ProcessRow(new ProcessId(id), place, scope.state(), scope.incarnation(),
                    Moments.instant(startedAt), Moments.nullableInstant(endedAt));
        }
    }

    /**
     * An event; its JSON is parsed by whoever asked.
     *
     * @param place its place
     * @param key its key
     * @param type its type
     * @param payload as text
     * @param at when
     */
    record Event(long place, String key, String type, String payload, String at) {

        private static Event read(ResultSet row) throws SQLException {
            return new Event(row.getLong(1), row.getString(2), row.getString(3), row.getString(4),
                    row.getString(5));
        }

        ProcessEvent event() {
            return new ProcessEvent(place, key, type, RecordedText.json(payload), Moments.instant(at));
        }
    }

    /**
     * A session that may handle a process.
     *
     * @param n its row
     * @param lastPlace of an arrival
     * @param active the turn that is not committed, or null
     */
    record Granted(long n, long lastPlace, @Nullable Long active) {}

    static @Nullable Found find(Database db, String id) throws SQLException {
        return db.first(FIND,
                row -> new Found(row.getLong(1), row.getLong(2), row.getString(3), row.getBoolean(4)), id);
    }

    static @Nullable Raw row(Database db, String id) throws SQLException {
        return db.first(ROW_BY_ID, Raw::read, id);
    }

    static List<Raw> list(Database db, long after, int most) throws SQLException {
        return db.list(LIST, Raw::read, after, most);
    }

    static List<Raw> granted(Database db, String session, long after, int most) throws SQLException {
        return db.list(GRANTED, Raw::read, session, after, most);
    }

    static boolean isGranted(Database db, String process, String session) throws SQLException {
        return db.number(IS_GRANTED, session, process) == 1;
    }

    static List<Granted> sessions(Database db, long process) throws SQLException {
        return db.list(SESSIONS, row -> new Granted(row.getLong(1), row.getLong(2),
                SqliteSessions.nullableLong(row, 3)), process);
    }

    static List<Event> events(Database db, String process, long after, int most) throws SQLException {
        return db.list(EVENTS, Event::read, process, after, most);
    }

    static @Nullable Event event(Database db, long process, String key) throws SQLException {
        return db.first(EVENT, Event::read, process, key);
    }

    static List<String> watchers(Database db, String process) throws SQLException {
        return db.list(WATCHERS, row -> row.getString(1), process);
    }

    static long countWatchers(Database db, long process) throws SQLException {
        return db.number(COUNT_WATCHERS, process);
    }

    /** Adds a process whose name is free; its row. */
    static long add(Database db, String id, long scope, String hash, String at) throws SQLException {
        db.update(ADD, id, scope, hash, at);
        return db.number("select last_insert_rowid()");
    }

    static void grant(Database db, long session, long process) throws SQLException {
        db.update(GRANT, session, process);
    }

    static void tell(Database db, long process, String key, String type, String payload, String at)
            throws SQLException {
        db.update(TELL, process, key, type, payload, at);
    }

    static void watch(Database db, long process, String token) throws SQLException {
        db.update(WATCH, process, token);
    }

    static void end(Database db, long process, String at) throws SQLException {
        db.update(UNWATCH, process);
        db.update(END, at, process);
    }
}
