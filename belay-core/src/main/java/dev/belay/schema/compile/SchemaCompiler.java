package dev.belay.schema.compile;

import dev.belay.json.Json;
import dev.belay.schema.BoundedPattern;
import dev.belay.schema.FormatMode;
import dev.belay.schema.SchemaException;
import dev.belay.schema.rules.ArrayRules;
import dev.belay.schema.rules.CombiningRules;
import dev.belay.schema.rules.Excerpt;
import dev.belay.schema.rules.Keywords;
import dev.belay.schema.rules.NumberRules;
import dev.belay.schema.rules.ObjectRules;
import dev.belay.schema.rules.Place;
import dev.belay.schema.rules.SchemaNode;
import dev.belay.schema.rules.StringRules;
import dev.belay.schema.rules.Subschemas;
import dev.belay.schema.rules.UnevaluatedRules;
import dev.belay.schema.rules.ValueRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns a schema into nodes, in three passes: every schema position becomes a node; every reference is led to its target; the
 * references are checked for circles. Confined to one compilation.
 *
 * <p>A target is compiled when its reference is linked, not when it is met, so that a long chain of references needs no deep
 * stack.
 */
public final class SchemaCompiler implements Subschemas {

    private static final Set<String> DIALECTS = Set.of("https://json-schema.org/draft/2020-12/schema",
            "https://json-schema.org/draft/2020-12/schema#");

    /** Instructions of all patterns together: ten of the largest, in some megabytes. */
    private static final int MOST_INSTRUCTIONS = 100_000;

    private final FormatMode formats;
    private final SchemaReferences references;
    /** By identity: the same part of the text is the same schema. */
    private final IdentityHashMap<Json, SchemaNode> nodes = new IdentityHashMap<>();
    private final Deque<Link> links = new ArrayDeque<>();
    private final List<Runnable> whenLinked = new ArrayList<>();
    private final Map<String, BoundedPattern> patterns = new HashMap<>();
    private int instructions;

    private SchemaCompiler(Json root, FormatMode formats) {
        this.formats = formats;
        this.references = new SchemaReferences(root);
    }

    public static SchemaNode compile(Json root, FormatMode formats) {
        SchemaCompiler compiler = new SchemaCompiler(root, formats);
        SchemaNode node = compiler.node(root, Place.ROOT);
        compiler.link();
        SchemaReferences.refuseCircles(compiler.nodes.values());
        compiler.whenLinked.forEach(Runnable::run);
        return node;
    }

    /** The node for a schema; compiled if this is the first time. */
    private SchemaNode node(Json schema, Place place) {
        SchemaNode known = nodes.get(schema);
        if (known != null) {
            return known;
        }
        SchemaNode node = new SchemaNode(schema, place);
        nodes.put(schema, node);
        switch (schema.kind()) {
            case OBJECT -> fill(node, new Keywords(schema.fields(), place));
            case BOOLEAN -> {
                if (node.isNothing()) {
                    node.addAlways(ValueRules.nothing());
                }
            }
            case ARRAY, STRING, NUMBER, NULL -> throw new SchemaException(place.pointer(),
                    "a schema is an object, true or false, found " + Excerpt.of(schema));
        }
        node.seal();
        return node;
    }

    private void fill(SchemaNode node, Keywords keywords) {
        checkCore(node, keywords);
        ValueRules.compile(node, keywords);
        NumberRules.compile(node, keywords, formats);
        StringRules.compile(node, keywords, formats, this);
        ArrayRules.compile(node, keywords, this);
        ObjectRules.compile(node, keywords, this);
        reference(node, keywords);
        CombiningRules.compile(node, keywords, this);
        UnevaluatedRules.compile(node, keywords, this);
        childrenByName(keywords, "$defs");
    }

    private static void checkCore(SchemaNode node, Keywords keywords) {
        for (String unsupported : List.of("$dynamicRef", "$recursiveRef")) {
            if (keywords.has(unsupported)) {
                throw new SchemaException(keywords.place(unsupported).pointer(),
                        unsupported + " is not supported; use $ref");
            }
        }
        String dialect = keywords.string("$schema");
        if (dialect != null && !DIALECTS.contains(dialect)) {
            throw new SchemaException(keywords.place("$schema").pointer(),
                    "only draft 2020-12 (https://json-schema.org/draft/2020-12/schema) is supported, found "
                            + Excerpt.quoted(dialect));
        }
        if (keywords.string("$id") != null && node.place() != Place.ROOT) {
            throw new SchemaException(keywords.place("$id").pointer(),
                    "$id is only supported at the root, found " + Excerpt.quoted(keywords.string("$id")));
        }
    }

    private void reference(SchemaNode node, Keywords keywords) {
        String reference = keywords.string("$ref");
        if (reference != null) {
            links.add(new Link(node, reference, keywords.place("$ref")));
            node.addAlways((value, walk, seen) -> node.requireReference().check(value, walk, seen));
        }
    }

    private void link() {
        for (Link link = links.poll(); link != null; link = links.poll()) {
            SchemaReferences.Target target = references.resolve(link.reference, link.place);
            link.from.refersTo(node(target.schema(), target.place()));
        }
    }

    @Override
    public BoundedPattern pattern(String expression, Place place) {
        BoundedPattern known = patterns.get(expression);
        if (known == null) {
            known = BoundedPattern.compile(expression, place);
            patterns.put(expression, known);
            instructions += known.size();
            if (instructions > MOST_INSTRUCTIONS) {
                throw new SchemaException(place.pointer(), "the patterns of a schema may have at most "
                        + MOST_INSTRUCTIONS + " instructions in all when they are written out, found more");
            }
        }
        return known;
    }

    @Override
    public void whenLinked(Runnable action) {
        whenLinked.add(action);
    }

    @Override
    public @Nullable SchemaNode child(Keywords keywords, String keyword) {
        Json schema = keywords.get(keyword);
        return schema == null ? null : node(schema, keywords.place(keyword));
    }

    @Override
    public List<SchemaNode> children(Keywords keywords, String keyword) {
        List<SchemaNode> children = new ArrayList<>();
        if (keywords.has(keyword)) {
            for (Json schema : keywords.array(keyword)) {
                children.add(node(schema, keywords.place(keyword).item(children.size())));
            }
        }
        return children;
    }

    @Override
    public Map<String, SchemaNode> childrenByName(Keywords keywords, String keyword) {
        Map<String, SchemaNode> children = new LinkedHashMap<>();
        if (keywords.has(keyword)) {
            keywords.object(keyword)
                    .forEach((name, schema) -> children.put(name,
                            node(schema, keywords.place(keyword).field(name))));
        }
        return children;
    }

    private record Link(SchemaNode from, String reference, Place place) {}
}
