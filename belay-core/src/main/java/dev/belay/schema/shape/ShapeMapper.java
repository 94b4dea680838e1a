package dev.belay.schema.shape;

import dev.belay.schema.BoundedPattern;
import dev.belay.schema.Names;
import dev.belay.schema.shape.Shape.Absence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Maps Java types to shapes. This is the only mapping there is: reflection and the annotation processor both feed it, so a
 * schema is the same with and without generated code.
 */
public final class ShapeMapper {

    private static final String JSON = "dev.belay.json.Json";
    private static final Map<String, Absence> PRIMITIVE_OPTIONALS = Map.of("java.util.OptionalInt",
            Absence.OPTIONAL_INT, "java.util.OptionalLong", Absence.OPTIONAL_LONG, "java.util.OptionalDouble",
            Absence.OPTIONAL_DOUBLE);
    private static final Set<String> LISTS = Set.of("java.util.List", "java.util.Collection",
            "java.util.SequencedCollection");
    private static final Set<String> SETS = Set.of("java.util.Set", "java.util.SequencedSet");
    private static final Set<String> MAPS = Set.of("java.util.Map", "java.util.SequencedMap");

    /** Deeper nesting of one generic type than real code has, and small enough to fail fast. */
    private static final int MOST_INSTANCES = 8;

    /** Types being mapped around the current one; a second meeting is recursion. */
    private final Set<String> enclosing = new HashSet<>();
    /** Types mapped before: met again they are the same object, so that types which double at each level cost no time. */
    private final Map<String, Shape> done = new HashMap<>();

    private ShapeMapper() {}

    /** The shape of a type; throws {@link UnsupportedTypeException} with the place and a suggestion. */
    public static Shape map(TypeView type) {
        return new ShapeMapper().shape(type);
    }

    /** The shape of named members that are not a record, such as the parameters of a method. */
    public static Shape.Structure structure(String key, String simpleName, List<TypeView.Member> members,
            String description) {
        var mapper = new ShapeMapper();
        return new Shape.Structure(key, key, simpleName, mapper.fields(simpleName, members), description);
    }

    private Shape shape(TypeView type) {
        if (type.nullable()) {
            if (type.form() == TypeView.Form.PRIMITIVE || type.name().startsWith("java.util.Optional")) {
                throw new UnsupportedTypeException("@Nullable on " + type.simpleName(),
                        "drop it; the type already says whether a value may be absent");
            }
            return new Shape.Maybe(Absence.NULL, present(type));
        }
        return present(type);
    }

    private Shape present(TypeView type) {
        String name = type.name();
        var scalar = ScalarType.ofJava(name);
        if (scalar.isPresent()) {
            return scalar(scalar.get(), type);
        }
        Absence absence = PRIMITIVE_OPTIONALS.get(name);
        if (absence != null) {
            return new Shape.Maybe(absence, scalar(primitive(absence), type));
        }
        if (name.equals("java.util.Optional")) {
            return optional(type);
        }
        if (LISTS.contains(name) || SETS.contains(name)) {
            onlySize(type);
            return new Shape.Sequence(SETS.contains(name), item(type, 0), type.constraints().size());
        }
        if (MAPS.contains(name)) {
            return mapping(type);
        }
        if (!type.constraints().isNone()) {
            throw new UnsupportedTypeException("a constraint on " + type.simpleName() + " has no meaning",
                    "put @Range on numbers, @Length and @Pattern on strings, @Size on collections and maps");
        }
        if (name.equals(JSON)) {
            return new Shape.Any();
        }
        if (name.equals("void") || name.equals("java.lang.Void")) {
            return new Shape.Nothing();
        }
        return switch (type.form()) {
            case ENUM -> new Shape.Choice(name, nonEmpty(type), type.description());
            case RECORD -> enclosed(type, key -> record(type, key));
            case SEALED -> enclosed(type, key -> union(type, key));
            case PRIMITIVE, ARRAY, OPEN, OTHER -> throw unsupported(type);
        };
    }

    private interface Inner {
        Shape map(String key);
    }

    private Shape enclosed(TypeView type, Inner inner) {
        String key = key(type);
        Shape known = done.get(key);
        if (known != null) {
            return known;
        }
        if (!enclosing.add(key)) {
            return new Shape.Reference(key);
        }
        refuseGrowth(type);
        Shape shape = inner.map(key);
        enclosing.remove(key);
        done.put(key, shape);
        return shape;
    }

    /** A type that contains itself with other arguments has no end, and no key would ever come a second time. */
    private void refuseGrowth(TypeView type) {
        String prefix = type.name() + "<";
        if (enclosing.stream().filter(open -> open.startsWith(prefix)).count() > MOST_INSTANCES) {
            throw new UnsupportedTypeException(
                    type.simpleName() + " is nested too deeply: more than " + MOST_INSTANCES
                            + " uses of it with different type arguments stand inside one another",
                    "use type arguments that do not grow with each level");
        }
    }

    private Shape.Structure record(TypeView type, String key) {
        return new Shape.Structure(type.name(), key, type.simpleName(),
                fields(type.simpleName(), type.components()),
                type.description());
    }

    private List<Shape.Field> fields(String owner, List<TypeView.Member> members) {
        var fields = new ArrayList<Shape.Field>(members.size());
        for (TypeView.Member member : members) {
            try {
                Shape shape = shape(member.type());
                if (shape instanceof Shape.Nothing) {
                    throw new UnsupportedTypeException("Void cannot be a field", "leave the field out");
                }
                fields.add(new Shape.Field(member.name(), member.type().name(), shape, member.description()));
            } catch (UnsupportedTypeException e) {
                throw e.in(owner + "." + member.name());
            }
        }
        return fields;
    }

    private Shape.Union union(TypeView type, String key) {
        var variants = new LinkedHashMap<String, Shape.Variant>();
        addVariants(type, type, variants);
        return new Shape.Union(type.name(), key, type.simpleName(), type.tagProperty(),
                List.copyOf(variants.values()), type.description());
    }

    private void addVariants(TypeView root, TypeView type, Map<String, Shape.Variant> variants) {
        for (TypeView variant : type.permitted()) {
            switch (variant.form()) {
                case SEALED -> addVariants(root, variant, variants);
                case RECORD -> addVariant(root, variant, variants);
                default -> throw new UnsupportedTypeException(
                        variant.simpleName() + " is a variant of " + root.simpleName() + " but not a record",
                        "make every variant a record or a sealed interface of records");
            }
        }
    }

    private void addVariant(TypeView root, TypeView variant, Map<String, Shape.Variant> variants) {
        String tag = variant.tagValue().isEmpty()
                ? Names.snakeCase(variant.simpleName())
                : variant.tagValue();
        Shape structure = enclosed(variant, key -> record(variant, key));
        if (variant.components().stream().anyMatch(member -> member.name().equals(root.tagProperty()))) {
            throw new UnsupportedTypeException(
                    variant.simpleName() + " has a field \"" + root.tagProperty()
                            + "\", which is also the tag field of " + root.simpleName(),
                    "rename it or put @Tag(property = \"kind\") on " + root.simpleName());
        }
        Shape.Variant before = variants.putIfAbsent(tag, new Shape.Variant(tag, variant.name(), structure));
        if (before != null && !before.typeName().equals(variant.name())) {
            throw new UnsupportedTypeException(
                    before.typeName() + " and " + variant.name() + " share the tag \"" + tag + "\"",
                    "put @Tag(\"…\") on one of them");
        }
    }

    private Shape scalar(ScalarType scalar, TypeView type) {
        Constraints constraints = type.constraints();
        boolean number = !scalar.jsonType().equals("string") && scalar != ScalarType.BOOLEAN;
        boolean text = scalar == ScalarType.STRING;
        if (constraints.range() != null && !number) {
            throw new UnsupportedTypeException("@Range on " + type.simpleName(), "use it on numbers");
        }
        if ((constraints.length() != null || constraints.pattern() != null) && !text) {
            throw new UnsupportedTypeException("@Length or @Pattern on " + type.simpleName(),
                    "use them on String");
        }
        if (constraints.size() != null) {
            throw new UnsupportedTypeException("@Size on " + type.simpleName(),
                    "use it on collections and maps");
        }
        if (constraints.pattern() != null) {
            try {
                BoundedPattern.of(constraints.pattern());
            } catch (IllegalArgumentException e) {
                throw new UnsupportedTypeException("@Pattern(\"" + constraints.pattern()
                        + "\") is not a regular expression that can be bounded: " + e.getMessage(),
                        "correct it");
            }
        }
        return new Shape.Scalar(scalar, constraints);
    }

    private Shape optional(TypeView type) {
        if (!type.constraints().isNone()) {
            throw new UnsupportedTypeException("a constraint on Optional itself",
                    "put it on the value: Optional<@Length(max = 80) String>");
        }
        Shape value = item(type, 0);
        if (value instanceof Shape.Maybe) {
            throw new UnsupportedTypeException("an optional of an optional", "use one of them");
        }
        return new Shape.Maybe(Absence.OPTIONAL, value);
    }

    private Shape mapping(TypeView type) {
        onlySize(type);
        if (type.arguments().size() != 2 || !type.arguments().get(0).name().equals("java.lang.String")) {
            throw new UnsupportedTypeException("a map whose keys are not strings", "use Map<String, …>");
        }
        return new Shape.Mapping(item(type, 1), type.constraints().size());
    }

    private Shape item(TypeView type, int index) {
        if (type.arguments().size() <= index) {
            throw new UnsupportedTypeException(type.simpleName() + " without type arguments",
                    "write " + type.simpleName() + "<…>");
        }
        Shape item = shape(type.arguments().get(index));
        if (item instanceof Shape.Nothing) {
            throw new UnsupportedTypeException(type.simpleName() + " of Void", "use the type of its values");
        }
        return item;
    }

    private static ScalarType primitive(Absence absence) {
        return switch (absence) {
            case OPTIONAL_INT -> ScalarType.INT;
            case OPTIONAL_LONG -> ScalarType.LONG;
            default -> ScalarType.DOUBLE;
        };
    }

    private static void onlySize(TypeView type) {
        Constraints constraints = type.constraints();
        if (constraints.range() != null || constraints.length() != null || constraints.pattern() != null) {
            throw new UnsupportedTypeException("@Range, @Length or @Pattern on " + type.simpleName(),
                    "use @Size for the collection, or put it on the item: List<@Length(max = 80) String>");
        }
    }

    private static List<String> nonEmpty(TypeView type) {
        if (type.constants().isEmpty()) {
            throw new UnsupportedTypeException("enum " + type.simpleName() + " has no constants", "add one");
        }
        return type.constants();
    }

    private static String key(TypeView type) {
        if (type.arguments().isEmpty()) {
            return type.name();
        }
        return type.name() + "<"
                + String.join(",", type.arguments().stream().map(ShapeMapper::argumentKey).toList()) + ">";
    }

    /** What stands on an argument counts: a page of short strings is another type than a page of strings. */
    private static String argumentKey(TypeView argument) {
        return (argument.nullable() ? "@Nullable " : "")
                + (argument.constraints().isNone() ? "" : argument.constraints() + " ") + key(argument);
    }

    private static UnsupportedTypeException unsupported(TypeView type) {
        String name = type.form() == TypeView.Form.ARRAY ? type.simpleName() : type.name();
        String suggestion = switch (type.form()) {
            case ARRAY -> name.equals("byte[]")
                    ? "use a String with base64 text, or pass large data by reference"
                    : "use List<…>";
            case OPEN -> "use a concrete type, or dev.belay.json.Json for any JSON";
            default -> Suggestions.forType(name);
        };
        return new UnsupportedTypeException("type " + name + " has no schema", suggestion);
    }
}
