package dev.belay.toolset.loop;

import dev.belay.model.OutputSpec;
import java.util.function.Function;

/**
 * The form of an answer: what the request asks for and how the text is read.
 *
 * @param spec goes with the request
 * @param reader reads the text of an answer
 * @param <R> the value of an answer
 */
public record OutputForm<R>(OutputSpec spec, Function<String, Reading<R>> reader) {

    /** Free text. */
    public static final OutputForm<String> TEXT = new OutputForm<>(OutputSpec.text(), Reading.Right::new);

    /** The result of reading a text. */
    public sealed interface Reading<R> {

        /** The text has the form. */
        record Right<R>(R value) implements Reading<R> {}

        /** The text does not have the form; the problem is worded for the model. */
        record Wrong<R>(String problem) implements Reading<R> {}
    }
}
