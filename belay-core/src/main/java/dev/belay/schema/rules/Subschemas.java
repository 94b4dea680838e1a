package dev.belay.schema.rules;

import dev.belay.schema.BoundedPattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles the schemas inside a schema, for rules that apply them. Confined to one compilation. */
public interface Subschemas {

    /** The schema given for a keyword, or null. */
    @Nullable
    SchemaNode child(Keywords keywords, String keyword);

    /** The schemas given for a keyword as an array; none if it is absent. */
    List<SchemaNode> children(Keywords keywords, String keyword);

    /** The schemas given for a keyword by name; none if it is absent. */
    Map<String, SchemaNode> childrenByName(Keywords keywords, String keyword);

    /** A regular expression at a place of the schema; all of them together are bounded. */
    BoundedPattern pattern(String expression, Place place);

    /** Runs an action after every reference was led to its target. */
    void whenLinked(Runnable action);
}
