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
 * @param upsert writes a whole row
 * @param delete a row by its key
 * @param clear deletes all rows of a parent
 * @param one a row by its key
 * @param of rows of a parent
 * @param from rows of a parent from a child on
 * @param all the first rows of the parents behind one
 */
record TableSql(String upsert, String delete, String clear, String one, String of, String from, String all) {

    private static final Map<Table<?>, TableSql> KNOWN = new ConcurrentHashMap<>();
    /** Few: an operation changes the same columns each time. */
    private static final Map<Update, String> UPDATES = new ConcurrentHashMap<>();

    private record Update(Table<?> table, long changed) {}

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
        String updates = columns.stream()
                .skip(table.keys())
                .map(column -> column.name() + " = excluded." + column.name() + ", ")
                .collect(Collectors.joining());
        return new TableSql(
                "insert into " + table.name() + " (" + names(columns) + ", crc) values ("
                        + "?, ".repeat(columns.size()) + "?) on conflict (" + keys(table) + ") do update set "
                        + updates + "crc = excluded.crc",
                "delete from " + table.name() + ofKey, "delete from " + table.name() + ofParent,
                select + ofKey,
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
