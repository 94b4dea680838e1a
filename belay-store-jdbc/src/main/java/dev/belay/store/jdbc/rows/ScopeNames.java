package dev.belay.store.jdbc.rows;

import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sql.NumberedScopes;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Checks the names of scopes in a file: a row whose number has no name would never be found. */
final class ScopeNames {

    private ScopeNames() {}

    static long checksum(String name) {
        var crc = new CRC32C();
        crc.update(("scope_name " + name).getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    static List<Inconsistency> check(Database db) throws SQLException {
        List<Inconsistency> found = new ArrayList<>();
        db.list(NumberedScopes.NAMES, row -> {
            String name = row.getString(1);
            if (checksum(name) != row.getLong(2)) {
                found.add(new Inconsistency("scope_name", name, "it is damaged: its checksum differs"));
            }
            return name;
        });
        db.list(NumberedScopes.NAMELESS, row -> {
            if (row.getLong(2) > 0) {
                found.add(new Inconsistency("scope_name", row.getString(1),
                        row.getLong(2)
                                + " rows of this table have a number without a name, and are not found"));
            }
            return found;
        });
        return found;
    }
}
