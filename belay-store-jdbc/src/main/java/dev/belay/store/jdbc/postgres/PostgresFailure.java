package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.LostRaceException;
import dev.belay.runtime.store.rows.OwnerLostException;
import dev.belay.runtime.store.rows.RowsLockedException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says in words what PostgreSQL reports. */
final class PostgresFailure {

    /** Unique violation, serialization failure, deadlock. */
    private static final Set<String> RACES = Set.of("23505", "40001", "40P01");
    private static final String LOCKED = "55P03";
    static final String DIVIDED_BY_ZERO = "22012";

    private PostgresFailure() {}

    /** What a caller is told of something that failed and left nothing behind. */
    static RuntimeException of(Throwable failure) {
        return switch (failure) {
            case SQLException e -> of(e);
            case OwnerLostException e -> e.told();
            case RuntimeException e -> e;
            default -> new JournalException("the PostgreSQL store could not be used: " + failure, failure);
        };
    }

    static JournalException of(SQLException e) {
        String state = state(e);
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "53" -> new JournalException("the PostgreSQL server has no room: " + e.getMessage()
                    + ". Nothing was written; make room and try again", e);
            case "25" -> new JournalException("the PostgreSQL server does not write: " + e.getMessage()
                    + ". Connect to the primary", e);
            case "42" -> state.equals("42501")
                    ? new JournalException("the role may not use a table of the schema: " + e.getMessage()
                            + ". Grant select, insert, update and delete on all its tables", e)
                    : JournalException.corrupt("the schema does not have the tables that were made in it: "
                            + e.getMessage() + ". Another program has changed it; restore it from a backup",
                            e);
            case "22", "23" -> JournalException.corrupt(
                    "a record breaks the rules of the store and was not written: " + e.getMessage(), e);
            case "XX" -> JournalException.corrupt(
                    "the database is damaged: " + e.getMessage() + ". Restore it from a backup", e);
            default -> new JournalException("the PostgreSQL store failed, and nothing was done: "
                    + e.getMessage() + ". Try again", e);
        };
    }

    /** The failure of a statement before the commit. Nothing has happened, so a lost connection is a lost race. */
    static RuntimeException beforeCommit(SQLException e) {
        return isLocked(e)
                ? new RowsLockedException(e)
                : isRace(e) || isDisconnected(e) ? new LostRaceException(e) : of(e);
    }

    static boolean isRace(SQLException e) {
        return RACES.contains(state(e));
    }

    static boolean isLocked(SQLException e) {
        return state(e).equals(LOCKED);
    }

    /** Whether the connection is of no use any more: it broke, or the server has ended it. */
    static boolean isDisconnected(SQLException e) {
        String state = state(e);
        return state.startsWith("08") || state.startsWith("57P") || state.equals("25P03")
                || state.equals("25P04") || state.isEmpty();
    }

    /** Whether a connection that was open has broken. To wait for one that cannot be opened is left to the caller. */
    static boolean hasBroken(SQLException e) {
        String state = state(e);
        return state.equals("08006") || state.equals("08003") || state.startsWith("57P0");
    }

    static String state(SQLException e) {
        @Nullable
        String state = e.getSQLState();
        return state == null ? "" : state;
    }
}
