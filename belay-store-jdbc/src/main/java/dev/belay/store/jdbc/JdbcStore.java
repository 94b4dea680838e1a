package dev.belay.store.jdbc;

import dev.belay.BelayException;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.commit.GroupCommit;
import dev.belay.runtime.store.law.LawfulJournal;
import dev.belay.runtime.store.law.LawfulSessions;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.store.jdbc.file.NativeLibrary;
import dev.belay.store.jdbc.rows.SqliteRows;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Opens stores of sessions in a database, with the journal of their turns.
 *
 * <p>A write is on disk when its method returns. Several processes of one machine may open the same SQLite file; the scopes of one
 * that died are taken by the next that looks for work.
 */
public final class JdbcStore {

    private JdbcStore() {}

    /**
     * Opens a SQLite file, or creates one.
     *
     * @throws dev.belay.BelayException {@code journal_unusable} if the place cannot hold a journal or the driver is missing,
     *         {@code journal_newer} if a later version wrote it, {@code journal_altered} if a build with other tables made it,
     *         {@code journal_unavailable} if it cannot be opened now, {@code secret_unavailable} if a secret from outside signs its
     *         keys and was not given
     */
    public static SessionStore sqlite(Path file) {
        return sqlite(file, SqliteOptions.STANDARD);
    }

    /** Opens a SQLite file, or creates one, with options. */
    public static SessionStore sqlite(Path file, SqliteOptions options) {
        return sqlite(file, options, UnaryOperator.identity());
    }

    /**
     * Opens a SQLite file that a runtime has made, for {@code Belay.client}. It reads by read-only connections and changes nothing,
     * not even beside a process that died; the first write makes it known as an owner. It makes no file and changes no format.
     *
     * @throws dev.belay.BelayException as {@link #sqlite(Path)}, {@code journal_missing} if there is no such file, {@code journal_older}
     *         if an earlier version wrote it
     */
    public static SessionStore existing(Path file) {
        return existing(file, SqliteOptions.STANDARD);
    }

    /** Opens a SQLite file that a runtime has made, with options. */
    public static SessionStore existing(Path file, SqliteOptions options) {
        return open(options, () -> SqliteRows.existing(file, options), LawfulJournal::existing);
    }

    /** Opens a file whose rows are watched by a test. */
    static SessionStore sqlite(Path file, SqliteOptions options, UnaryOperator<Rows> watched) {
        return open(options, () -> watched.apply(SqliteRows.open(file, options)), LawfulJournal::new);
    }

    /** Makes a journal over commits. */
    private interface Making {
        LawfulJournal over(Commits commits, RandomGenerator random, boolean forgets, List<byte[]> secrets);
    }

    private static SessionStore open(SqliteOptions options, Supplier<Rows> opening, Making journal) {
        requireDriver();
        NativeLibrary.load();
        var commits = GroupCommit.start(opening.get(), options.probe(), options.maxBatch(),
                options.maxBatchBytes());
        try {
            return new LawfulSessions(
                    journal.over(commits, options.random(), false, options.secrets().bytes()));
        } catch (RuntimeException | Error e) {
            commits.close();
            throw e;
        }
    }

    private static void requireDriver() {
        try {
            Class.forName("org.sqlite.SQLiteConfig", false, JdbcStore.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new BelayException("journal_unusable", "the SQLite driver is missing; add the dependency"
                    + " org.xerial:sqlite-jdbc to the program", e);
        }
    }
}
