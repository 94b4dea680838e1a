package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.Draft;
import dev.belay.schema.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules for arrays: size, items, {@code contains}, {@code uniqueItems}. */
public final class ArrayRules {

    private ArrayRules() {}

    public static void compile(SchemaNode node, Keywords keywords, Subschemas subschemas) {
        if (keywords.has("minItems")) {
            int least = keywords.count("minItems");
            node.add((value, walk, seen) -> value.items().size() >= least
                    || wrongSize(value, walk, "minItems", "at least " + Keywords.plural(least, "item")),
                    Kind.ARRAY);
        }
        if (keywords.has("maxItems")) {
            int most = keywords.count("maxItems");
            node.add((value, walk, seen) -> value.items().size() <= most
                    || wrongSize(value, walk, "maxItems", "at most " + Keywords.plural(most, "item")),
                    Kind.ARRAY);
        }
        if (keywords.flag("uniqueItems")) {
            node.add((value, walk, seen) -> unique(value, walk), Kind.ARRAY);
        }
        Json items = keywords.get("items");
        boolean listed = items != null && items.kind() == Kind.ARRAY
                && keywords.draft() != Draft.DRAFT_2020_12;
        if (keywords.has("prefixItems") || items != null) {
            node.add(new Items(List.copyOf(subschemas.children(keywords, listed ? "items" : "prefixItems")),
                    subschemas.child(keywords, listed ? "additionalItems" : "items")), Kind.ARRAY);
        }
        SchemaNode contained = subschemas.child(keywords, "contains");
        int least = keywords.has("minContains") ? keywords.count("minContains") : 1;
        int most = keywords.has("maxContains") ? keywords.count("maxContains") : Integer.MAX_VALUE;
        if (contained != null) {
            node.add(new Contains(contained, least, most, keywords.draft() == Draft.DRAFT_2020_12),
                    Kind.ARRAY);
        }
    }

    private static boolean wrongSize(Json value, Walk walk, String keyword, String limit) {
        return walk.fail(keyword, pointer -> new Violation(pointer, keyword, "an array of " + limit,
                Keywords.plural(value.items().size(), "item"), null));
    }

    private static boolean unique(Json value, Walk walk) {
        List<Json> items = value.items();
        if (items.size() < 2) {
            return true;
        }
        ValueIndex index = new ValueIndex();
        for (int i = 0; i < items.size(); i++) {
            int earlier = index.add(items.get(i), walk);
            if (earlier >= 0) {
                int later = i;
                return walk.fail("uniqueItems",
                        pointer -> new Violation(pointer, "uniqueItems", "items that all differ",
                                Excerpt.of(items.get(later)) + " at both " + earlier + " and " + later,
                                null));
            }
        }
        return true;
    }

    /** {@code prefixItems} by position, {@code items} for the rest. */
    private record Items(List<SchemaNode> prefix, @Nullable SchemaNode rest) implements Rule {

        @Override
        public boolean check(Json value, Walk walk, @Nullable Seen seen) {
            boolean accepted = true;
            List<Json> items = value.items();
            int checked = rest == null ? Math.min(prefix.size(), items.size()) : items.size();
            for (int i = 0; i < checked; i++) {
                SchemaNode schema = i < prefix.size() ? prefix.get(i) : rest;
                Place before = walk.enter(i);
                if (schema != null && !schema.check(items.get(i), walk, null)) {
                    accepted = false;
                }
                walk.leave(before);
                if (!accepted && !walk.reports()) {
                    return false;
                }
            }
            if (seen != null) {
                seen.items(checked);
            }
            return accepted;
        }
    }

    /** {@code contains}; whether it evaluates the items that it finds depends on the draft. */
    private record Contains(SchemaNode wanted, int least, int most, boolean evaluates) implements Rule {

        @Override
        public boolean check(Json value, Walk walk, @Nullable Seen seen) {
            int found = 0;
            List<Json> items = value.items();
            for (int i = 0; i < items.size(); i++) {
                Place before = walk.enter(i);
                if (walk.test(wanted, items.get(i), null)) {
                    found++;
                    if (evaluates && seen != null) {
                        seen.item(i);
                    }
                }
                walk.leave(before);
            }
            if (found < least) {
                return wrongCount(walk, least == 1 ? "contains" : "minContains",
                        "at least " + Keywords.plural(least, "item"), found);
            }
            return found <= most
                    || wrongCount(walk, "maxContains", "at most " + Keywords.plural(most, "item"), found);
        }

        private boolean wrongCount(Walk walk, String keyword, String limit, int found) {
            return walk.fail(keyword, pointer -> new Violation(pointer, keyword,
                    limit + " matching " + Excerpt.of(wanted.json()), Keywords.plural(found, "such item"),
                    null));
        }
    }
}
