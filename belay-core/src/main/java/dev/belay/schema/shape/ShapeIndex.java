package dev.belay.schema.shape;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Every structure and union below one shape, by key, and how often each is used. A shape is a graph: types that contain
 * themselves refer back by key, and a type used twice is one object.
 */
public final class ShapeIndex {

    private final Map<String, Shape> definitions = new LinkedHashMap<>();
    private final Map<String, Integer> uses = new LinkedHashMap<>();

    private ShapeIndex() {}

    /** Walks a shape, each type once. */
    public static ShapeIndex of(Shape root) {
        var index = new ShapeIndex();
        index.visit(root);
        return index;
    }

    /** The structure or union a reference stands for; anything else is returned as it is. */
    public Shape resolve(Shape shape) {
        return shape instanceof Shape.Reference(String key)
                ? Objects.requireNonNull(definitions.get(key), key)
                : shape;
    }

    /** Structures and unions by key, in order of first appearance. */
    Map<String, Shape> definitions() {
        return definitions;
    }

    /** Whether a key stands in more than one place, or inside itself. */
    boolean shared(String key) {
        return uses.getOrDefault(key, 0) > 1;
    }

    private void visit(Shape shape) {
        switch (shape) {
            case Shape.Structure structure -> {
                if (firstUse(structure.key(), structure)) {
                    visitFields(structure);
                }
            }
            case Shape.Union union -> {
                if (firstUse(union.key(), union)) {
                    union.variants().forEach(variant -> visitVariant(variant.structure()));
                }
            }
            case Shape.Reference(String key) -> uses.merge(key, 2, Integer::sum);
            case Shape.Sequence sequence -> visit(sequence.item());
            case Shape.Mapping mapping -> visit(mapping.value());
            case Shape.Maybe maybe -> visit(maybe.value());
            case Shape.Scalar scalar -> {
            }
            case Shape.Choice choice -> {
            }
            case Shape.Any any -> {
            }
            case Shape.Nothing nothing -> {
            }
        }
    }

    /** A variant is written in its union, with the tag: that is no use of the record alone. */
    private void visitVariant(Shape shape) {
        if (shape instanceof Shape.Structure structure
                && definitions.putIfAbsent(structure.key(), structure) == null) {
            visitFields(structure);
        }
    }

    private void visitFields(Shape.Structure structure) {
        structure.fields().forEach(field -> visit(field.shape()));
    }

    private boolean firstUse(String key, Shape shape) {
        boolean unseen = definitions.putIfAbsent(key, shape) == null;
        uses.merge(key, 1, Integer::sum);
        return unseen;
    }
}
