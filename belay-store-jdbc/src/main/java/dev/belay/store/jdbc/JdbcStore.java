package dev.belay.store.jdbc;

import dev.belay.runtime.store.SessionStore;
import dev.belay.store.jdbc.sqlite.SqliteSessionStore;
import java.nio.file.Path;

/** Opens stores of sessions in a database, with the journal of their turns. */
public final class JdbcStore {

    private JdbcStore() {}

    /**
     * Opens a SQLite file, or creates one. {@link SqliteJournal} describes files and processes.
     *
     * @throws dev.belay.BelayException as {@link SqliteJournal#open(Path)}
     */
    public static SessionStore sqlite(Path file) {
        return sqlite(file, SqliteOptions.STANDARD);
    }

    /** Opens a SQLite file, or creates one, with options. */
    public static SessionStore sqlite(Path file, SqliteOptions options) {
        return new SqliteSessionStore(SqliteJournal.open(file, options));
    }
}
