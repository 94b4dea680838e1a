package dev.belay.schema.shape;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the JSON Schema of a shape. Types used once stand in place, types used twice or inside themselves under
 * {@code $defs}; equally named types get a number.
 */
public final class SchemaWriter {

    private final Shape root;
    private final ShapeIndex index;
    private final Map<String, String> names = new HashMap<>();

    private SchemaWriter(Shape root) {
        this.root = root;
        this.index = ShapeIndex.of(root);
        nameDefinitions();
    }

    /** The schema of a shape; empty for {@link Shape.Nothing}. */
    public static Optional<Json> write(Shape root) {
        if (root instanceof Shape.Nothing) {
            return Optional.empty();
        }
        return Optional.of(Json.write(new SchemaWriter(root)::document));
    }

    private void document(JsonWriter out) {
        out.beginObject();
        body(out, root, "");
        if (!names.isEmpty()) {
            out.name("$defs").beginObject();
            names.entrySet().stream().sorted(Map.Entry.comparingByValue()).forEach(entry -> {
                out.name(entry.getValue()).beginObject();
                body(out, index.resolve(new Shape.Reference(entry.getKey())), "");
                out.endObject();
            });
            out.endObject();
        }
        out.endObject();
    }

    private void nameDefinitions() {
        Set<String> taken = new HashSet<>();
        index.definitions().forEach((key, shape) -> {
            if (index.shared(key) && !key.equals(rootKey())) {
                String base = shape instanceof Shape.Union union
                        ? union.simpleName()
                        : ((Shape.Structure) shape).simpleName();
                String name = base;
                for (int i = 2; !taken.add(name); i++) {
                    name = base + "_" + i;
                }
                names.put(key, name);
            }
        });
    }

    private String rootKey() {
        return switch (root) {
            case Shape.Structure structure -> structure.key();
            case Shape.Union union -> union.key();
            default -> "";
        };
    }

    /** One value: a reference if its type has a definition, else its keywords in place. */
    private void value(JsonWriter out, Shape shape, String description) {
        out.beginObject();
        keywords(out, shape, description);
        out.endObject();
    }

    private void keywords(JsonWriter out, Shape shape, String description) {
        String key = switch (shape) {
            case Shape.Structure structure -> structure.key();
            case Shape.Union union -> union.key();
            case Shape.Reference reference -> reference.key();
            default -> "";
        };
        if (!key.isEmpty() && key.equals(rootKey())) {
            out.name("$ref").value("#");
            describe(out, description);
        } else if (names.containsKey(key)) {
            out.name("$ref").value("#/$defs/" + names.get(key));
            describe(out, description);
        } else {
            body(out, shape, description);
        }
    }

    private void body(JsonWriter out, Shape shape, String description) {
        switch (shape) {
            case Shape.Scalar scalar -> {
                scalar(out, scalar, false);
                describe(out, description);
            }
            case Shape.Choice choice -> {
                choice(out, choice, false);
                describe(out, description.isEmpty() ? choice.description() : description);
            }
            case Shape.Structure structure -> {
                out.name("type").value("object");
                describe(out, description.isEmpty() ? structure.description() : description);
                fields(out, structure, Optional.empty());
            }
            case Shape.Union union -> union(out, union, description);
            case Shape.Sequence sequence -> {
                out.name("type").value("array");
                describe(out, description);
                out.name("items");
                value(out, sequence.item(), "");
                if (sequence.set()) {
                    out.name("uniqueItems").value(true);
                }
                Constraints.writeCount(out, sequence.size(), "minItems", "maxItems");
            }
            case Shape.Mapping mapping -> {
                out.name("type").value("object");
                describe(out, description);
                out.name("additionalProperties");
                value(out, mapping.value(), "");
                Constraints.writeCount(out, mapping.size(), "minProperties", "maxProperties");
            }
            case Shape.Maybe maybe -> maybe(out, maybe.value(), description);
            case Shape.Any any -> describe(out, description);
            case Shape.Reference reference -> throw new IllegalStateException("reference without definition");
            case Shape.Nothing nothing -> throw new IllegalStateException("nothing has no schema");
        }
    }

    private void maybe(JsonWriter out, Shape value, String description) {
        switch (value) {
            case Shape.Scalar scalar -> {
                scalar(out, scalar, true);
                describe(out, description);
            }
            case Shape.Choice choice -> {
                choice(out, choice, true);
                describe(out, description.isEmpty() ? choice.description() : description);
            }
            case Shape.Any any -> describe(out, description);
            default -> {
                describe(out, description);
                out.name("anyOf").beginArray();
                value(out, value, "");
                out.beginObject().name("type").value("null").endObject();
                out.endArray();
            }
        }
    }

    private void union(JsonWriter out, Shape.Union union, String description) {
        out.name("type").value("object");
        describe(out, description.isEmpty() ? union.description() : description);
        out.name("anyOf").beginArray();
        for (Shape.Variant variant : union.variants()) {
            var structure = (Shape.Structure) index.resolve(variant.structure());
            out.beginObject().name("type").value("object");
            describe(out, structure.description());
            fields(out, structure, Optional.of(Map.entry(union.tagProperty(), variant.tag())));
            out.endObject();
        }
        out.endArray();
    }

    private void fields(JsonWriter out, Shape.Structure structure, Optional<Map.Entry<String, String>> tag) {
        out.name("properties").beginObject();
        tag.ifPresent(entry -> out.name(entry.getKey())
                .beginObject()
                .name("const")
                .value(entry.getValue())
                .endObject());
        for (Shape.Field field : structure.fields()) {
            out.name(field.name());
            value(out, field.shape(), field.description());
        }
        out.endObject();
        List<String> required = structure.fields()
                .stream()
                .filter(Shape.Field::required)
                .map(Shape.Field::name)
                .toList();
        if (!required.isEmpty() || tag.isPresent()) {
            out.name("required").beginArray();
            tag.ifPresent(entry -> out.value(entry.getKey()));
            required.forEach(out::value);
            out.endArray();
        }
        out.name("additionalProperties").value(false);
    }

    private static void scalar(JsonWriter out, Shape.Scalar scalar, boolean orNull) {
        type(out, scalar.type().jsonType(), orNull);
        if (!scalar.type().format().isEmpty()) {
            out.name("format").value(scalar.type().format());
        }
        scalar.constraints().writeKeywords(out);
    }

    private static void choice(JsonWriter out, Shape.Choice choice, boolean orNull) {
        type(out, "string", orNull);
        out.name("enum").beginArray();
        choice.constants().forEach(out::value);
        if (orNull) {
            out.nullValue();
        }
        out.endArray();
    }

    private static void type(JsonWriter out, String type, boolean orNull) {
        out.name("type");
        if (orNull) {
            out.beginArray().value(type).value("null").endArray();
        } else {
            out.value(type);
        }
    }

    private static void describe(JsonWriter out, String description) {
        if (!description.isEmpty()) {
            out.name("description").value(description);
        }
    }
}
