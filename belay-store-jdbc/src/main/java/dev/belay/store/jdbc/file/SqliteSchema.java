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
    /** The text "BLAy", which every file of Belay has in its header. */
    private static final long APPLICATION = 0x424c4179;
    private static final String TABLES = "select count(*) from sqlite_schema where name not like 'sqlite_%'";
    private static final String FORMATS = "select count(*) from sqlite_schema where name = 'format'";
    private static final String RECORDED = "select checksum from format where version = ?";
    private static final String RECORD = "insert into format (version, checksum) values (?, ?)";

    private SqliteSchema() {}

    /**
     * Refuses a database of another program, of a newer version, or of a build before the first release. Changes nothing.
     *
     * <p>Concurrency: version and tables are read in one transaction; otherwise a file that another process makes meanwhile would
     * be seen as tables without a version.
     */
    static void check(Database db, Path file) throws SQLException {
        db.run("begin deferred");
        try {
            isNew(db, file);
        } finally {
            db.run("rollback");
        }
    }

    /** Whether the file has no tables yet. */
    private static boolean isNew(Database db, Path file) throws SQLException {
        if (db.number(TABLES) == 0) {
            return true;
        }
        if (db.number("pragma application_id") != APPLICATION) {
            throw StorePlace.unusable(file + " is a database, but not one of Belay; choose another file",
                    null);
        }
        if (db.number(FORMATS) == 0) {
            throw altered(
                    file + " was made by a build of Belay from before its first release, with other tables");
        }
        long version = db.number("pragma user_version");
        if (version > VERSION) {
            throw new BelayException("journal_newer", file + " has format " + version
                    + ", and this version of Belay knows formats up to " + VERSION
                    + "; use the version that wrote it, or a later one");
        }
        return false;
    }

    private static BelayException altered(String what) {
        return new BelayException("journal_altered", what + ", and this version cannot read it. Use the build"
                + " that wrote it, or choose another file");
    }

    /** Makes the tables unless they are there; checks that the same text has made them. */
    static void apply(Database db, Path file) throws SQLException {
        String text = text();
        String checksum = new FramedHash().add(text).hex();
        db.run("begin immediate");
        try {
            // another process may have made them since the check
            if (isNew(db, file)) {
                db.script(text);
                db.update(RECORD, VERSION, checksum);
            }
            String recorded = db.first(RECORDED, row -> row.getString(1), VERSION);
            if (!checksum.equals(recorded)) {
                throw altered(file + " was made by a build of Belay whose " + FILE + " differs (checksum "
                        + recorded + ", expected " + checksum + ")");
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
