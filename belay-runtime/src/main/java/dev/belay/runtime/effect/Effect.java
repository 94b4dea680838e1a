package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.context.Fence;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.RetryAdvice;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work whose result is recorded. If {@link #key} is recorded with the same {@link #identity}, {@link #decode} makes the
 * result from the record. If not, {@link #plan} decides how to work, {@link #run} works, and {@link #encode} makes the record.
 *
 * @param <T> the type of its result
 */
public interface Effect<T> {

    /** Its name within the scope. */
    EffectKey key();

    /** The decisions it follows from. If the record has another identity, the journal and the code disagree and nothing runs. */
    Json identity();

    /** The sort of work, for people who read a journal. */
    default String kind() {
        return "effect";
    }

    /**
     * Whether it may run before earlier records of its scope are durable, and later effects before its own record is. Only for
     * work without visible side effects: doing it twice looks the same as doing it once. It counts only if the plan is
     * {@code READ}, does not record the start, and has no resource.
     */
    default boolean runsAhead() {
        return false;
    }

    /**
     * Whether it has a place in the order of its scope's effects. An effect without one is found by its key alone, so that any number
     * of them may stand before an effect that has a place.
     */
    default boolean isOrdered() {
        return true;
    }

    /** The keys of pauses that hold it before it begins; see {@code Pause.Target}. */
    default List<String> pausedBy() {
        return List.of();
    }

    /** Called when the record of a new result is durable; on any thread if it {@link #runsAhead}. Must be short. */
    default void recorded(T value) {}

    /** Decides how to work; asked once, and only if the effect is not recorded. */
    Plan plan();

    /**
     * Does the work. A {@link dev.belay.tool.ToolException} is recorded as its failure; any other exception leaves no record of an
     * end.
     */
    T run(Running running) throws Exception;

    /** The result as it is recorded. */
    Json encode(T value);

    /** The result from its record. */
    T decode(Json recorded);

    /**
     * Finds out how work ended that must not be repeated, was started, and left no result. What it returns or throws is recorded as
     * by {@link #run}, in doubt if it {@linkplain Running#doubts says so}.
     *
     * @param started the work, with the input that was recorded when it started
     */
    T doubt(Running started) throws Exception;

    /**
     * Answers for work that must not start, because it may have happened already; recorded as its result.
     *
     * @param doubt the doubt about the same work, or about its resource
     */
    default T refused(String doubt) {
        throw new ToolException(unsettled(doubt));
    }

    /** The failure of work that must not start before a doubt is settled. */
    static ToolFailure unsettled(String doubt) {
        return ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "doubt_unsettled",
                "the same call, or one of the same resource, may have happened before, and that is not settled (doubt "
                        + doubt
                        + "); do not call it again: look whether it happened, or ask a person to settle it");
    }

    /** The wait that a result closes together with its record, unless the wait has an answer: then {@link #answered} decides; null for none. */
    default @Nullable WaitName closes(T value) {
        return null;
    }

    /**
     * Answers for work whose wait was answered before its end could be recorded; recorded in the place of that.
     *
     * @param unrecorded its own end, which {@linkplain #closes closes} the wait
     * @param answer what was accepted
     */
    default T answered(T unrecorded, Resolution answer) {
        return unrecorded;
    }

    /**
     * Answers for work that must not start, because the settlement that it {@linkplain Plan#follows follows} from was replaced; recorded as
     * its result.
     *
     * @param now the settlement in its place
     */
    default T overruled(Resolution now) {
        throw new IllegalStateException("work that follows from no settlement was refused by " + now);
    }

    /** Called before {@link #doubt} if the program that ran the work was stopped, and did not die. */
    default void wasStopped() {}

    /** Answers for work that was cancelled before it could start; recorded as its result. */
    default T cancelledBeforeStart(String reason) {
        throw new ToolException(new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled", reason,
                ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
    }

    /**
     * How work is to be done.
     *
     * @param effect whether it may be repeated
     * @param input the input of the work; recorded
     * @param startFirst whether the input is recorded before the work starts even if the work may be repeated
     * @param resource effects with the same resource do not overlap; null for none
     * @param fingerprint of the tool, or null
     * @param guard equal for work that would do the same again: it does not start while a doubt with this guard, or one about its
     *        resource, is open; null for no such question
     * @param follows a settlement without which it must not start, or null
     */
    record Plan(ToolEffect effect, Json input, boolean startFirst, @Nullable String resource,
            @Nullable Fingerprint fingerprint, @Nullable String guard, @Nullable Follows follows) {

        /** Refuses null. */
        public Plan {
            Objects.requireNonNull(effect, "effect");
            Objects.requireNonNull(input, "input");
        }

        /** Work that no doubt forbids. */
        public Plan(ToolEffect effect, Json input, boolean startFirst, @Nullable String resource,
                @Nullable Fingerprint fingerprint) {
            this(effect, input, startFirst, resource, fingerprint, null, null);
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

    /**
     * A settlement that work follows from: it may be replaced until the work begins.
     *
     * @param name of the wait that was settled
     * @param said by what
     */
    record Follows(WaitName name, Resolution said) {}

    /**
     * A row of the audit log to be written with a record.
     *
     * @param verb what was decided
     * @param target about what
     * @param details what else is to be known
     */
    record Note(String verb, String target, Json details) {}

    /**
     * What may settle a wait whose key is about to be handed out.
     *
     * @param name of the wait
     * @param schema as {@code JsonSchema.kept} writes it
     */
    record Issued(WaitName name, Json schema) {}

    /** An effect that only records that it was done. */
    interface Flag extends Effect<Boolean> {

        @Override
        default Json encode(Boolean done) {
            return Json.bool(done);
        }

        @Override
        default Boolean decode(Json recorded) {
            return recorded.asBoolean();
        }

        /** Counts as done; only a flag that must not be repeated is asked. */
        @Override
        default Boolean doubt(Running started) {
            return true;
        }
    }

    /** Work that runs. Thread-safe. */
    interface Running {

        /** The recorded input. */
        Json input();

        /** Whether it was started before and is done again. */
        boolean again();

        /** Whether an owner that died may have done all or part of it without leaving a record. */
        boolean perhapsBefore();

        /**
         * Records the start now, if that has not happened.
         *
         * @param issued recorded in the same write, or null
         * @return whether {@code issued} was recorded: not if the start was recorded before
         */
        boolean recordStart(@Nullable Issued issued);

        /** The fence of its resource, or that of the scope. */
        Fence fence();

        /** Opens a wait together with the record of the result. */
        void opens(OpenWait wait);

        /** Notes something in the audit log together with the record of the result. */
        void notes(Note note);

        /**
         * Opens a doubt together with the record of the result: the work may have happened.
         *
         * @param of the record that it is about: a late answer to that settles it
         * @return its id
         */
        String doubts(EffectKey of, OpenDoubt doubt);

        /** Whose process runs the work. Of work in doubt, whose process has run it before; null if that is not known. */
        @Nullable
        String owner();

        /** Whether an owner is known and dead. A thread that ignores its interrupt may outlive an entry of a living one. */
        boolean isDead(@Nullable String owner);

        /**
         * Records that work in doubt starts once more, because it has not happened. False, and nothing is recorded, if its first run may
         * not be over, if it was cancelled meanwhile, or if another doubt forbids it.
         *
         * @param guard of its {@link Plan}
         */
        boolean startAgain(@Nullable String guard);

        /** Keeps the resource when the work returns, until the given release is run. */
        Runnable keepResource();

        /** Says that a thread of its own works, with the name of the tool. */
        void onThread(Thread thread, String tool);

        /** Says that the work has not begun, although its start is recorded: it may run elsewhere. Followed by an exception. */
        void notBegun();
    }

    /**
     * A doubt to be written with the record of work that started and left no answer of its own.
     *
     * @param call what was asked for
     * @param guard equal for calls that would do the same again; see {@link Plan#guard}
     * @param resource what it held, or null
     * @param key the wait by which a service outside may still answer it, or null
     * @param holds the wait at which the call stays until the doubt is settled, or null if it goes on
     * @param isOver whether the first body cannot run any more: its process is dead, or its thread has ended
     * @param owner whose process ran the first body, or null if that is not known: when it is dead, the body is over
     * @param code of the failure that the model is told
     * @param why what is known, for people
     */
    record OpenDoubt(Call call, String guard, @Nullable String resource, @Nullable WaitName key,
            @Nullable WaitName holds, boolean isOver, @Nullable String owner,
            String code, String why) {

        /** Refuses null. */
        public OpenDoubt {
            Objects.requireNonNull(call, "call");
            Objects.requireNonNull(guard, "guard");
            Objects.requireNonNull(code, "code");
            Objects.requireNonNull(why, "why");
        }

        /**
         * A doubt with the record that it is about.
         *
         * @param record the key of the record
         * @param about what is in doubt
         */
        public record Of(String record, OpenDoubt about) {}

        /**
         * A call or one step of it.
         *
         * @param session whose, or that whose call started the process of the call; null outside any session
         * @param turn its number, 0 outside a turn
         * @param id of the call
         * @param tool which
         * @param name the tool as models know it
         * @param step which step, or null for the call as a whole
         * @param arguments the final ones; the input of a step
         * @param fingerprint of the tool
         * @param output the schema of its output as {@code JsonSchema.kept} writes it, or null if it has none
         * @param idempotencyKey the name of the effect, as the service behind the tool was given it
         */
        public record Call(@Nullable String session, long turn, String id, ToolId tool, String name,
                @Nullable String step, Json arguments, String fingerprint, @Nullable Json output,
                String idempotencyKey) {}
    }
}
