package dev.belay.store.jdbc.file;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One thing to be done by the writing thread, and the caller who waits for it.
 *
 * @param <R> what it answers
 */
public final class Write<R extends @Nullable Object> extends PendingAnswer<R> {

    /** With whom it may share a commit. */
    public enum Sharing {
        /** With others. */
        SHARED,
        /** With nobody: it is large. */
        ALONE,
        /** It is no write, and runs between commits. */
        OUTSIDE
    }

    private final @Nullable String name;
    private final Sharing sharing;
    private final long size;
    private final Database.@Nullable Work<? extends @Nullable R> statement;
    private final Database.Work<R> work;
    private @Nullable R result;
    private @Nullable Throwable refused;

    /**
     * Creates one.
     *
     * @param name what a probe is told; null if it is not told
     * @param sharing with whom
     * @param size about how many bytes it writes
     * @param work may be run again, if a commit that it shares fails
     */
    public Write(@Nullable String name, Sharing sharing, long size, Database.Work<R> work) {
        this(name, sharing, size, null, work);
    }

    private Write(@Nullable String name, Sharing sharing, long size,
            Database.@Nullable Work<? extends @Nullable R> statement, Database.Work<R> work) {
        this.name = name;
        this.sharing = sharing;
        this.size = size;
        this.statement = statement;
        this.work = work;
    }

    /**
     * A write that is one guarded statement if nothing is in its way. It needs no savepoint: a statement that fails undoes
     * itself.
     *
     * @param statement runs one statement; null if that changed nothing, and the work has to find out why
     */
    public static <R> Write<R> guarded(String name, long size, Database.Work<@Nullable R> statement,
            Database.Work<R> work) {
        return new Write<>(name, Sharing.SHARED, size, statement, work);
    }

    public static <R extends @Nullable Object> Write<R> of(String name, long size, Database.Work<R> work) {
        return new Write<>(name, Sharing.SHARED, size, work);
    }

    public static <R extends @Nullable Object> Write<R> of(String name, Database.Work<R> work) {
        return of(name, 0, work);
    }

    @Nullable
    String name() {
        return name;
    }

    Sharing sharing() {
        return sharing;
    }

    long size() {
        return size;
    }

    /** Tries to do it in one statement; false if nothing was done. */
    boolean runGuarded(Database db) throws SQLException {
        refused = null;
        result = statement == null ? null : statement.run(db);
        return result != null;
    }

    void run(Database db) throws SQLException {
        refused = null;
        result = work.run(db);
    }

    /** It failed, and changed nothing. */
    void refuse(Throwable why) {
        refused = why;
    }

    boolean refused() {
        return refused != null;
    }

    /** Tells the caller. */
    @SuppressWarnings("NullAway") // what the work returned is an R, and an R may be null
    void tell() {
        if (refused != null) {
            fail(refused);
        } else {
            give(result);
        }
    }
}
