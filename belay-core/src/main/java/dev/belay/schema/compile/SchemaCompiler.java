package dev.belay.schema.compile;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.BoundedPattern;
import dev.belay.schema.Draft;
import dev.belay.schema.FormatMode;
import dev.belay.schema.SchemaException;
import dev.belay.schema.rules.ArrayRules;
import dev.belay.schema.rules.CombiningRules;
import dev.belay.schema.rules.Excerpt;
import dev.belay.schema.rules.Keywords;
import dev.belay.schema.rules.NumberRules;
import dev.belay.schema.rules.ObjectRules;
import dev.belay.schema.rules.Place;
import dev.belay.schema.rules.Rule;
import dev.belay.schema.rules.SchemaNode;
import dev.belay.schema.rules.Seen;
import dev.belay.schema.rules.StringRules;
import dev.belay.schema.rules.Subschemas;
import dev.belay.schema.rules.UnevaluatedRules;
import dev.belay.schema.rules.ValueRules;
import dev.belay.schema.rules.Walk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private static final Set<String> LATEST = Set.of("http://json-schema.org/schema#",
            "http://json-schema.org/schema", "https://json-schema.org/schema");

    /** Instructions of all patterns together: ten of the largest, in some megabytes. */
    private static final int MOST_INSTRUCTIONS = 100_000;

    private final FormatMode formats;
    private final Draft draft;
    private final SchemaReferences references;
    /** By identity: the same part of the text is the same schema. */
    private final IdentityHashMap<Json, SchemaNode> nodes = new IdentityHashMap<>();
    private final Deque<Link> links = new ArrayDeque<>();
    private final List<Runnable> whenLinked = new ArrayList<>();
    private final Map<String, BoundedPattern> patterns = new HashMap<>();
    private int instructions;

    private SchemaCompiler(Json root, FormatMode formats, Draft draft) {
        this.formats = formats;
        this.draft = draft;
        this.references = new SchemaReferences(root, draft);
    }

    /** Compiles a schema by the rules of the draft that it names, else of the given one. */
    public static SchemaNode compile(Json root, FormatMode formats, Draft unnamed) {
        Draft draft = named(Keywords.whole(root, Place.ROOT, unnamed), unnamed);
        SchemaCompiler compiler = new SchemaCompiler(root, formats, draft);
        SchemaNode node = compiler.node(root, Place.ROOT);
        compiler.link();
        SchemaReferences.refuseCircles(compiler.nodes.values());
        SchemaNode.findParts(compiler.nodes.values());
        compiler.whenLinked.forEach(Runnable::run);
        return node;
    }

    /** The draft that the schema names; one that names whichever is newest leaves it to its source. */
    private static Draft named(Keywords keywords, Draft unnamed) {
        String uri = keywords.string("$schema");
        return uri == null || LATEST.contains(uri)
                ? unnamed
                : Draft.named(uri)
                        .orElseThrow(() -> new SchemaException(keywords.place("$schema").pointer(),
                                "expected draft 4, 6, 7, 2019-09 or 2020-12 "
                                        + "(https://json-schema.org/draft/2020-12/schema), found "
                                        + Excerpt.quoted(uri)));
    }

    /** The node for a schema; compiled if this is the first time. */
    private SchemaNode node(Json schema, Place place) {
        SchemaNode known = nodes.get(schema);
        if (known != null) {
            return known;
        }
        SchemaNode node = new SchemaNode(schema, Keywords.of(schema, place, draft));
        nodes.put(schema, node);
        switch (schema.kind()) {
            case OBJECT -> fill(node, node.keywords());
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
        if (named(keywords, draft) != draft) {
            throw keywords.wrong("$schema", "the same draft as the whole schema");
        }
        ValueRules.compile(node, keywords);
        NumberRules.compile(node, keywords, formats);
        StringRules.compile(node, keywords, formats, this);
        ArrayRules.compile(node, keywords, this);
        ObjectRules.compile(node, keywords, this);
        references(node, keywords);
        CombiningRules.compile(node, keywords, this);
        UnevaluatedRules.compile(node, keywords, this);
        childrenByName(keywords, "$defs");
        childrenByName(keywords, "definitions");
    }

    /** Without a second resource there is one scope only, in which a dynamic reference leads where a plain one does. */
    private void references(SchemaNode node, Keywords keywords) {
        for (String keyword : List.of("$ref", "$recursiveRef", "$dynamicRef")) {
            String reference = keywords.string(keyword);
            if (reference == null) {
                continue;
            }
            if (!keyword.equals("$ref") && references.hasSeveralResources()) {
                throw new SchemaException(keywords.place(keyword).pointer(), keyword
                        + " is not supported in a schema with an $id below its root; use $ref");
            }
            Link link = new Link(node, reference, keywords.place(keyword));
            links.add(link);
            node.addAlways(link);
        }
    }

    private void link() {
        for (Link link = links.poll(); link != null; link = links.poll()) {
            SchemaReferences.Target found = references.resolve(link.from.json(), link.reference, link.place);
            SchemaNode target = node(found.schema(), found.place());
            link.target = target;
            link.from.refersTo(target);
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
            keywords.object(keyword).forEach((name, schema) -> {
                if (schema.kind() != Kind.ARRAY || !keyword.equals("dependencies")) {
                    children.put(name, node(schema, keywords.place(keyword).field(name)));
                }
            });
        }
        return children;
    }

    /** A reference, as the rule that it is once its target is known. */
    private static final class Link implements Rule {

        private final SchemaNode from;
        private final String reference;
        private final Place place;
        private @Nullable SchemaNode target;

        Link(SchemaNode from, String reference, Place place) {
            this.from = from;
            this.reference = reference;
            this.place = place;
        }

        @Override
        public boolean check(Json value, Walk walk, @Nullable Seen seen) {
            return Objects.requireNonNull(target, "target").check(value, walk, seen);
        }
    }
}
