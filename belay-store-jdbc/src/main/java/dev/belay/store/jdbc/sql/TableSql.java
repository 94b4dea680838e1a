package dev.belay.store.jdbc.sql;

import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements of a table.
 *
 * @param delete a row by its key
 * @param clear deletes all rows of a parent
 * @param of rows of a parent
 * @param from rows of a parent from a child on
 * @param all the first rows of the parents behind one
 */
public record TableSql(String delete, String clear, String of, String from, String all) {

    private static final Map<Table<?>, TableSql> KNOWN = new ConcurrentHashMap<>();
    /** Few: an operation changes the same columns each time. */
    private static final Map<Update, String> UPDATES = new ConcurrentHashMap<>();

    private static final Map<Many, String> SELECTS = new ConcurrentHashMap<>();
    private static final Map<Many, String> UPSERTS = new ConcurrentHashMap<>();

    private record Many(Table<?> table, int count) {}

    private record Update(Table<?> table, long changed) {}

    /** The number of rows, at most the given one, that the next statement takes: one of a few, so that few statements are kept. */
    public static int together(int rows) {
        return rows >= 64 ? 64 : rows >= 16 ? 16 : rows >= 4 ? 4 : 1;
    }

    /** Reads so many rows, each by its key, and in front of a row which key it was. A list of pairs of keys would be a scan of the table. */
    public static String select(Table<?> table, int count) {
        return SELECTS.computeIfAbsent(new Many(table, count),
                many -> IntStream.range(0, count)
                        .mapToObj(number -> "select " + number + ", " + values(table) + ", crc from "
                                + table.name() + ofKey(table))
                        .collect(Collectors.joining(" union all ")));
    }

    /** Writes so many whole rows. */
    public static String upsert(Table<?> table, int count) {
        return UPSERTS.computeIfAbsent(new Many(table, count), TableSql::makeUpsert);
    }

    private static String makeUpsert(Many many) {
        Table<?> table = many.table();
        List<Column> columns = table.columns();
        String row = "(" + parent(table) + ", " + "?, ".repeat(columns.size() - 1) + "?)";
        String updates = columns.stream()
                .skip(table.keys())
                .map(column -> column.name() + " = excluded." + column.name() + ", ")
                .collect(Collectors.joining());
        return "insert into " + table.name() + " (" + names(columns) + ", crc) values " + row
                + (", " + row).repeat(many.count() - 1) + " on conflict (" + keys(table) + ") do update set "
                + updates + "crc = excluded.crc";
    }

    /** Writes some columns of a row, one bit for each, and its checksum. */
    public static String update(Table<?> table, long changed) {
        return UPDATES.computeIfAbsent(new Update(table, changed), TableSql::make);
    }

    private static String make(Update update) {
        Table<?> table = update.table();
        String set = IntStream.range(0, table.columns().size())
                .filter(column -> (update.changed() & 1L << column) != 0)
                .mapToObj(column -> table.columns().get(column).name() + " = ?, ")
                .collect(Collectors.joining());
        return "update " + table.name() + " set " + set + "crc = ?" + ofKey(table);
    }

    /** Those of a table. */
    public static TableSql of(Table<?> table) {
        return KNOWN.computeIfAbsent(table, TableSql::make);
    }

    /** Selects all values of rows, and their checksums. */
    public static String select(Table<?> table) {
        return "select " + values(table) + ", crc from " + table.name();
    }

    /** The columns of its key. */
    public static String keys(Table<?> table) {
        return names(table.columns().subList(0, table.keys()));
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    /** The columns, the name of a numbered scope in the place of its number. */
    private static String values(Table<?> table) {
        if (!NumberedScopes.has(table)) {
            return names(table.columns());
        }
        String parent = table.columns().getFirst().name();
        return NumberedScopes.name(table.name() + "." + parent) + " as " + parent + ", "
                + names(table.columns().subList(1, table.columns().size()));
    }

    /** A parent that is given. */
    private static String parent(Table<?> table) {
        return NumberedScopes.has(table) ? NumberedScopes.NUMBER : "?";
    }

    private static TableSql make(Table<?> table) {
        List<Column> columns = table.columns();
        String parent = columns.getFirst().name();
        String child = columns.get(table.keys() - 1).name();
        String ofParent = " where " + parent + " = " + parent(table);
        String ofKey = ofKey(table);
        String select = select(table);
        boolean numbered = NumberedScopes.has(table);
        String behind = numbered
                ? "select " + values(table) + ", " + table.name() + ".crc from "
                        + NumberedScopes.joined(table.name(), parent)
                : select + " where " + parent + " > ?";
        return new TableSql(
                "delete from " + table.name() + ofKey, "delete from " + table.name() + ofParent,
                select + ofParent + " order by " + child + " limit ?",
                select + ofParent + " and " + child + " >= ? order by " + child + " limit ?",
                behind + (table.keys() == 1
                        ? ""
                        : " and not exists (select 1 from " + table.name() + " b where b." + parent + " = "
                                + table.name() + "." + parent + " and b." + child + " < " + table.name() + "."
                                + child + ")")
                        + " order by " + (numbered ? NumberedScopes.ORDER : keys(table))
                        + " limit ?");
    }

    /** The condition that finds a row by its key. */
    public static String ofKey(Table<?> table) {
        return " where " + table.columns().getFirst().name() + " = " + parent(table) + (table.keys() == 1
                ? ""
                : " and " + table.columns().get(1).name() + " = ?");
    }
}
