package dev.belay.processor;

import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeHash;
import java.util.List;
import java.util.stream.Stream;

/**
 * The shapes of one tool.
 *
 * @param input of its arguments
 * @param output of its result
 */
record ToolShapes(Shape input, Shape output) {

    /** The hash of an owner's tools: input and output of each, in order. */
    static String hash(List<ToolShapes> tools) {
        return ShapeHash.of(tools.stream()
                .flatMap(tool -> Stream.of(tool.input(), tool.output()))
                .toArray(Shape[]::new));
    }
}
