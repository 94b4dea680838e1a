package dev.belay.store.jdbc.sqlite;

import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Unused;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes what is not needed any more, in many short commits, so that other writes need not wait for long. A reader finds what
 * may go; each write looks again, because somebody may refer to it since. Nothing to do costs no write.
 */
public final class SqliteCollector {

    /** How many scopes or results are looked for at once. */
    private static final int CHUNK = 256;
    /** Records that one commit deletes: some milliseconds. One scope may have many thousands of them. */
    public static final int ROWS = 1_000;
    /** Bytes of large results that one commit deletes, or one result: SQLite visits every page of what it frees. */
    public static final long BYTES = 16 << 20;

    private final OpenFile store;

    public SqliteCollector(OpenFile store) {
        this.store = store;
    }

    /** Deletes large results and attachments that nothing refers to and that were last written before a moment; how many. */
    public int outputs(String before) {
        int all = 0;
        List<Unused> some = unused(before, Unused.FIRST);
        while (!some.isEmpty()) {
            List<Unused> chunk = some;
            all += store.write("collect outputs", 0, db -> deleteOutputs(db, chunk, before));
            some = unused(before, some.getLast());
        }
        return all;
    }

    /** As many as one commit may delete, older ones first. */
    private List<Unused> unused(String before, Unused after) {
        List<Unused> found = store.read(db -> SqliteOutputs.unused(db, before, after, CHUNK));
        long bytes = 0;
        int count = 0;
        while (count < found.size() && bytes < BYTES) {
            bytes += found.get(count).bytes();
            count++;
        }
        return found.subList(0, count);
    }

    private static int deleteOutputs(Database db, List<Unused> some, String before) throws SQLException {
        int all = 0;
        for (Unused one : some) {
            all += SqliteOutputs.collect(db, one.hash(), before);
        }
        return all;
    }

    /** Deletes the records of scopes that ended before a moment, and what these keep themselves; how many of both. */
    public int effects(String endedBefore) {
        int all = 0;
        List<Long> some = ended(endedBefore);
        while (!some.isEmpty()) {
            List<Long> chunk = some;
            all += store.write("collect effects", 0, db -> deleteEffects(db, chunk));
            some = ended(endedBefore);
        }
        return all;
    }

    private List<Long> ended(String before) {
        return store.read(db -> SqliteScopes.someEnded(db, before, CHUNK));
    }

    /** A scope that may have more records than one commit deletes is found again. */
    private static int deleteEffects(Database db, List<Long> scopes) throws SQLException {
        int left = ROWS;
        for (Long scope : scopes) {
            left -= SqliteEffects.collect(db, scope, left);
            left -= left == 0 ? 0 : SqliteAttachments.collect(db, scope, left);
            if (left == 0) {
                break;
            }
            SqliteScopes.collected(db, scope);
        }
        return ROWS - left;
    }
}
