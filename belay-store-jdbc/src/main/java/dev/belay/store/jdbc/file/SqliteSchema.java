package dev.belay.store.jdbc.file;

import static java.util.stream.Collectors.joining;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.store.jdbc.sql.SqliteTables;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/** Makes the tables of a new database, and refuses one that this code does not know. */
final class SqliteSchema {

    /** A change of the tables after a release takes the next number. */
    private static final long FORMAT = 4;
    /** The text "BLAy", which every file of Belay has in its header. */
    private static final long APPLICATION = 0x424c4179;
    private static final String TABLES = "select count(*) from sqlite_schema where name not like 'sqlite_%'";
    private static final String OBJECTS = "select type || ' ' || name, coalesce(sql, '') from sqlite_schema"
            + " where name not like 'sqlite\\_%' escape '\\'";
    private static final String FORMATS = "select count(*) from sqlite_schema where name = 'format'";
    private static final String RECORDED = "select checksum from format where version = ?";
    private static final String RECORD = "insert or replace into format (version, checksum) values (?, ?)";
    /** In the place of a format that never was. */
    private static final long MARK = 0;

    private SqliteSchema() {}

    /**
     * Refuses a database of another program, and one of another format or text. Changes nothing.
     *
     * <p>Concurrency: format and tables are read in one transaction; otherwise a file that another process makes meanwhile would
     * be seen as tables without a format.
     */
    static void check(Database db, Path file) throws SQLException {
        db.run("begin deferred");
        try {
            boolean unused = isMade(db, file);
        } finally {
            db.run("rollback");
        }
    }

    /** Refuses a file that does not have exactly the tables of this format. Changes nothing. */
    static void require(Database db, Path file) throws SQLException {
        db.run("begin deferred");
        try {
            if (!isMade(db, file)) {
                throw new BelayException("journal_older", file + " has no tables yet; make them with"
                        + " 'belay store migrate' or a runtime");
            }
        } finally {
            db.run("rollback");
        }
    }

    /** Makes the tables if there are none, with a mark, unless that is empty. */
    static void apply(Database db, Path file, String mark) throws SQLException {
        db.run("begin immediate");
        try {
            // another process may have made them since the check
            if (!isMade(db, file)) {
                db.script(text());
                db.update(RECORD, FORMAT, checksum());
                if (!mark.isEmpty()) {
                    mark(db, mark);
                }
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

    /** Puts a mark into a file that has tables, in place of another. */
    static void mark(Database db, String mark) throws SQLException {
        db.update(RECORD, MARK, mark);
    }

    /** The mark of a file: the empty text if it has none, null if it has no tables. */
    static @Nullable String mark(Database db) throws SQLException {
        if (db.number(FORMATS) == 0) {
            return db.number(TABLES) == 0 ? null : "";
        }
        return Objects.requireNonNullElse(db.first(RECORDED, row -> row.getString(1), MARK), "");
    }

    /** Whether the file has the tables of this format; false if it has none at all. */
    private static boolean isMade(Database db, Path file) throws SQLException {
        if (db.number(TABLES) == 0) {
            return false;
        }
        if (db.number("pragma application_id") != APPLICATION) {
            throw StorePlace.unusable(file + " is a database, but not one of Belay; choose another file",
                    null);
        }
        // the first builds counted further, and had no such table
        long found = db.number(FORMATS) == 0 ? 0 : db.number("pragma user_version");
        if (found < FORMAT) {
            throw new BelayException("journal_older", file + " was made by an earlier build of Belay"
                    + (found == 0 ? "" : " in format " + found) + ", this version reads format " + FORMAT
                    + " alone, and the file was left as it is. Use the build that wrote it, or choose another"
                    + " file");
        }
        if (found > FORMAT) {
            throw new BelayException("journal_newer", file + " has format " + found
                    + ", and this version of Belay reads format " + FORMAT
                    + " alone; use the version that wrote it, or a later one");
        }
        String recorded = db.first(RECORDED, row -> row.getString(1), FORMAT);
        if (!checksum().equals(recorded)) {
            throw new BelayException("journal_altered", file + " was made by a build of Belay whose"
                    + " tables differ (checksum " + recorded + ", expected " + checksum()
                    + "), and this version"
                    + " cannot read it. Use the build that wrote it, or choose another file");
        }
        return true;
    }

    /** What the file holds beside the tables of this format, or instead of them. */
    static List<Inconsistency> altered(Database db) throws SQLException {
        Map<String, String> made;
        try (var fresh = new Database(new SQLiteConfig().createConnection("jdbc:sqlite::memory:"))) {
            fresh.script(text());
            made = objects(fresh);
        }
        return SchemaObjects.compare(made, objects(db));
    }

    private static Map<String, String> objects(Database db) throws SQLException {
        Map<String, String> objects = new HashMap<>();
        db.list(OBJECTS, row -> objects.put(row.getString(1), row.getString(2)));
        return objects;
    }

    private static String checksum() {
        return new FramedHash().add(text()).hex();
    }

    /** The statements that make the tables. */
    private static String text() {
        return "pragma application_id = " + APPLICATION + ";\npragma user_version = " + FORMAT
                + ";\ncreate table format (version integer primary key, checksum text not null) strict;\n"
                + SqliteTables.statements().stream().map(each -> each + ";\n").collect(joining());
    }
}
