package dev.belay.store.jdbc.sql;

import static java.util.stream.Collectors.joining;

import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How SQL says which rows an index holds, and where they stand in it.
 *
 * @param where the condition of the partial index; empty if it holds all rows
 * @param group the column of the group; null if the index has one group
 * @param at the column of the place
 */
public record IndexSql(String where, @Nullable String group, String at) {

    private static final String UNUSED = "not exists (select 1 from effect where output = content.hash)"
            + " and not exists (select 1 from scope_result where output = content.hash)"
            + " and not exists (select 1 from late where output = content.hash)"
            + " and not exists (select 1 from ledger where output = content.hash)"
            + " and not exists (select 1 from kept where hash = content.hash)";

    private static final Map<Index<?>, IndexSql> ALL = Map.ofEntries(
            Map.entry(Index.READY, new IndexSql("status = 'READY'", null, "since")),
            Map.entry(Index.READY_OF_KIND, new IndexSql("status = 'READY'", "kind", "since")),
            Map.entry(Index.READY_KINDS, new IndexSql("status = 'READY'", null, "kind")),
            Map.entry(Index.OWNED, new IndexSql("", "owner", "since")),
            Map.entry(Index.WAKING, new IndexSql("wake_at is not null", null, "wake_at")),
            Map.entry(Index.STUCK, new IndexSql("status = 'STUCK'", null, "since")),
            Map.entry(Index.STUCK_NAMES, new IndexSql("status = 'STUCK'", null, "id")),
            Map.entry(Index.ENDED, new IndexSql("status = 'ENDED' and collected = 0", null, "since")),
            Map.entry(Index.OPEN, new IndexSql("resolution is null", "scope", "name")),
            Map.entry(Index.DUE,
                    new IndexSql("resolution is null and deadline is not null", null, "deadline")),
            Map.entry(Index.PENDING, new IndexSql("place is not null", null, "place")),
            Map.entry(Index.KEY_ID, new IndexSql("", "id", "name")),
            Map.entry(Index.WAITING, new IndexSql("turn is null", "session", "place")),
            Map.entry(Index.INPUTS,
                    new IndexSql("turn is null and kind = 'INPUT'", "session", "place")),
            Map.entry(Index.OPEN_LOOPS, new IndexSql("open_loop = 1", null, "id")),
            Map.entry(Index.STARTED, new IndexSql("", null, "place")),
            Map.entry(Index.GRANTED, new IndexSql("", "session", "place")),
            Map.entry(Index.TOLD, new IndexSql("", "process", "place")),
            Map.entry(Index.UNUSED, new IndexSql(UNUSED, null, "written_at")),
            Map.entry(Index.DOUBTS, new IndexSql("settled_at is null", null, "place")),
            Map.entry(Index.DOUBTED_CALLS, new IndexSql("settled_at is null", "guard", "place")),
            Map.entry(Index.DOUBTED_RESOURCES,
                    new IndexSql("settled_at is null and resource is not null", "resource", "place")),
            Map.entry(Index.DOUBTED_WAITS,
                    new IndexSql("settled_at is null and answers is not null", "answers", "place")),
            Map.entry(Index.DOUBTED_SCOPES, new IndexSql("settled_at is null", "scope", "place")),
            Map.entry(Index.DOUBTED_SESSIONS,
                    new IndexSql("settled_at is null and session is not null", "session", "place")));

    /** Statements by index, and by which bounds a selector has. */
    private static final Map<Index<?>, String[]> KNOWN = new ConcurrentHashMap<>();

    private static final int AFTER = 1;
    private static final int UNTIL = 2;
    private static final int KINDS = 4;

    /** How SQL says what an index holds. */
    public static IndexSql of(Index<?> index) {
        IndexSql sql = ALL.get(index);
        if (sql == null) {
            throw new IllegalArgumentException("the schema has no index " + index);
        }
        return sql;
    }

    /** The statement that finds the rows of a selector. */
    public static String of(Found<?> found) {
        int bounds = (found.after() == null ? 0 : AFTER) + (found.until() == null ? 0 : UNTIL)
                + (found.kinds() == null ? 0 : KINDS);
        return KNOWN.computeIfAbsent(found.index(), IndexSql::statements)[bounds];
    }

    private static String[] statements(Index<?> index) {
        IndexSql sql = of(index);
        String[] statements = new String[AFTER + UNTIL + KINDS + 1];
        for (int bounds = 0; bounds < statements.length; bounds++) {
            statements[bounds] = sql.statement(index, bounds);
        }
        return statements;
    }

    private String statement(Index<?> index, int bounds) {
        List<String> conditions = new ArrayList<>();
        if (!where.isEmpty()) {
            conditions.add(where);
        }
        if (group != null) {
            conditions.add(group + " = ?");
        }
        Table<?> table = index.table();
        String place = NumberedScopes.has(table) && at.equals(table.columns().getFirst().name())
                ? NumberedScopes.name(table.name() + "." + at)
                : at;
        if ((bounds & AFTER) != 0) {
            conditions.add(place + " > ?");
        }
        if ((bounds & UNTIL) != 0) {
            conditions.add(place + " <= ?");
        }
        if ((bounds & KINDS) != 0) {
            conditions.add("kind in (select value from json_each(?))");
        }
        return TableSql.select(table) + " indexed by " + index.name()
                + (conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions))
                + " order by " + order(index) + " limit ?";
    }

    /** By place, and rows of one place by key; of those of one kind any is the first. */
    public String order(Index<?> index) {
        Table<?> table = index.table();
        if (index == Index.READY_KINDS) {
            return at;
        }
        List<String> keys = table.columns().stream().limit(table.keys()).map(Column::name).toList();
        return keys.contains(at)
                ? at
                : at + keys.stream()
                        .filter(key -> !key.equals(group))
                        .map(key -> ", " + key)
                        .collect(joining());
    }
}
