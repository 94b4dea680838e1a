package dev.belay.store.jdbc.sql;

import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Table;
import java.util.List;
import java.util.stream.Collectors;

/**
 * In a SQLite file the rows of scopes lie under a number in the order of begin, instead of the scope's name, which is random: rows that
 * are written together share pages. One table says which name has which number. A name stays as long as a row has its number.
 */
public final class NumberedScopes {

    /** Tables whose parent is the name of a scope, and that each turn writes. */
    private static final List<Table<?>> TABLES = List.of(ScopeRows.SCOPES, ScopeRows.INPUTS,
            ScopeRows.RESULTS, ScopeRows.EFFECTS);

    /** The table of names. */
    static final String MAKE = "create table scope_name (number integer primary key, name text not null unique,"
            + " crc integer not null) strict";
    /** The number of a name that is given. */
    static final String NUMBER = "(select number from scope_name where name = ?)";
    /** The order of names, where they are joined. */
    static final String ORDER = "scope_name.name";
    /** Gives a name its number, unless it has one. Takes the name and its checksum. */
    public static final String ADD = "insert into scope_name (name, crc) values (?, ?) on conflict (name) do nothing";
    /** Takes the number from a name that no row has. */
    public static final String REMOVE = "delete from scope_name where name = ?" + TABLES.stream()
            .map(table -> " and not exists (select 1 from " + of(table) + " = scope_name.number)")
            .collect(Collectors.joining());
    /** Names and their checksums. */
    public static final String NAMES = "select name, crc from scope_name";
    /** Tables that have rows without a name: each table, and how many. */
    public static final String NAMELESS = TABLES.stream()
            .map(table -> "select '" + table.name() + "', count(*) from " + of(table) + " not in"
                    + " (select number from scope_name)")
            .collect(Collectors.joining(" union all "));

    private NumberedScopes() {}

    private static String of(Table<?> table) {
        return table.name() + " where " + table.columns().getFirst().name();
    }

    /** Whether the rows of a table lie under numbers. */
    public static boolean has(Table<?> table) {
        return TABLES.contains(table);
    }

    /** The name of a number in a column. */
    static String name(String column) {
        return "(select name from scope_name where number = " + column + ")";
    }

    /** The rows of a table whose names are behind one that is given. */
    static String joined(String table, String parent) {
        return "scope_name cross join " + table + " on " + table + "." + parent
                + " = scope_name.number where scope_name.name > ?";
    }
}
