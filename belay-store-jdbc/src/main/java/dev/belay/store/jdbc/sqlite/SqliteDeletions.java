package dev.belay.store.jdbc.sqlite;

import dev.belay.store.jdbc.file.Database;
import java.sql.SQLException;
import java.util.List;

/** Deletes scopes with everything that refers to them, and what they keep. A range of names is read from their index; nothing is a pattern. */
public final class SqliteDeletions {

    /** Resources keep their fences. Those that are held are few, and found by the index of owners. */
    public static final String RELEASE = "update resource set owner = null, scope = null, key = null"
            + " where owner is not null and scope in (select n from scope where id >= ? and id < ?)";
    public static final String DELETE_EFFECTS = "delete from effect"
            + " where scope in (select n from scope where id >= ? and id < ?)";
    private static final String DELETE_WAITS = "delete from wait"
            + " where scope in (select n from scope where id >= ? and id < ?)";
    private static final String DELETE_LATE = "delete from late"
            + " where scope in (select n from scope where id >= ? and id < ?)";
    private static final String DELETE_INPUTS = "delete from scope_input"
            + " where scope in (select n from scope where id >= ? and id < ?)";
    /** Also what the scopes keep together, under the prefix itself. */
    public static final String DELETE_ATTACHMENTS = "delete from attachment where keeper >= ? and keeper < ?";
    public static final String DELETE_SCOPES = "delete from scope where id >= ? and id < ?";
    /** Scopes last: the others refer to them. */
    private static final List<String> IN_ORDER = List.of(RELEASE, DELETE_EFFECTS, DELETE_WAITS, DELETE_LATE,
            DELETE_INPUTS, DELETE_ATTACHMENTS, DELETE_SCOPES);

    private SqliteDeletions() {}

    /** Deletes the scopes whose names begin with a prefix, which ends in a slash. */
    static void delete(Database db, String prefix) throws SQLException {
        String end = prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1);
        for (String statement : IN_ORDER) {
            db.update(statement, prefix, end);
        }
    }
}
