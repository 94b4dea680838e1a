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
import org.jspecify.annotations.Nullable;

/** Makes the tables of a new database, brings those of an older one up to date, and refuses one that this code does not know. */
final class SqliteSchema {

    /** The text of format n makes it of format n − 1, and is never edited. */
    private static final List<String> FILES = List.of("schema-1.sql", "schema-2.sql");
    private static final long VERSION = FILES.size();
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
            version(db, file);
        } finally {
            db.run("rollback");
        }
    }

    /** The format of the file; 0 if it has no tables yet. */
    private static long version(Database db, Path file) throws SQLException {
        if (db.number(TABLES) == 0) {
            return 0;
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
        return version;
    }

    private static BelayException altered(String what) {
        return new BelayException("journal_altered", what + ", and this version cannot read it. Use the build"
                + " that wrote it, or choose another file");
    }

    /** Refuses a file that does not have exactly the tables of this version. Changes nothing. */
    static void require(Database db, Path file) throws SQLException {
        db.run("begin deferred");
        try {
            long found = version(db, file);
            if (found != VERSION) {
                throw new BelayException("journal_older", file + " has "
                        + (found == 0 ? "no tables yet" : "format " + found) + ", and this version of Belay"
                        + " reads format " + VERSION + " without changing it; open it once with a runtime of"
                        + " this version, which brings it up to date");
            }
            for (int version = 1; version <= VERSION; version++) {
                requireMadeBy(db, file, version, FILES.get(version - 1));
            }
        } finally {
            db.run("rollback");
        }
    }

    private static void requireMadeBy(Database db, Path file, int version, String name) throws SQLException {
        requireSame(file, name, new FramedHash().add(text(name)).hex(),
                db.first(RECORDED, row -> row.getString(1), version));
    }

    /** Makes the tables that are not there; checks that the same texts have made the others. */
    static void apply(Database db, Path file) throws SQLException {
        db.run("begin immediate");
        try {
            // another process may have made them since the check
            long found = version(db, file);
            for (int version = 1; version <= VERSION; version++) {
                String name = FILES.get(version - 1);
                if (version > found) {
                    String text = text(name);
                    db.script(text);
                    db.update(RECORD, version, new FramedHash().add(text).hex());
                }
                requireMadeBy(db, file, version, name);
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

    private static void requireSame(Path file, String name, String checksum, @Nullable String recorded) {
        if (!checksum.equals(recorded)) {
            throw altered(file + " was made by a build of Belay whose " + name + " differs (checksum "
                    + recorded + ", expected " + checksum + ")");
        }
    }

    private static String text(String name) {
        try (InputStream in = SqliteSchema.class.getResourceAsStream(name)) {
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
