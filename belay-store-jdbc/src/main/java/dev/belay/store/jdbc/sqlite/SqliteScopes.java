package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.Incarnation;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of scopes and how they change. Every transition of a scope's status is one statement here; what leads to it is in
 * {@link ScopeWrites}.
 */
public final class SqliteScopes {

    private static final String HEAD = "select n, status, owner, entries, incarnation, cancel_reason, wake_at"
            + " from scope where ";
    private static final String HEAD_BY_ID = HEAD + "id = ?";
    private static final String HEAD_BY_N = HEAD + "n = ?";
    public static final String HELD = HEAD + "id = ? and owner = ? and fence = ? and status = 'RUNNING'";
    /** What {@link Raw#read} reads, in its order. */
    static final String STATE_COLUMNS = "s.n, s.id, i.kind, i.value, s.status, s.fence, s.entries,"
            + " s.incarnation, s.secret, s.cancel_reason, s.wake_at, s.stuck_because, s.result, b.bytes";
    private static final String STATE = "select " + STATE_COLUMNS
            + " from scope s join scope_input i on i.scope = s.n left join output_bytes b on b.hash = s.output";
    public static final String STATE_BY_ID = STATE + " where s.id = ?";
    private static final String STATE_BY_N = STATE + " where s.n = ?";
    static final String OPEN = STATE + " join turn t on t.scope = s.n"
            + " join session e on e.n = t.session and e.active = t.turn"
            + " where e.id > ? and i.kind >= 'open-turn/' and i.kind < 'open-turn0' order by e.id limit ?";
    public static final String STUCK = STATE + " where s.status = 'STUCK' order by s.since, s.n";

    private static final String ADD = "insert into scope (id, input_hash, status, owner, fence, entries, incarnation,"
            + " secret, since) values (?1, ?2, iif(?3 is null, 'READY', 'RUNNING'), ?3, ?3 is not null,"
            + " ?3 is not null, ?4, (select max(id) from secret where bytes is not null), ?5)"
            + " on conflict (id) do nothing";
    private static final String ADD_INPUT = "insert into scope_input (scope, kind, value)"
            + " values (last_insert_rowid(), ?, ?)";
    private static final String SAME_INPUT = "select input_hash = ? from scope where id = ?";

    private static final String TAKE = "update scope set status = 'RUNNING', owner = ?, fence = fence + 1,"
            + " entries = ?, wake_at = null, since = ? where n = ?";
    private static final String READY = "update scope set status = 'READY', owner = null, entries = ?,"
            + " wake_at = null, stuck_because = null, since = ? where n = ?";
    private static final String PARK = "update scope set status = 'PARKED', owner = null, wake_at = ?, since = ?"
            + " where n = ?";
    private static final String STICK = "update scope set status = 'STUCK', owner = null, wake_at = null,"
            + " entries = ?, stuck_because = ?, since = ? where n = ?";
    private static final String END = "update scope set status = 'ENDED', owner = null, wake_at = null,"
            + " stuck_because = null, entries = 0, result = ?, output = ?, since = ? where n = ?";
    private static final String ENTRIES = "update scope set entries = ? where n = ?";
    private static final String CANCEL = "update scope set cancel_reason = ? where n = ?";

    public static final String SOME_READY = "select n, id from scope where status = 'READY' order by since, n limit ?";
    public static final String SOME_OWNED = "select n, id from scope where owner = ? limit ?";
    public static final String SOME_DUE = "select n, id from scope where wake_at is not null and wake_at <= ?"
            + " order by wake_at limit ?";
    private static final String OF_KIND = " and (select kind from scope_input where scope = n) in"
            + " (select value from json_each(?))";
    static final String SOME_READY_OF = "select n, id from scope where status = 'READY'" + OF_KIND
            + " order by since, n limit ?";
    static final String SOME_OWNED_OF = "select n, id from scope where owner = ?" + OF_KIND + " limit ?";
    private static final String KIND = "select kind from scope_input where scope = ?";
    private static final String ID = "select n, id from scope where n = ?";
    public static final String NEXT_WAKE = "select wake_at from scope where wake_at is not null"
            + " order by wake_at limit 1";

    public static final String SOME_ENDED = "select n from scope where status = 'ENDED' and collected = 0"
            + " and since < ? order by since limit ?";
    private static final String COLLECTED = "update scope set collected = 1 where n = ?";
    private static final String MADE = "select n, secret from scope where id = ?";

    private SqliteScopes() {}

    /**
     * Names a scope inside and outside.
     *
     * @param n its row
     * @param id its id
     */
    record Ref(long n, String id) {}

    /**
     * What a write needs to know of a scope.
     *
     * @param n its row
     * @param status how it stands
     * @param owner who runs it, or null
     * @param entries since its last record
     * @param incarnation its random bits
     * @param cancelReason why it should end, or null
     * @param wakeAt when it goes on by itself, or null
     */
    record Head(long n, Status status, @Nullable String owner, int entries, Incarnation incarnation,
            @Nullable String cancelReason, @Nullable String wakeAt) {

        private static Head read(ResultSet row) throws SQLException {
            return new Head(row.getLong(1), Status.valueOf(row.getString(2)), row.getString(3), row.getInt(4),
                    bits(row.getBytes(5)), row.getString(6), row.getString(7));
        }
    }

    /**
     * A whole scope; its JSON is parsed by whoever asked.
     *
     * @param n its row
     * @param id its id
     * @param kind of the input
     * @param input as text
     * @param status how it stands
     * @param fence how often it was taken
     * @param entries since its last record
     * @param incarnation its random bits
     * @param secret signs its keys
     * @param cancelReason or null
     * @param wakeAt or null
     * @param stuckBecause or null
     * @param result as text, or null
     * @param left whether it was taken from an owner that died while it ran
     */
    public record Raw(long n, String id, String kind, String input, Status status, long fence, int entries,
            Incarnation incarnation, long secret, @Nullable String cancelReason, @Nullable String wakeAt,
            @Nullable String stuckBecause, @Nullable String result, boolean left) {

        static Raw read(ResultSet row) throws SQLException {
            return new Raw(row.getLong(1), row.getString(2), row.getString(3), row.getString(4),
                    Status.valueOf(row.getString(5)), row.getLong(6), row.getInt(7),
                    bits(row.getBytes(8)), row.getLong(9), row.getString(10),
                    row.getString(11), row.getString(12), SqliteOutputs.text(row, 13, 14), false);
        }

        /** The same, taken from an owner that died while it ran. */
        Raw ofTheDead() {
            return new Raw(n, id, kind, input, status, fence, entries, incarnation, secret, cancelReason,
                    wakeAt, stuckBecause, result, true);
        }

        public ScopeInput scopeInput() {
            return new ScopeInput(kind, RecordedText.json(input));
        }

        public Claim claim() {
            return new Claim(new ScopeId(id), scopeInput(), fence, incarnation, secret, entries,
                    cancelReason, left);
        }

        /** What a stuck scope started from may be what it is stuck because of; then it reads as null. */
        private ScopeInput shownInput() {
            try {
                return scopeInput();
            } catch (JournalException e) {
                if (status != Status.STUCK) {
                    throw e;
                }
                return new ScopeInput(kind, Json.NULL);
            }
        }

        public ScopeState state() {
            return new ScopeState(new ScopeId(id), shownInput(), status, new Fence(fence), entries,
                    cancelReason, Moments.nullableInstant(wakeAt), stuckBecause,
                    RecordedText.nullableJson(result));
        }

        public Json endedWith() {
            return RecordedText.json(result);
        }
    }

    static Incarnation bits(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Incarnation(buffer.getLong(), buffer.getLong());
    }

    static @Nullable Head head(Database db, String id) throws SQLException {
        return db.first(HEAD_BY_ID, Head::read, id);
    }

    static @Nullable Head head(Database db, long n) throws SQLException {
        return db.first(HEAD_BY_N, Head::read, n);
    }

    /** The scope of a claim; null if the claim does not hold any more. */
    static @Nullable Head held(Database db, String owner, Claim claim) throws SQLException {
        return db.first(HELD, Head::read, claim.scope().value(), owner, claim.fence());
    }

    public static @Nullable Raw state(Database db, String id) throws SQLException {
        return db.first(STATE_BY_ID, Raw::read, id);
    }

    public static @Nullable Raw state(Database db, long n) throws SQLException {
        return db.first(STATE_BY_N, Raw::read, n);
    }

    /** Scopes of turns whose loop a program owns, in the order of their sessions behind one. */
    static List<Raw> open(Database db, String after, int most) throws SQLException {
        return db.list(OPEN, Raw::read, after, most);
    }

    public static List<Raw> stuck(Database db) throws SQLException {
        return db.list(STUCK, Raw::read);
    }

    /** Adds a scope, owned if an owner is given; false if it is known. */
    static boolean add(Database db, String id, ScopeInput input, String value, String hash,
            @Nullable String owner, Incarnation incarnation, String at) throws SQLException {
        if (db.update(ADD, id, hash, owner, incarnation.bytes(), at) == 0) {
            return false;
        }
        db.update(ADD_INPUT, input.kind(), value);
        return true;
    }

    /**
     * A scope that was just added.
     *
     * @param n its row
     * @param secret signs its keys
     */
    record Made(long n, long secret) {}

    static Made made(Database db, String id) throws SQLException {
        Made found = db.first(MADE, row -> new Made(row.getLong(1), row.getLong(2)), id);
        if (found == null) {
            throw new IllegalStateException("the scope " + id + " was added and is not there");
        }
        return found;
    }

    static boolean hasInput(Database db, String id, String hash) throws SQLException {
        return db.number(SAME_INPUT, hash, id) == 1;
    }

    static void take(Database db, long n, String owner, int entries, String at) throws SQLException {
        db.update(TAKE, owner, entries, at, n);
    }

    static void ready(Database db, long n, int entries, String at) throws SQLException {
        db.update(READY, entries, at, n);
    }

    static void park(Database db, long n, @Nullable String wakeAt, String at) throws SQLException {
        db.update(PARK, wakeAt, at, n);
    }

    static void stick(Database db, long n, int entries, String because, String at) throws SQLException {
        db.update(STICK, entries, because, at, n);
    }

    static void end(Database db, long n, Stored result, String at) throws SQLException {
        result.ensure(db, at);
        db.update(END, result.text(), result.hash(), at, n);
    }

    static void entries(Database db, Head head, int entries) throws SQLException {
        if (head.entries() != entries) {
            db.update(ENTRIES, entries, head.n());
        }
    }

    static void cancel(Database db, long n, String reason) throws SQLException {
        db.update(CANCEL, reason, n);
    }

    /** Some that are ready, of the kinds in an array in JSON; of any kind if that is null. */
    static List<Ref> someReady(Database db, @Nullable String kinds, int most) throws SQLException {
        return kinds == null
                ? db.list(SOME_READY, SqliteScopes::ref, most)
                : db.list(SOME_READY_OF, SqliteScopes::ref, kinds, most);
    }

    /** Some that an owner has, of the kinds in an array in JSON; of any kind if that is null. */
    static List<Ref> someOwned(Database db, String owner, @Nullable String kinds, int most)
            throws SQLException {
        return kinds == null
                ? db.list(SOME_OWNED, SqliteScopes::ref, owner, most)
                : db.list(SOME_OWNED_OF, SqliteScopes::ref, owner, kinds, most);
    }

    static String kind(Database db, long n) throws SQLException {
        String kind = db.first(KIND, row -> row.getString(1), n);
        return String.valueOf(kind);
    }

    static List<Ref> someDue(Database db, String now, int most) throws SQLException {
        return db.list(SOME_DUE, SqliteScopes::ref, now, most);
    }

    static @Nullable Ref ref(Database db, long n) throws SQLException {
        return db.first(ID, SqliteScopes::ref, n);
    }

    private static Ref ref(ResultSet row) throws SQLException {
        return new Ref(row.getLong(1), row.getString(2));
    }

    public static @Nullable String nextWake(Database db) throws SQLException {
        return db.first(NEXT_WAKE, row -> row.getString(1));
    }

    static List<Long> someEnded(Database db, String before, int most) throws SQLException {
        return db.list(SOME_ENDED, row -> row.getLong(1), before, most);
    }

    static void collected(Database db, long n) throws SQLException {
        db.update(COLLECTED, n);
    }
}
