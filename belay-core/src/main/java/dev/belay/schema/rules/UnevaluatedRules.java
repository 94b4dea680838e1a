package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules for fields and items that no other keyword of the schema has evaluated; they run last. */
public final class UnevaluatedRules {

    private UnevaluatedRules() {}

    public static void compile(SchemaNode node, Keywords keywords, Subschemas subschemas) {
        SchemaNode fields = subschemas.child(keywords, "unevaluatedProperties");
        if (fields != null) {
            node.trackSeen();
            node.add((value, walk, seen) -> checkFields(node, fields, value, walk, seen), Kind.OBJECT);
        }
        SchemaNode items = subschemas.child(keywords, "unevaluatedItems");
        if (items != null) {
            node.trackSeen();
            node.add((value, walk, seen) -> checkItems(items, value, walk, seen), Kind.ARRAY);
        }
    }

    private static boolean checkFields(SchemaNode owner, SchemaNode schema, Json value, Walk walk,
            @Nullable Seen seen) {
        boolean accepted = true;
        walk.charge(value.fields().size());
        for (Map.Entry<String, Json> field : value.fields().entrySet()) {
            String name = field.getKey();
            if (seen != null && seen.hasField(name)) {
                continue;
            }
            Place before = walk.enter(name);
            accepted &= schema.isNothing()
                    ? ObjectRules.unknownField("unevaluatedProperties", name, field.getValue(), walk,
                            owner::declaredFields)
                    : schema.check(field.getValue(), walk, null);
            walk.leave(before);
            if (!accepted && !walk.reports()) {
                return false;
            }
        }
        if (seen != null) {
            seen.all();
        }
        return accepted;
    }

    private static boolean checkItems(SchemaNode schema, Json value, Walk walk, @Nullable Seen seen) {
        boolean accepted = true;
        List<Json> items = value.items();
        walk.charge(items.size());
        for (int i = 0; i < items.size(); i++) {
            if (seen != null && seen.hasItem(i)) {
                continue;
            }
            Place before = walk.enter(i);
            Json item = items.get(i);
            accepted &= schema.isNothing()
                    ? walk.fail("unevaluatedItems", item, () -> "no further item")
                    : schema.check(item, walk, null);
            walk.leave(before);
            if (!accepted && !walk.reports()) {
                return false;
            }
        }
        if (seen != null) {
            seen.all();
        }
        return accepted;
    }
}
