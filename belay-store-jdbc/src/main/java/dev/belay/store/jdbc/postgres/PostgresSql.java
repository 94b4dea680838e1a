package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.All;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Selector.Of;
import dev.belay.runtime.store.rows.Selector.One;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import dev.belay.runtime.store.rows.Tables;
import dev.belay.store.jdbc.sql.IndexSql;
import dev.belay.store.jdbc.sql.MadeIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a schema, made from the tables and indexes of the runtime. Every name is qualified by the schema, so that a pooler
 * which changes connections between transactions does no harm. A statement takes arrays: it reads or writes any number of rows.
 * Thread-safe.
 */
final class PostgresSql {

    private static final Pattern SUBQUERY = Pattern.compile("from (\\w+) where (\\w+) =");

    private final String prefix;
    private final Map<Shape, String> selects = new ConcurrentHashMap<>();
    private final Map<String, String> others = new ConcurrentHashMap<>();

    /** The statements of a schema; its name may hold any characters. */
    PostgresSql(String schema) {
        prefix = quoted(schema) + ".";
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** A name in the schema. */
    String name(String of) {
        return prefix + quoted(of);
    }

    /**
     * Selectors that one statement can answer.
     *
     * @param table of which table
     * @param index by which index; null for keys
     * @param type the class of the selectors
     * @param bounds what they have: a first child, a group, a place behind which they begin, a last place, kinds; with kinds a
     *        statement answers one selector
     */
    record Shape(Table<?> table, @Nullable Index<?> index, Class<?> type, List<String> bounds) {

        static Shape of(Selector<?> selector) {
            List<String> bounds = new ArrayList<>();
            return switch (selector) {
                case One<?> one -> new Shape(one.table(), null, One.class, bounds);
                case Of<?> of -> new Shape(of.table(), null, Of.class,
                        of.from() == null ? bounds : List.of("from"));
                case All<?> all -> new Shape(all.table(), null, All.class, bounds);
                case Found<?> found -> {
                    addIf(bounds, IndexSql.of(found.index()).group() != null, "grouped");
                    addIf(bounds, found.after() != null, "after");
                    addIf(bounds, found.until() != null, "until");
                    addIf(bounds, found.kinds() != null, "kinds");
                    yield new Shape(found.table(), found.index(), Found.class, bounds);
                }
            };
        }

        private static void addIf(List<String> bounds, boolean has, String name) {
            if (has) {
                bounds.add(name);
            }
        }
    }

    /** Reads rows of selectors of one shape; the first column is the number of the selector, from 1. */
    String select(Shape shape) {
        return selects.computeIfAbsent(shape, this::makeSelect);
    }

    private String makeSelect(Shape shape) {
        Table<?> table = shape.table();
        String parent = quoted(table.columns().getFirst().name());
        Column last = table.columns().get(table.keys() - 1);
        String child = quoted(last.name());
        List<String> types = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        String order;
        Index<?> index = shape.index();
        if (index != null) {
            order = found(index, shape.bounds(), types, conditions);
        } else if (shape.type() == All.class) {
            conditions.add(parent + " > " + next(types, "text"));
            if (table.keys() > 1) {
                String outer = quoted(table.name()) + ".";
                conditions.add("not exists (select 1 from " + name(table.name()) + " b where b." + parent
                        + " = " + outer + parent + " and b." + child + " < " + outer + child + ")");
            }
            order = keys(table);
        } else {
            conditions.add(parent + " = " + next(types, "text"));
            if (shape.type() == One.class && table.keys() > 1) {
                conditions.add(child + " = " + next(types, type(last)));
            } else if (shape.bounds().contains("from")) {
                conditions.add(child + " >= " + next(types, type(last)));
            }
            order = child;
        }
        boolean one = shape.type() == One.class;
        String limit = one ? "1" : next(types, "bigint");
        String arrays = types.stream().map(type -> "?::" + type + "[]").collect(Collectors.joining(", "));
        String names = IntStream.rangeClosed(1, types.size())
                .mapToObj(n -> "v" + n)
                .collect(Collectors.joining(", "));
        return "select k.n, t.* from unnest(" + arrays + ") with ordinality as k(" + names
                + ", n) cross join lateral (select " + columns(table) + " from " + name(table.name())
                + (conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions))
                + (one
                        ? " limit 1) t"
                        : " order by " + order + " limit " + limit + ") t order by k.n, " + order);
    }

    private String found(Index<?> index, List<String> bounds, List<String> types, List<String> conditions) {
        IndexSql sql = IndexSql.of(index);
        String at = type(index.table()
                .columns()
                .stream()
                .filter(column -> column.name().equals(sql.at()))
                .findFirst()
                .orElseThrow());
        if (!sql.where().isEmpty()) {
            conditions.add(SUBQUERY.matcher(sql.where())
                    .replaceAll("from " + prefix.replace("$", "\\$")
                            + "\"$1\" where \"$2\" ="));
        }
        for (String bound : bounds) {
            conditions.add(switch (bound) {
                case "grouped" -> sql.group() + " = " + next(types, "text");
                case "after" -> sql.at() + " > " + next(types, at);
                case "until" -> sql.at() + " <= " + next(types, at);
                default -> "kind = any(?::text[])";
            });
        }
        return sql.order(index);
    }

    private static String next(List<String> types, String type) {
        types.add(type);
        return "k.v" + types.size();
    }

    /** Locks rows in the order of their keys, and gives the keys of those that exist. */
    String lock(Table<?> table) {
        return others.computeIfAbsent("lock " + table,
                key -> "select " + join(keyColumns(table), c -> "t." + c)
                        + " from " + name(table.name()) + " t join " + unnest(table) + " on "
                        + matches(table) + " order by " + join(keyColumns(table), c -> "t." + c)
                        + " for update of t");
    }

    /** Deletes rows by their keys. */
    String delete(Table<?> table) {
        return others.computeIfAbsent("delete " + table, key -> "delete from " + name(table.name())
                + " t using " + unnest(table) + " where " + matches(table));
    }

    /** Deletes all rows of parents. */
    String clear(Table<?> table) {
        return others.computeIfAbsent("clear " + table, key -> "delete from " + name(table.name()) + " where "
                + quoted(table.columns().getFirst().name()) + " = any(?::text[])");
    }

    /** Writes whole rows, new or not. */
    String upsert(Table<?> table) {
        return others.computeIfAbsent("upsert " + table, key -> {
            List<Column> rest = table.columns().subList(table.keys(), table.columns().size());
            return rows(table) + " do update set " + join(rest, c -> c + " = excluded." + c + ", ", "")
                    + "crc = excluded.crc";
        });
    }

    /** Writes rows that are new, and gives one row for each that was. */
    String insert(Table<?> table) {
        return others.computeIfAbsent("insert " + table, key -> rows(table) + " do nothing returning 1");
    }

    private String rows(Table<?> table) {
        return "insert into " + name(table.name()) + " (" + columns(table) + ") select * from "
                + unnestRows(table.columns()) + " on conflict (" + keys(table) + ")";
    }

    /** Writes the numbers and checksums of rows that exist. */
    String update(Table<?> table) {
        return others.computeIfAbsent("update " + table, key -> "update " + name(table.name()) + " t set "
                + join(table.columns().stream().filter(column -> isNumber(table, column)).toList(),
                        c -> c + " = k." + c + ", ", "")
                + "crc = k.crc from " + unnestRows(keysAndNumbers(table)) + " where " + matches(table));
    }

    /** What {@link #update} takes, before the checksum. */
    static List<Column> keysAndNumbers(Table<?> table) {
        return table.columns()
                .stream()
                .filter(column -> keyColumns(table).contains(column) || isNumber(table, column))
                .toList();
    }

    private static boolean isNumber(Table<?> table, Column column) {
        return column.type() == Table.Type.NUMBER && !keyColumns(table).contains(column);
    }

    private static String unnestRows(List<Column> columns) {
        return "unnest(" + columns.stream().map(c -> "?::" + type(c) + "[], ").collect(Collectors.joining())
                + "?::bigint[]) as k(" + join(columns, c -> c) + ", crc)";
    }

    private static String unnest(Table<?> table) {
        return "unnest(" + keyColumns(table).stream()
                .map(column -> "?::" + type(column) + "[]")
                .collect(Collectors.joining(", ")) + ") as k(" + keys(table) + ")";
    }

    private static String matches(Table<?> table) {
        return join(keyColumns(table), c -> "t." + c + " = k." + c, " and ");
    }

    private static List<Column> keyColumns(Table<?> table) {
        return table.columns().subList(0, table.keys());
    }

    private static String keys(Table<?> table) {
        return join(keyColumns(table), c -> c);
    }

    private static String columns(Table<?> table) {
        return join(table.columns(), c -> c) + ", crc";
    }

    private static String join(List<Column> columns, Function<String, String> text) {
        return join(columns, text, ", ");
    }

    private static String join(List<Column> columns, Function<String, String> text, String between) {
        return columns.stream()
                .map(column -> text.apply(quoted(column.name())))
                .collect(Collectors.joining(between));
    }

    /** Moments and JSON are texts: exact, in their order, and free of rules of the server. */
    static String type(Column column) {
        return switch (column.type()) {
            case TEXT, MOMENT, JSON -> "text";
            case NUMBER -> "bigint";
            case BYTES -> "bytea";
        };
    }

    /** What makes all tables and indexes; nothing happens to those that exist. */
    List<String> schema() {
        List<String> made = new ArrayList<>();
        for (Table<?> table : Tables.ALL) {
            made.add("create table if not exists " + name(table.name()) + " ("
                    + table.columns().stream().map(c -> column(table, c)).collect(Collectors.joining())
                    + "crc bigint not null, primary key (" + keys(table) + "))");
        }
        MadeIndex.all()
                .forEach(index -> made.add("create index if not exists " + quoted(index.name()) + " on "
                        + name(index.table()) + " (" + index.columns() + ")"
                        + (index.where().isEmpty() ? "" : " where " + index.where())));
        return made;
    }

    private static String column(Table<?> table, Column column) {
        String type = type(column);
        return quoted(column.name()) + " " + type + (type.equals("text") ? " collate \"C\"" : "")
                + (keyColumns(table).contains(column) ? " not null, " : ", ");
    }
}
