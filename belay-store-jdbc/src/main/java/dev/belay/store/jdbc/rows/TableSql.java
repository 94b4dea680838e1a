package dev.belay.store.jdbc.rows;

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
record TableSql(String delete, String clear, String of, String from, String all) {

    private static final Map<Table<?>, TableSql> KNOWN = new ConcurrentHashMap<>();
    /** Few: an operation changes the same columns each time. */
    private static final Map<Update, String> UPDATES = new ConcurrentHashMap<>();

    private static final Map<Many, String> SELECTS = new ConcurrentHashMap<>();
    private static final Map<Many, String> UPSERTS = new ConcurrentHashMap<>();

    private record Many(Table<?> table, int count) {}

    private record Update(Table<?> table, long changed) {}

    /** The number of rows, at most the given one, that the next statement takes: one of a few, so that few statements are kept. */
    static int together(int rows) {
        return rows >= 64 ? 64 : rows >= 16 ? 16 : rows >= 4 ? 4 : 1;
    }

    /** Reads so many rows, each by its key, and in front of a row which key it was. A list of pairs of keys would be a scan of the table. */
    static String select(Table<?> table, int count) {
        return SELECTS.computeIfAbsent(new Many(table, count),
                many -> IntStream.range(0, count)
                        .mapToObj(number -> "select " + number + ", " + names(table.columns()) + ", crc from "
                                + table.name() + ofKey(table))
                        .collect(Collectors.joining(" union all ")));
    }

    /** Writes so many whole rows. */
    static String upsert(Table<?> table, int count) {
        return UPSERTS.computeIfAbsent(new Many(table, count), TableSql::makeUpsert);
    }

    private static String makeUpsert(Many many) {
        Table<?> table = many.table();
        List<Column> columns = table.columns();
        String row = "(" + "?, ".repeat(columns.size()) + "?)";
        String updates = columns.stream()
                .skip(table.keys())
                .map(column -> column.name() + " = excluded." + column.name() + ", ")
                .collect(Collectors.joining());
        return "insert into " + table.name() + " (" + names(columns) + ", crc) values " + row
                + (", " + row).repeat(many.count() - 1) + " on conflict (" + keys(table) + ") do update set "
                + updates + "crc = excluded.crc";
    }

    /** Writes some columns of a row, one bit for each, and its checksum. */
    static String update(Table<?> table, long changed) {
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

    static TableSql of(Table<?> table) {
        return KNOWN.computeIfAbsent(table, TableSql::make);
    }

    /** Selects all values of rows, and their checksums. */
    static String select(Table<?> table) {
        return "select " + names(table.columns()) + ", crc from " + table.name();
    }

    static String keys(Table<?> table) {
        return names(table.columns().subList(0, table.keys()));
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private static TableSql make(Table<?> table) {
        List<Column> columns = table.columns();
        String parent = columns.getFirst().name();
        String child = columns.get(table.keys() - 1).name();
        String ofParent = " where " + parent + " = ?";
        String ofKey = ofKey(table);
        String select = select(table);
        return new TableSql(
                "delete from " + table.name() + ofKey, "delete from " + table.name() + ofParent,
                select + ofParent + " order by " + child + " limit ?",
                select + ofParent + " and " + child + " >= ? order by " + child + " limit ?",
                select + " where " + parent + " > ?" + (table.keys() == 1
                        ? ""
                        : " and not exists (select 1 from " + table.name() + " b where b." + parent + " = "
                                + table.name() + "." + parent + " and b." + child + " < " + table.name() + "."
                                + child + ")")
                        + " order by " + keys(table) + " limit ?");
    }

    private static String ofKey(Table<?> table) {
        return " where " + table.columns()
                .stream()
                .limit(table.keys())
                .map(column -> column.name() + " = ?")
                .collect(Collectors.joining(" and "));
    }
}
