package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Fence;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.RetryAdvice;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work whose result is recorded. A scope asks, in this order: is {@link #key} recorded with the same
 * {@link #identity}? Then it is answered by {@link #decode}. If not, {@link #plan} says what is to be done, {@link #run} does
 * it and {@link #encode} makes the record.
 *
 * @param <T> what it returns
 */
public interface Effect<T> {

    /** Its name within the scope. */
    EffectKey key();

    /** The decisions it follows from. Found recorded with another identity, nothing runs: the journal and the code disagree. */
    Json identity();

    /** What sort of work it is, for people who read a journal. */
    default String kind() {
        return "effect";
    }

    /**
     * Whether it may be planned and run before earlier records of its scope are durable, and what follows before its own is. Only
     * for work of which nobody outside can tell whether it was done once or twice; it holds if the plan says so too: {@code READ},
     * not recorded first, no resource.
     */
    default boolean runsAhead() {
        return false;
    }

    /** Told when the record of a result that was just made is durable; by any thread if it {@link #runsAhead}. Must be short. */
    default void recorded(T value) {}

    /** Decides what to do; asked once, and only if nothing is recorded. */
    Plan plan();

    /**
     * Does the work. A {@link dev.belay.tool.ToolException} is recorded as its failure; everything else that is thrown is
     * recorded as nothing.
     */
    T run(Running running) throws Exception;

    /** The result as it is recorded. */
    Json encode(T value);

    /** The result from its record. */
    T decode(Json recorded);

    /**
     * Finds out what became of work that must not be repeated, was started, and left no result. What is returned is recorded as
     * the result; what is thrown as {@code ToolException} as the failure, in doubt.
     *
     * @param input what was recorded when it started
     */
    T doubt(Json input) throws Exception;

    /** Answers for work that was cancelled before it could start; recorded as its result. */
    default T cancelledBeforeStart(String reason) {
        throw new ToolException(new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled", reason,
                ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
    }

    /**
     * How work is to be done.
     *
     * @param effect whether it may be repeated
     * @param input what it runs with; recorded
     * @param startFirst whether the input is recorded before the work starts even if the work may be repeated
     * @param resource no two works with the same one overlap; null for none
     * @param fingerprint of the tool, or null
     */
    record Plan(ToolEffect effect, Json input, boolean startFirst, @Nullable String resource,
            @Nullable Fingerprint fingerprint) {

        /** Refuses null. */
        public Plan {
            Objects.requireNonNull(effect, "effect");
            Objects.requireNonNull(input, "input");
        }

        /** Work with an input. */
        public static Plan of(ToolEffect effect, Json input) {
            return new Plan(effect, input, false, null, null);
        }

        /** Whether a record is written before the work starts. */
        public boolean recordsStart() {
            return startFirst || effect == ToolEffect.ONCE || resource != null;
        }
    }

    /** Work under way. Thread-safe. */
    interface Running {

        /** What is recorded as its input. */
        Json input();

        /** Whether it was started before and is done again. */
        boolean again();

        /** Whether an owner that died may have done it, or some of it, without leaving a record. */
        boolean perhapsBefore();

        /** Records the start now, if that has not happened. */
        void recordStart();

        /** The fence of its resource, or that of the scope. */
        Fence fence();

        /** Opens a wait together with the record of the result. */
        void opens(OpenWait wait);

        /** Keeps the resource when the work returns, until the given release is run. */
        Runnable keepResource();
    }
}
