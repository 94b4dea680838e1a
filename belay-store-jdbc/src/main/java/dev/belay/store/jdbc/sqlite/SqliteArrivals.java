package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has arrived in sessions. */
public final class SqliteArrivals {

    private static final String COLUMNS = "select id, place, kind, hash, content, turn, at from arrival";
    private static final String FIND = COLUMNS + " where session = ? and id = ?";
    public static final String FIND_BY_ID = COLUMNS
            + " where session = (select n from session where id = ?) and id = ?";
    public static final String WAITING = COLUMNS
            + " where session = (select n from session where id = ?) and turn is null order by place";
    public static final String NEXT = COLUMNS
            + " where session = (select n from session where id = ?1) and turn is null and kind = 'INPUT'"
            + " and id not in (select value from json_each(?2)) order by place limit 1";
    public static final String NEXT_ID = "select id from arrival where session = ?1 and turn is null and kind = 'INPUT'"
            + " and id not in (select value from json_each(?2)) order by place limit 1";
    private static final String ADD = "insert into arrival (session, id, place, kind, hash, content, turn, at)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?)";
    public static final String TAKE = "update arrival set turn = ? where session = ? and turn is null"
            + " and id in (select value from json_each(?))";
    private static final String TAKE_ONE = "update arrival set turn = ? where session = ? and id = ?";
    private static final String WITHDRAW = "delete from arrival where session = ? and id = ? and turn is null";

    private SqliteArrivals() {}

    /**
     * An arrival; its JSON is parsed by whoever asked.
     *
     * @param id chosen by the sender
     * @param place among the arrivals of its session
     * @param kind whether it starts a turn
     * @param hash of the content
     * @param content as text
     * @param turn which turn it is in, or null
     * @param at when it came
     */
    record Raw(String id, long place, String kind, String hash, String content, @Nullable Long turn,
            String at) {

        private static Raw read(ResultSet row) throws SQLException {
            return new Raw(row.getString(1), row.getLong(2), row.getString(3), row.getString(4),
                    row.getString(5), SqliteSessions.nullableLong(row, 6), row.getString(7));
        }

        Arrival arrival() {
            return new Arrival(id, Arrival.Kind.valueOf(kind), hash, RecordedText.json(content));
        }

        Arrived arrived() {
            return new Arrived(arrival(), place, turn, Moments.instant(at));
        }
    }

    static @Nullable Raw find(Database db, long session, String id) throws SQLException {
        return db.first(FIND, Raw::read, session, id);
    }

    static @Nullable Raw find(Database db, String session, String id) throws SQLException {
        return db.first(FIND_BY_ID, Raw::read, session, id);
    }

    static List<Raw> waiting(Database db, String session) throws SQLException {
        return db.list(WAITING, Raw::read, session);
    }

    /** The oldest input that waits and is not among the taken ones, given as an array in JSON. */
    static @Nullable Raw next(Database db, String session, String taken) throws SQLException {
        return db.first(NEXT, Raw::read, session, taken);
    }

    static @Nullable String nextId(Database db, long session, String taken) throws SQLException {
        return db.first(NEXT_ID, row -> row.getString(1), session, taken);
    }

    static void add(Database db, long session, Arrival arrival, String content, long place,
            @Nullable Long turn, String at) throws SQLException {
        db.update(ADD, session, arrival.id(), place, arrival.kind().name(), arrival.hash(), content, turn,
                at);
    }

    /** Marks those that wait among the ids, given as an array in JSON. */
    static void take(Database db, long session, String taken, long turn) throws SQLException {
        db.update(TAKE, turn, session, taken);
    }

    static void takeOne(Database db, long session, String id, long turn) throws SQLException {
        db.update(TAKE_ONE, turn, session, id);
    }

    static boolean withdraw(Database db, long session, String id) throws SQLException {
        return db.update(WITHDRAW, session, id) > 0;
    }
}
