package dev.belay.store.jdbc.file;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;

/** Makes the tables of a new database, and refuses one that this code does not know. */
final class SqliteSchema {

    private static final long VERSION = 1;
    private static final String FILE = "schema-1.sql";
    private static final String OTHERS = "select count(*) from sqlite_schema where name not like 'sqlite_%'";
    private static final String RECORDED = "select checksum from format where version = ?";
    private static final String RECORD = "insert into format (version, checksum) values (?, ?)";

    private SqliteSchema() {}

    /**
     * Refuses a database of another program, or a newer one. Changes nothing.
     *
     * <p>Concurrency: version and tables are read in one transaction; otherwise a file that another process makes meanwhile would
     * be seen as tables without a version.
     */
    static void check(Database db, Path file) throws SQLException {
        db.run("begin deferred");
        try {
            version(db, file);
        } finally {
            db.run("rollback");
        }
    }

    private static long version(Database db, Path file) throws SQLException {
        long version = db.number("pragma user_version");
        if (version > VERSION) {
            throw new BelayException("journal_newer", file + " has format " + version
                    + ", and this version of Belay knows formats up to " + VERSION
                    + "; use the version that wrote it, or a later one");
        }
        if (version == 0 && db.number(OTHERS) > 0) {
            throw StorePlace.unusable(file + " is a database, but not one of Belay; choose another file",
                    null);
        }
        return version;
    }

    /** Makes the tables unless they are there; checks that the same text has made them. */
    static void apply(Database db, Path file) throws SQLException {
        String text = text();
        String checksum = new FramedHash().add(text).hex();
        db.run("begin immediate");
        try {
            // another process may have made them since the check
            if (version(db, file) == 0) {
                db.script(text);
                db.update(RECORD, VERSION, checksum);
            }
            String recorded = db.first(RECORDED, row -> row.getString(1), VERSION);
            if (!checksum.equals(recorded)) {
                throw new BelayException("journal_altered", file + " was made by another text of " + FILE
                        + " than the one in this version of Belay (checksum " + recorded + ", expected "
                        + checksum + "); a schema must never be edited after it was released");
            }
            db.run("commit");
        } catch (SQLException | RuntimeException e) {
            try {
                db.run("rollback");
            } catch (SQLException gone) {
                e.addSuppressed(gone);
            }
            throw e;
        }
    }

    private static String text() {
        try (InputStream in = SqliteSchema.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + FILE + " is missing from the module");
            }
            // a checkout may have changed the ends of lines
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
