package dev.belay.store.jdbc.file;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.OwnerLostException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Says in words what SQLite reports. */
public final class SqliteFailure {

    private static final int PRIMARY = 0xff;
    private static final Pattern MISSING = Pattern.compile("no such (table|column)|has no column named");

    private SqliteFailure() {}

    /** What a caller is told of something that failed and left nothing behind. */
    public static RuntimeException of(Throwable failure, Path file) {
        return switch (failure) {
            case SQLException e -> of(e, file);
            case OwnerLostException e -> e.told();
            case RuntimeException e -> e;
            default -> new JournalException(file + " could not be used: " + failure, failure);
        };
    }

    public static JournalException of(SQLException e, Path file) {
        if (lacksTables(e)) {
            return JournalException.corrupt(file + " does not have the tables that were made in it: "
                    + e.getMessage() + ". Another program has changed it; restore it from a backup", e);
        }
        return switch (primary(e)) {
            case SQLITE_FULL ->
                new JournalException(file + " cannot grow: the disk or the allowed size is used"
                        + " up, and nothing was written. Make room and try again", e);
            case SQLITE_BUSY, SQLITE_LOCKED -> new JournalException("another process kept " + file
                    + " locked for longer than the busy timeout, and nothing was done. Try again", e);
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN -> new JournalException(file
                    + " or its directory may not be opened or written, and nothing was done: "
                    + e.getMessage() + ". Let this program write there and try again",
                    e);
            case SQLITE_CORRUPT, SQLITE_NOTADB -> JournalException.corrupt(
                    file + " is damaged: " + e.getMessage() + ". Restore it from a backup", e);
            case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE -> JournalException.corrupt(
                    "a record breaks the rules of the journal and was not written: " + e.getMessage(), e);
            default -> new JournalException(
                    file + " failed, and nothing was done: " + e.getMessage()
                            + ". Check the disk and the room on it, and try again",
                    e);
        };
    }

    /** Every statement fits the tables that the schema has made. One that does not will not tomorrow. */
    private static boolean lacksTables(SQLException e) {
        return primary(e) == SQLiteErrorCode.SQLITE_ERROR
                && MISSING.matcher(String.valueOf(e.getMessage())).find();
    }

    static SQLiteErrorCode primary(SQLException e) {
        return e instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }
}
