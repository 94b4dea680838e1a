package dev.belay.schema.shape;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a Java type looks like in JSON. A shape is the single source of a type's schema, of its decoder and encoder, and of the
 * hash by which generated code recognises the type it was made for.
 */
public sealed interface Shape {

    /**
     * A value that is one JSON string, number or boolean.
     *
     * @param type which
     * @param constraints what is allowed of it
     */
    record Scalar(ScalarType type, Constraints constraints) implements Shape {}

    /** Any JSON at all ({@code dev.belay.json.Json}). */
    record Any() implements Shape {}

    /** No value ({@code void}). */
    record Nothing() implements Shape {}

    /**
     * An enum as a JSON string.
     *
     * @param typeName binary name
     * @param constants names, in order
     * @param description description, or empty
     */
    record Choice(String typeName, List<String> constants, String description) implements Shape {

        /** Copies the list. */
        public Choice {
            constants = List.copyOf(constants);
        }
    }

    /**
     * A record as a JSON object that allows no other field.
     *
     * @param typeName binary name
     * @param key the type with its arguments; equal keys are equal types
     * @param simpleName name for people
     * @param fields components, in order
     * @param description description, or empty
     */
    record Structure(String typeName, String key, String simpleName, List<Field> fields, String description)
            implements
                Shape {

        /** Copies the list. */
        public Structure {
            fields = List.copyOf(fields);
        }
    }

    /**
     * A field of a structure.
     *
     * @param name its name in Java and JSON
     * @param javaType the erased Java type, which constructors and methods are called with
     * @param shape what it holds
     * @param description description, or empty
     */
    record Field(String name, String javaType, Shape shape, String description) {

        /** Whether the field must be there. */
        public boolean required() {
            return !(shape instanceof Maybe);
        }
    }

    /**
     * A sealed hierarchy of records, told apart by a tag field.
     *
     * @param typeName binary name
     * @param key the type with its arguments
     * @param simpleName name for people
     * @param tagProperty the tag field
     * @param variants in declaration order
     * @param description description, or empty
     */
    record Union(String typeName, String key, String simpleName, String tagProperty, List<Variant> variants,
            String description) implements Shape {

        /** Copies the list. */
        public Union {
            variants = List.copyOf(variants);
        }
    }

    /**
     * One case of a union.
     *
     * @param tag the value of the tag field
     * @param typeName binary name of the record
     * @param structure the other fields: a structure, or a reference to one
     */
    record Variant(String tag, String typeName, Shape structure) {}

    /**
     * A collection as a JSON array.
     *
     * @param set whether items must differ
     * @param item what it holds
     * @param size how many, or null
     */
    record Sequence(boolean set, Shape item, Constraints.@Nullable CountRange size)
            implements
                Shape {}

    /**
     * A map with string keys as a JSON object.
     *
     * @param value what the values are
     * @param size how many entries, or null
     */
    record Mapping(Shape value, Constraints.@Nullable CountRange size) implements Shape {}

    /**
     * A value that may be absent or {@code null}.
     *
     * @param absence how Java says "absent"
     * @param value what it is otherwise
     */
    record Maybe(Absence absence, Shape value) implements Shape {}

    /**
     * A structure or union met again inside itself.
     *
     * @param key the key of the type referred to
     */
    record Reference(String key) implements Shape {}

    /** How Java says that a value is absent. */
    enum Absence {
        /** {@code null}, where the use is marked nullable. */
        NULL,
        /** {@link java.util.Optional}. */
        OPTIONAL,
        /** {@link java.util.OptionalInt}. */
        OPTIONAL_INT,
        /** {@link java.util.OptionalLong}. */
        OPTIONAL_LONG,
        /** {@link java.util.OptionalDouble}. */
        OPTIONAL_DOUBLE
    }
}
