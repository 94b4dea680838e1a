package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What tells the branches of a tagged union apart: a field for which each of them demands another constant string. An object
 * that has the field can satisfy only the branch with its tag.
 *
 * @param field the field's name
 * @param branches the branches by tag
 */
public record BranchTags(String field, Map<String, SchemaNode> branches) {

    /** References followed from a branch to the schema that declares the tag. */
    private static final int MOST_HOPS = 8;
    /** Constant fields of the first branch that are tried as tag. */
    private static final int MOST_CANDIDATES = 16;

    /** Finds the tags of some branches; null if there are none, or only one branch. */
    public static @Nullable BranchTags of(SchemaNode[] branches) {
        if (branches.length < 2) {
            return null;
        }
        for (String field : candidates(branches[0])) {
            Map<String, SchemaNode> byTag = new LinkedHashMap<>();
            for (SchemaNode branch : branches) {
                String tag = constant(branch, field);
                if (tag == null || byTag.put(tag, branch) != null) {
                    break;
                }
            }
            if (byTag.size() == branches.length) {
                return new BranchTags(field, byTag);
            }
        }
        return null;
    }

    private static List<String> candidates(SchemaNode branch) {
        return declaring(branch).flatMap(SchemaNode::constantFields)
                .distinct()
                .limit(MOST_CANDIDATES)
                .toList();
    }

    /** The constant string that a schema, or the one it refers to, demands of a field. */
    private static @Nullable String constant(SchemaNode branch, String field) {
        return declaring(branch).map(schema -> schema.constant(field))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The branch and the schemas that it refers to, one through the other. */
    private static Stream<SchemaNode> declaring(SchemaNode branch) {
        return Stream.iterate(branch, Objects::nonNull, SchemaNode::reference).limit(MOST_HOPS);
    }

    /** The only branch that can accept an object with this tag, or null. */
    @Nullable
    SchemaNode branch(Json tag, Walk walk) {
        if (tag.kind() != Kind.STRING) {
            return null;
        }
        walk.chargeText(tag.asString());
        return branches.get(tag.asString());
    }

    public String list() {
        return Excerpt.names(branches.keySet());
    }

    @Nullable
    String hint(Json tag, Walk walk) {
        if (tag.kind() != Kind.STRING) {
            return null;
        }
        String nearest = walk.nearest(tag.asString(), branches::keySet);
        return nearest == null ? null : "did you mean " + Excerpt.quoted(nearest) + "?";
    }
}
