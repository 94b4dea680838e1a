package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.BoundedPattern;
import dev.belay.schema.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rules for objects: size, required fields, fields by name and pattern, names. */
public final class ObjectRules {

    private ObjectRules() {}

    public static void compile(SchemaNode node, Keywords keywords, Subschemas subschemas) {
        List<String> required = requiredNames(keywords);
        if (!required.isEmpty()) {
            node.add(new Required(required, node, isClosed(keywords)), Kind.OBJECT);
        }
        if (keywords.has("properties") || keywords.has("patternProperties")
                || keywords.has("additionalProperties")) {
            Map<String, SchemaNode> named = subschemas.childrenByName(keywords, "properties");
            node.declares(named);
            node.add(new Fields(named, patterns(keywords, subschemas),
                    subschemas.child(keywords, "additionalProperties"), Set.copyOf(required), node),
                    Kind.OBJECT);
        }
        if (keywords.has("minProperties")) {
            int least = keywords.count("minProperties");
            node.add((value, walk, seen) -> value.fields().size() >= least
                    || wrongSize(value, walk, "minProperties", "at least " + Keywords.plural(least, "field")),
                    Kind.OBJECT);
        }
        if (keywords.has("maxProperties")) {
            int most = keywords.count("maxProperties");
            node.add((value, walk, seen) -> value.fields().size() <= most
                    || wrongSize(value, walk, "maxProperties", "at most " + Keywords.plural(most, "field")),
                    Kind.OBJECT);
        }
        SchemaNode names = subschemas.child(keywords, "propertyNames");
        if (names != null) {
            node.add((value, walk, seen) -> checkNames(names, value, walk), Kind.OBJECT);
        }
        for (String keyword : List.of("dependentRequired", "dependencies")) {
            keywords.stringsByName(keyword)
                    .forEach((field, needed) -> node
                            .add((value, walk, seen) -> checkDependents(field, needed, value, walk),
                                    Kind.OBJECT));
        }
        for (String keyword : List.of("dependentSchemas", "dependencies")) {
            subschemas.childrenByName(keywords, keyword).forEach((field, schema) -> {
                node.appliesInPlace(schema);
                node.add((value, walk, seen) -> walk.field(value, field) == null
                        || schema.check(value, walk, seen), Kind.OBJECT);
            });
        }
    }

    private static List<String> requiredNames(Keywords keywords) {
        return keywords.has("required") ? keywords.strings("required") : List.of();
    }

    /** Whether unknown fields are refused, with a word about the name that was probably meant. */
    private static boolean isClosed(Keywords keywords) {
        return Json.FALSE.equals(keywords.get("additionalProperties"))
                || Json.FALSE.equals(keywords.get("unevaluatedProperties"));
    }

    private static List<PatternField> patterns(Keywords keywords, Subschemas subschemas) {
        List<PatternField> patterns = new ArrayList<>();
        subschemas.childrenByName(keywords, "patternProperties")
                .forEach((expression, schema) -> patterns
                        .add(new PatternField(subschemas.pattern(expression, schema.place()), schema)));
        return List.copyOf(patterns);
    }

    private static boolean wrongSize(Json value, Walk walk, String keyword, String limit) {
        return walk.fail(keyword, pointer -> new Violation(pointer, keyword, "an object of " + limit,
                Keywords.plural(value.fields().size(), "field"), null));
    }

    private static boolean checkNames(SchemaNode schema, Json value, Walk walk) {
        boolean accepted = true;
        for (String name : value.fields().keySet()) {
            walk.charge(name.length()); // for a copy with its escapes
            Place before = walk.enter(name);
            Finding.Pile own = new Finding.Pile(false);
            Finding.Pile outer = walk.redirect(own);
            boolean fits = schema.check(Json.string(name), walk, null);
            walk.redirect(outer);
            if (!fits) {
                accepted = walk.fail("propertyNames", pointer -> new Violation(pointer, "propertyNames",
                        "a field name that is " + own.first().getFirst().toViolation().expected(),
                        Excerpt.quoted(name), null));
            }
            walk.leave(before);
            if (!accepted && !walk.reports()) {
                return false;
            }
        }
        return accepted;
    }

    private static boolean checkDependents(String field, List<String> needed, Json value, Walk walk) {
        if (walk.field(value, field) == null) {
            return true;
        }
        boolean accepted = true;
        for (String name : needed) {
            if (walk.field(value, name) == null) {
                accepted = walk.fail("dependentRequired",
                        pointer -> new Violation(pointer, "dependentRequired",
                                "field " + Excerpt.quoted(name), Excerpt.of(value),
                                "it belongs to " + Excerpt.quoted(field) + ", which is there"));
            }
        }
        return accepted;
    }

    /** Notes a field that nothing in the schema knows, with the name that was probably meant; always false. */
    static boolean unknownField(String keyword, String name, Json value, Walk walk,
            Supplier<? extends Collection<String>> known) {
        return walk.fail(keyword, pointer -> {
            Collection<String> names = known.get();
            String list = names.isEmpty() ? "no fields" : Excerpt.names(names);
            String nearest = walk.nearest(name, () -> names);
            String hint = nearest == null
                    ? "known fields are " + list
                    : "did you mean " + Excerpt.quoted(nearest) + "? Known fields are " + list;
            return new Violation(pointer, keyword, "one of the fields " + list, Excerpt.of(value),
                    names.isEmpty() ? "no fields are allowed here" : hint);
        });
    }

    private record PatternField(BoundedPattern pattern, SchemaNode schema) {}

    private record Required(List<String> names, SchemaNode owner, boolean closed) implements Rule {

        @Override
        public boolean check(Json value, Walk walk, @Nullable Seen seen) {
            boolean accepted = true;
            for (String name : names) {
                if (walk.field(value, name) == null) {
                    accepted = walk.fail("required", pointer -> new Violation(pointer, "required",
                            "field " + Excerpt.quoted(name), Excerpt.of(value),
                            sentAs(name, value.fields(), walk)));
                }
            }
            return accepted;
        }

        /** The field that was probably sent in place of a missing one; where unknown fields are refused, that is said there. */
        private @Nullable String sentAs(String name, Map<String, Json> fields, Walk walk) {
            if (closed) {
                return null;
            }
            String nearest = walk.nearest(name, () -> {
                List<String> unknown = new ArrayList<>(fields.keySet());
                unknown.removeAll(owner.declaredFields());
                return unknown;
            });
            return nearest == null ? null : "did you send it as " + Excerpt.quoted(nearest) + "?";
        }
    }

    /** {@code properties}, {@code patternProperties} and, for what neither covers, {@code additionalProperties}. */
    private record Fields(Map<String, SchemaNode> named, List<PatternField> patterns,
            @Nullable SchemaNode additional, Set<String> required, SchemaNode owner) implements Rule {

        @Override
        public boolean check(Json value, Walk walk, @Nullable Seen seen) {
            boolean accepted = true;
            for (Map.Entry<String, Json> field : value.fields().entrySet()) {
                walk.chargeText(field.getKey());
                boolean needed = required.contains(field.getKey()) || !owner.demandsByRequiredOnly();
                Place before = walk.enter(field.getKey(), needed);
                accepted &= checkField(field.getKey(), field.getValue(), walk, seen);
                walk.leave(before);
                if (!accepted && !walk.reports()) {
                    return false;
                }
            }
            return accepted;
        }

        private boolean checkField(String name, Json value, Walk walk, @Nullable Seen seen) {
            boolean accepted = true;
            SchemaNode declared = named.get(name);
            boolean covered = declared != null;
            if (declared != null) {
                accepted = declared.check(value, walk, null);
            }
            for (PatternField field : patterns) {
                if (field.pattern.find(name, walk)) {
                    covered = true;
                    accepted &= field.schema.check(value, walk, null);
                }
            }
            if (!covered && additional != null) {
                covered = true;
                accepted = additional.isNothing()
                        ? unknownField("additionalProperties", name, value, walk, named::keySet)
                        : additional.check(value, walk, null);
            }
            if (covered && seen != null) {
                seen.field(name);
            }
            return accepted;
        }
    }
}
