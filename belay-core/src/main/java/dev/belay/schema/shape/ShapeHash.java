package dev.belay.schema.shape;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hash of what a shape means, descriptions left out. Generated code carries the hash of the shape it was made for, and is not
 * used for a class of another shape.
 */
public final class ShapeHash {

    private final StringBuilder text = new StringBuilder();
    private final Set<String> written = new HashSet<>();

    private ShapeHash() {}

    /** Sixteen hexadecimal digits; equal for equal shapes. */
    public static String of(Shape... shapes) {
        var hash = new ShapeHash();
        for (Shape shape : shapes) {
            hash.append(shape);
            hash.text.append('\n');
        }
        return hash.digest();
    }

    private void append(Shape shape) {
        switch (shape) {
            case Shape.Scalar(ScalarType type, Constraints constraints) -> {
                text.append(type);
                append(constraints);
            }
            case Shape.Choice choice ->
                text.append("enum ").append(choice.typeName()).append(choice.constants());
            case Shape.Structure structure -> {
                if (once("record ", structure.key())) {
                    text.append('{');
                    for (Shape.Field field : structure.fields()) {
                        text.append(field.name()).append(' ').append(field.javaType()).append(':');
                        append(field.shape());
                        text.append(';');
                    }
                    text.append('}');
                }
            }
            case Shape.Union union -> {
                if (once("sealed ", union.key())) {
                    text.append('(').append(union.tagProperty());
                    for (Shape.Variant variant : union.variants()) {
                        text.append('|').append(variant.tag()).append('=');
                        append(variant.structure());
                    }
                    text.append(')');
                }
            }
            case Shape.Sequence sequence -> {
                text.append(sequence.set() ? "set" : "list");
                append(sequence.size());
                append(sequence.item());
            }
            case Shape.Mapping mapping -> {
                text.append("map");
                append(mapping.size());
                append(mapping.value());
            }
            case Shape.Maybe maybe -> {
                text.append(maybe.absence()).append('?');
                append(maybe.value());
            }
            case Shape.Reference reference -> text.append("->").append(reference.key());
            case Shape.Any any -> text.append("any");
            case Shape.Nothing nothing -> text.append("nothing");
        }
    }

    private boolean once(String kind, String key) {
        text.append(kind).append(key);
        return written.add(key);
    }

    private void append(Constraints constraints) {
        Constraints.NumberRange range = constraints.range();
        if (range != null) {
            text.append('[')
                    .append(range.min())
                    .append(range.exclusiveMin())
                    .append(',')
                    .append(range.max())
                    .append(range.exclusiveMax())
                    .append(']');
        }
        append(constraints.length());
        if (constraints.pattern() != null) {
            text.append('/').append(constraints.pattern()).append('/');
        }
    }

    private void append(Constraints.@Nullable CountRange count) {
        if (count != null) {
            text.append('#').append(count.min()).append("..").append(count.max());
        }
    }

    private String digest() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
