package dev.belay.toolset;

import dev.belay.tool.ToolInput;
import org.jspecify.annotations.Nullable;

/**
 * What a hook decides about a call. Import the three methods statically.
 *
 * @param <I> the input that the hook sees
 */
public sealed interface Decision<I> {

    /**
     * Goes on with this input, which may be another one.
     *
     * @param input the input from here on
     * @param <I> the input
     */
    record Proceed<I>(I input) implements Decision<I> {}

    /**
     * The call is answered and its body does not run. Only {@link #complete} makes this decision, so that the output always fits
     * the input.
     *
     * @param <I> the input
     */
    final class Complete<I> implements Decision<I> {

        private final I input;
        private final @Nullable Object output;

        Complete(I input, @Nullable Object output) {
            this.input = input;
            this.output = output;
        }

        /** The input that is answered. */
        public I input() {
            return input;
        }

        /** The answer. */
        public @Nullable Object output() {
            return output;
        }
    }

    /**
     * The call is not allowed.
     *
     * @param reason in words for the model
     * @param <I> the input
     */
    record Reject<I>(String reason) implements Decision<I> {}

    /** Goes on, with this input or another of the same tool. */
    static <I> Decision<I> proceed(I input) {
        return new Proceed<>(input);
    }

    /** Answers the call; the compiler checks that the output is what the input declares. */
    static <O extends @Nullable Object, I extends ToolInput<O>> Decision<I> complete(I input, O output) {
        return new Complete<>(input, output);
    }

    /** Refuses the call, in words for the model. */
    static <I> Decision<I> reject(String reason) {
        return new Reject<>(reason);
    }
}
