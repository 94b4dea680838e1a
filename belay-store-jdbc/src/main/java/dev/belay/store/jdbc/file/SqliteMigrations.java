package dev.belay.store.jdbc.file;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * Brings a database to the form that this code knows: numbered files, each applied once, all in one transaction. Which ones
 * were applied is recorded with a checksum, so that a file that was changed later is noticed.
 */
final class SqliteMigrations {

    /** In order; the number of the last one is the version of the code. */
    private static final List<String> FILES = List.of("V001__journal.sql", "V002__sessions.sql",
            "V003__processes.sql", "V004__attachments.sql");

    private static final String BEGIN = "begin immediate";
    private static final String LOOK = "begin deferred";
    private static final String OTHERS = "select count(*) from sqlite_schema where name not like 'sqlite_%'";
    private static final String VERSION = "select coalesce(max(version), 0) from migration";
    private static final String RECORDED = "select checksum from migration where version = ?";
    private static final String RECORD = "insert into migration (version, name, checksum) values (?, ?, ?)";
    private static final String TABLE = "create table migration (version integer primary key, name text not null,"
            + " checksum text not null) strict";

    private SqliteMigrations() {}

    /**
     * Refuses a file that is a database of something else, or newer than this code. Changes nothing.
     *
     * <p>Concurrency: version and tables are read in one transaction, else somebody who makes the file meanwhile would be seen
     * as tables without a version.
     */
    static void check(Database db, Path file) throws SQLException {
        db.run(LOOK);
        try {
            checkInside(db, file);
        } finally {
            db.run("rollback");
        }
    }

    private static void checkInside(Database db, Path file) throws SQLException {
        long version = db.number("pragma user_version");
        if (version > FILES.size()) {
            throw new BelayException("journal_newer", file + " has format " + version
                    + ", and this version of Belay knows formats up to " + FILES.size()
                    + "; use the version that wrote it, or a later one");
        }
        if (version == 0 && db.number(OTHERS) > 0) {
            throw StorePlace.unusable(file + " is a database, but not one of Belay; choose another file",
                    null);
        }
    }

    static void apply(Database db, Path file) throws SQLException {
        db.run(BEGIN);
        try {
            // somebody else may have been here since the check
            checkInside(db, file);
            if (db.number("pragma user_version") == 0) {
                db.script(TABLE);
            }
            int applied = (int) db.number(VERSION);
            for (int version = 1; version <= FILES.size(); version++) {
                String text = text(FILES.get(version - 1));
                String checksum = new FramedHash().add(text).hex();
                if (version <= applied) {
                    verify(db, file, version, checksum);
                } else {
                    db.script(text);
                    db.update(RECORD, version, FILES.get(version - 1), checksum);
                }
            }
            if (applied < FILES.size()) {
                db.script("pragma user_version = " + FILES.size());
            }
            db.run("commit");
        } catch (SQLException | RuntimeException e) {
            rollBack(db, e);
            throw e;
        }
    }

    private static void rollBack(Database db, Exception cause) {
        try {
            db.run("rollback");
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private static void verify(Database db, Path file, int version, String checksum) throws SQLException {
        String recorded = db.first(RECORDED, row -> row.getString(1), version);
        if (!checksum.equals(recorded)) {
            throw new BelayException("journal_altered", file + " was made by another text of "
                    + FILES.get(version - 1) + " than the one in this version of Belay (checksum " + recorded
                    + ", expected " + checksum + "); a migration must never be edited after it was released");
        }
    }

    private static String text(String name) {
        try (InputStream in = SqliteMigrations.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing from the module");
            }
            // a checkout may have changed the ends of lines
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
