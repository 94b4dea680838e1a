package dev.belay.store.jdbc.sql;

import dev.belay.runtime.store.rows.Index;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An index that a schema has.
 *
 * @param name which
 * @param table whose
 * @param columns these, in their order
 * @param where which rows it holds; empty if all
 */
public record MadeIndex(String name, String table, String columns, String where) {

    private static final Pattern SUBQUERY = Pattern.compile("from (\\w+) where (\\w+) =");

    /** All of them: one for each index of the runtime, and those that their conditions look into. */
    public static List<MadeIndex> all() {
        Map<String, MadeIndex> made = new LinkedHashMap<>();
        for (Index<?> index : Index.ALL) {
            of(index).forEach(each -> made.putIfAbsent(each.name, each));
        }
        return List.copyOf(made.values());
    }

    private static List<MadeIndex> of(Index<?> index) {
        IndexSql sql = IndexSql.of(index);
        List<MadeIndex> made = new ArrayList<>();
        var references = SUBQUERY.matcher(sql.where());
        while (references.find()) {
            String column = references.group(2);
            made.add(new MadeIndex(references.group(1) + "_" + column, references.group(1), column,
                    column + " is not null"));
        }
        String where = !made.isEmpty()
                ? ""
                : !sql.where().isEmpty() || sql.group() == null
                        ? sql.where()
                        : sql.group() + " is not null";
        made.add(new MadeIndex(index.name(), index.table().name(),
                (sql.group() == null ? "" : sql.group() + ", ") + sql.order(index), where));
        return made;
    }
}
