package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One compiled schema: for each kind of value, the rules that concern it. Filled by the compiler, then sealed and never changed;
 * nodes refer to each other, in circles where the schema is recursive.
 */
public final class SchemaNode {

    private static final Rule[] NO_RULES = {};
    /** Keywords that may demand a field, by themselves or by a schema that they apply to the same value. */
    private static final Set<String> DEMANDING = Set.of("required", "minProperties", "dependentRequired",
            "dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "not", "if", "$ref", "$dynamicRef",
            "$recursiveRef");

    private final Json json;
    private final Keywords keywords;
    private Map<String, SchemaNode> declared = Map.of();
    private final Map<Kind, List<Rule>> collected = new EnumMap<>(Kind.class);
    private final Map<Kind, Rule[]> rules = new EnumMap<>(Kind.class);
    private final List<SchemaNode> inPlace = new ArrayList<>();
    private boolean tracksSeen;
    private boolean isPart;
    private final boolean requiredOnly;
    private @Nullable SchemaNode reference;
    private int added;
    /** What this node stands for if it is nothing but a reference; saves a level of the stack. */
    private @Nullable SchemaNode alias;

    /** Starts a node for a schema with those of its keywords that count. */
    public SchemaNode(Json json, Keywords keywords) {
        this.json = json;
        this.keywords = keywords;
        this.requiredOnly = DEMANDING.stream()
                .noneMatch(keyword -> !keyword.equals("required") && keywords.has(keyword));
    }

    /** Decides whether a value satisfies this schema; the one way through a schema, for tests and reports alike. */
    public boolean check(Json value, Walk walk, @Nullable Seen outer) {
        walk.enterSchema();
        SchemaNode node = this;
        while (node.alias != null) {
            walk.charge(1);
            node = node.alias;
        }
        Seen seen = node.tracksSeen ? new Seen() : outer;
        boolean accepted = true;
        for (Rule rule : node.rules.getOrDefault(value.kind(), NO_RULES)) {
            walk.charge(1);
            if (!rule.check(value, walk, seen)) {
                accepted = false;
                if (!walk.reports()) {
                    break;
                }
            }
        }
        if (node.tracksSeen && accepted) {
            Seen.merge(seen, outer, walk);
        }
        walk.leaveSchema();
        return accepted;
    }

    /** Adds a rule for values of some kinds; rules run in the order they were added. */
    void add(Rule rule, Kind... kinds) {
        added++;
        for (Kind kind : kinds) {
            collected.computeIfAbsent(kind, none -> new ArrayList<>(4)).add(rule);
        }
    }

    /** Adds a rule for every value. */
    public void addAlways(Rule rule) {
        add(rule, Kind.values());
    }

    /** Notes the schemas of fields by name. */
    void declares(Map<String, SchemaNode> fields) {
        declared = fields;
    }

    /** Notes that another schema is applied to the very same value. */
    void appliesInPlace(SchemaNode other) {
        inPlace.add(other);
    }

    /** Notes where {@code $ref}, whose rule was added before, leads. */
    public void refersTo(SchemaNode target) {
        reference = target;
        alias = added == 1 && !tracksSeen ? target : null;
        inPlace.add(target);
    }

    /** Asks for a record of what is evaluated, for {@code unevaluated…}. */
    void trackSeen() {
        tracksSeen = true;
    }

    /** Notes which schemas speak about a value together with others, once all references lead somewhere. */
    public static void findParts(Collection<SchemaNode> nodes) {
        Deque<SchemaNode> open = new ArrayDeque<>(nodes.stream().filter(SchemaNode::sharesItsValue).toList());
        while (!open.isEmpty()) {
            for (SchemaNode part : open.remove().inPlace) {
                if (!part.isPart) {
                    part.isPart = true;
                    open.add(part);
                }
            }
        }
    }

    private boolean sharesItsValue() {
        return keywords.has("allOf") || DEMANDING.stream().filter(keywords::has).count() > 1;
    }

    /** Whether no keyword but {@code required} can demand a field that this schema declares. */
    boolean demandsByRequiredOnly() {
        return !isPart && requiredOnly;
    }

    /** Ends the filling. */
    public void seal() {
        collected.forEach((kind, list) -> rules.put(kind, list.toArray(NO_RULES)));
        collected.clear();
    }

    public Json json() {
        return json;
    }

    /** Whether this is the schema {@code false}. */
    public boolean isNothing() {
        return json.kind() == Kind.BOOLEAN && !json.asBoolean();
    }

    public Place place() {
        return keywords.place();
    }

    /** The keywords that count. */
    public Keywords keywords() {
        return keywords;
    }

    public List<SchemaNode> inPlace() {
        return inPlace;
    }

    /** Where {@code $ref} leads, or null without one. */
    public @Nullable SchemaNode reference() {
        return reference;
    }

    /** The constant string that this schema, without those applied to the same value, demands of a field; else null. */
    @Nullable
    String constant(String field) {
        SchemaNode schema = declared.get(field);
        Json constant = schema == null ? null : schema.keywords.get("const");
        return constant == null || constant.kind() != Kind.STRING ? null : constant.asString();
    }

    /** The fields for which {@link #constant} knows a string. */
    Stream<String> constantFields() {
        return declared.keySet().stream().filter(field -> constant(field) != null);
    }

    /** Every field name that this schema or one applied to the same value declares; for hints. */
    public Set<String> declaredFields() {
        Set<String> names = new LinkedHashSet<>();
        Set<SchemaNode> reached = new LinkedHashSet<>(Set.of(this));
        List<SchemaNode> open = new ArrayList<>(reached);
        for (int i = 0; i < open.size(); i++) {
            names.addAll(open.get(i).declared.keySet());
            for (SchemaNode next : open.get(i).inPlace) {
                if (reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return names;
    }
}
