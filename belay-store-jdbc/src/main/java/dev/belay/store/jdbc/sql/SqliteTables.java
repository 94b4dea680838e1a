package dev.belay.store.jdbc.sql;

import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import dev.belay.runtime.store.rows.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What makes the tables and indexes of a SQLite file. The law over the rows keeps what refers to what; each row ends with the CRC32C of
 * the table's name and its other values.
 */
public final class SqliteTables {

    /** Their rows would fill the inner pages of a tree by key, so that a new row splits and writes more pages: they lie by a number. */
    private static final Set<Table<?>> WIDE = Set.of(ScopeRows.SCOPES, ScopeRows.INPUTS, ScopeRows.RESULTS,
            ScopeRows.EFFECTS, SessionRows.ARRIVALS, SessionRows.TURNS, SessionRows.MESSAGES,
            SessionRows.CALLS, StoreRows.BYTES);

    private SqliteTables() {}

    /** The statements, in an order in which they can be run. */
    public static List<String> statements() {
        List<String> made = new ArrayList<>();
        made.add(NumberedScopes.MAKE);
        Tables.ALL.forEach(table -> made.add(make(table)));
        MadeIndex.all()
                .forEach(index -> made.add("create index " + index.name() + " on " + index.table() + " ("
                        + index.columns() + ")"
                        + (index.where().isEmpty() ? "" : " where " + index.where())));
        return made;
    }

    private static String make(Table<?> table) {
        List<Column> columns = table.columns();
        return "create table " + table.name() + " ("
                + columns.stream()
                        .map(column -> column.name() + " " + type(table, column)
                                + (columns.indexOf(column) < table.keys() ? " not null, " : ", "))
                        .collect(Collectors.joining())
                + "crc integer not null, primary key (" + TableSql.keys(table) + ")) strict"
                + (WIDE.contains(table) ? "" : ", without rowid");
    }

    /** Moments are texts of nine digits behind the second, so that their order is that of the text. */
    private static String type(Table<?> table, Column column) {
        if (NumberedScopes.has(table) && column.equals(table.columns().getFirst())) {
            return "integer";
        }
        return switch (column.type()) {
            case TEXT, MOMENT, JSON -> "text";
            case NUMBER -> "integer";
            case BYTES -> "blob";
        };
    }
}
