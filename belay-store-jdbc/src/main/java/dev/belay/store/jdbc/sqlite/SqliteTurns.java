package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns and the messages that they left. */
public final class SqliteTurns {

    private static final String COLUMNS = "select t.turn, t.input, t.accepted_at, t.receipt,"
            + " coalesce(t.result, s.result), b.bytes, t.state, t.first_message, t.messages, t.ended_at"
            + " from turn t left join scope s on s.n = t.scope left join output_bytes b on b.hash = s.output"
            + " where t.session = (select n from session where id = ?)";
    public static final String FIND = COLUMNS + " and t.turn = ?";
    public static final String LIST = COLUMNS + " and t.turn >= ? order by t.turn limit ?";
    public static final String MESSAGES = "select place, turn, value from message"
            + " where session = (select n from session where id = ?) and place >= ? order by place limit ?";
    private static final String BEGIN = "insert into turn (session, turn, input, accepted_at, scope)"
            + " values (?, ?, ?, ?, ?)";
    private static final String END = "update turn set receipt = ?, state = ?, first_message = ?, messages = ?,"
            + " ended_at = ? where session = ? and turn = ?";
    private static final String ADD = "insert into turn (session, turn, input, accepted_at, receipt, result, state,"
            + " first_message, messages, ended_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String ADD_MESSAGE = "insert into message (session, place, turn, value) values (?, ?, ?, ?)";

    private SqliteTurns() {}

    /**
     * A turn; its JSON is parsed by whoever asked.
     *
     * @param turn its number
     * @param input the arrival that started it
     * @param acceptedAt when
     * @param end how it ended, or null
     */
    record Raw(long turn, String input, String acceptedAt, @Nullable End end) {

        private static Raw read(ResultSet row) throws SQLException {
            String receipt = row.getString(4);
            return new Raw(row.getLong(1), row.getString(2), row.getString(3),
                    receipt == null
                            ? null
                            : new End(receipt, SqliteOutputs.text(row, 5, 6), row.getString(7),
                                    row.getLong(8), row.getInt(9), row.getString(10)));
        }

        TurnRow row(SessionId session) {
            return new TurnRow(session, turn, input, Moments.instant(acceptedAt),
                    end == null
                            ? null
                            : new TurnRow.End(end.receipt, RecordedText.json(end.result),
                                    RecordedText.nullableJson(end.state), end.firstMessage, end.messages,
                                    Moments.instant(end.at)));
        }
    }

    /**
     * How a turn ended.
     *
     * @param receipt of its commit
     * @param result as text
     * @param state as text, or null
     * @param firstMessage its place
     * @param messages how many
     * @param at when
     */
    record End(String receipt, @Nullable String result, @Nullable String state, long firstMessage,
            int messages, String at) {}

    /**
     * A message; its JSON is parsed by whoever asked.
     *
     * @param place where it stands
     * @param turn which turn added it
     * @param value as text
     */
    record Message(long place, long turn, String value) {

        StoredMessage row() {
            return new StoredMessage(place, turn, RecordedText.json(value));
        }
    }

    static @Nullable Raw find(Database db, String session, long turn) throws SQLException {
        return db.first(FIND, Raw::read, session, turn);
    }

    static List<Raw> list(Database db, String session, long from, int most) throws SQLException {
        return db.list(LIST, Raw::read, session, from, most);
    }

    static List<Message> messages(Database db, String session, long from, int most) throws SQLException {
        return db.list(MESSAGES, row -> new Message(row.getLong(1), row.getLong(2), row.getString(3)),
                session, from, most);
    }

    static void begin(Database db, long session, long turn, String input, long scope, String at)
            throws SQLException {
        db.update(BEGIN, session, turn, input, at, scope);
    }

    /** Ends a turn whose result stands in its scope. */
    static void end(Database db, long session, long turn, String receipt, @Nullable String state,
            long firstMessage, int messages, String at) throws SQLException {
        db.update(END, receipt, state, firstMessage, messages, at, session, turn);
    }

    /** Adds a turn of a past. */
    static void add(Database db, long session, Raw turn) throws SQLException {
        End end = turn.end();
        if (end != null) {
            db.update(ADD, session, turn.turn(), turn.input(), turn.acceptedAt(), end.receipt(), end.result(),
                    end.state(), end.firstMessage(), end.messages(), end.at());
        }
    }

    static void add(Database db, long session, Message message) throws SQLException {
        db.update(ADD_MESSAGE, session, message.place(), message.turn(), message.value());
    }
}
