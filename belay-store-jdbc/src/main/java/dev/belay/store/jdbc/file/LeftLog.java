package dev.belay.store.jdbc.file;

import dev.belay.BelayException;
import dev.belay.store.jdbc.SqliteOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * Refuses a log beside a marked file that no store has left there. SQLite replays a log or a journal with right checksums into any file of
 * the same name: one that came with a pull replaces rows of the user, and its pages need not touch the mark.
 *
 * <p>Recovery: a store that dies leaves its lock beside its log, and one that closes while others read leaves both. The names of locks are
 * made with the mark, which no other program knows. A file without the mark got it in the log, or has none.
 */
final class LeftLog {

    /** A store that closes takes its log away and then its lock: both may go between two looks. */
    private static final int LOOKS = 3;
    /** Pages that are written while they are read look damaged. */
    private static final int TRIES = 200;

    private LeftLog() {}

    static void check(Path path, SqliteOptions options) throws SQLException, IOException {
        if (options.mark().isEmpty()) {
            return;
        }
        Path log = SqliteFile.beside(path, "-wal");
        Path journal = SqliteFile.beside(path, "-journal"); // stores use none once the file has a mark
        Path foreign = isFilled(journal) ? journal : log;
        for (int tries = TRIES; foreign.equals(journal)
                || !isOwn(log, SqliteFile.beside(path, "-owners"), options.mark()); tries--) {
            try {
                refuseMarked(path, foreign, options);
                return;
            } catch (SQLException e) {
                if (tries == 0) {
                    throw e;
                }
                LockSupport.parkNanos(SqliteFile.BETWEEN_TRIES.toNanos()); // a program with another mark makes the file
            }
        }
    }

    private static void refuseMarked(Path path, Path foreign, SqliteOptions options) throws SQLException {
        try (Database db = SqliteFile.alone(path, options)) {
            if (options.mark().equals(SqliteSchema.mark(db))) {
                throw new BelayException("journal_foreign", "the log " + foreign + " was left by no program"
                        + " that uses " + path
                        + ", and it may replace what is in there. A pull or a person may"
                        + " have put it there: move it away and try again");
            }
        }
    }

    private static boolean isOwn(Path log, Path owners, String mark) throws IOException {
        for (int i = 0; i < LOOKS; i++) {
            if (!isFilled(log) || OwnerLock.isAny(owners, mark)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a log has anything in it: one that is empty stays behind where a connection has only read. */
    static boolean isFilled(Path log) {
        return log.toFile().length() > 0;
    }
}
