package dev.belay.schema.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules that apply other schemas to the same value: {@code allOf}, {@code not}, {@code if}; choices are apart. */
public final class CombiningRules {

    private CombiningRules() {}

    public static void compile(SchemaNode node, Keywords keywords, Subschemas subschemas) {
        for (SchemaNode part : subschemas.children(keywords, "allOf")) {
            node.appliesInPlace(part);
            node.addAlways(part::check);
        }
        for (String keyword : List.of("anyOf", "oneOf")) {
            List<SchemaNode> branches = subschemas.children(keywords, keyword);
            if (!branches.isEmpty()) {
                branches.forEach(node::appliesInPlace);
                ChoiceRule choice = new ChoiceRule(keyword, branches);
                subschemas.whenLinked(choice::findTags);
                node.addAlways(choice);
            }
        }
        SchemaNode excluded = subschemas.child(keywords, "not");
        if (excluded != null) {
            node.appliesInPlace(excluded);
            node.addAlways((value, walk, seen) -> !walk.test(excluded, value, null) || walk.fail("not", value,
                    () -> "a value that does not match " + Excerpt.of(excluded.json())));
        }
        condition(node, subschemas.child(keywords, "if"), subschemas.child(keywords, "then"),
                subschemas.child(keywords, "else"));
    }

    private static void condition(SchemaNode node, @Nullable SchemaNode test, @Nullable SchemaNode then,
            @Nullable SchemaNode otherwise) {
        if (test == null) {
            return;
        }
        node.appliesInPlace(test);
        if (then != null) {
            node.appliesInPlace(then);
        }
        if (otherwise != null) {
            node.appliesInPlace(otherwise);
        }
        node.addAlways((value, walk, seen) -> {
            Seen own = Seen.apart(seen);
            boolean holds = walk.test(test, value, own);
            if (holds) {
                Seen.merge(own, seen, walk);
            }
            SchemaNode branch = holds ? then : otherwise;
            return branch == null || branch.check(value, walk, seen);
        });
    }
}
