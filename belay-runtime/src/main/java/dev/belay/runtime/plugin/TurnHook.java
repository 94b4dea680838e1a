package dev.belay.runtime.plugin;

import dev.belay.model.Message;
import dev.belay.model.Usage;
import java.util.List;

/** Hooks of turns. Recorded with the round or the commit; on replay nobody is asked again. One that throws or takes more than 5 seconds ends the turn. */
public final class TurnHook {

    private TurnHook() {}

    /** Where a turn stands when a checkpoint is asked. */
    public enum Point {
        /** The calls of a round have ended, and the model is about to be asked again. */
        AFTER_WORK,
        /** The model has answered without a call, and the turn is about to end. */
        BEFORE_COMPLETION
    }

    /** What a hook decides. */
    public sealed interface Verdict {

        /** The turn goes its way. */
        record GoOn() implements Verdict {}

        /**
         * The turn ends with {@code PLUGIN_ABORT}.
         *
         * @param reason for the caller
         */
        record Abort(String reason) implements Verdict {}
    }

    /** Lets the turn go its way. */
    public static Verdict goOn() {
        return new Verdict.GoOn();
    }

    /** Ends the turn. */
    public static Verdict abort(String reason) {
        return new Verdict.Abort(reason);
    }

    /** A turn as its hooks see it. */
    public interface Context extends HookContext {

        /** The round that comes, from 1; at {@link Point#BEFORE_COMPLETION} the one that was answered. */
        int round();

        /** The conversation so far. */
        List<Message> messages();

        /** Adds a user message to the conversation. At {@link Point#BEFORE_COMPLETION} the turn goes on with it. */
        void add(Message.UserMessage message);

        /**
         * Starts a child session with an input. Its id follows from turn, round, plugin and name, so that it is started once.
         *
         * @param agent that answers it
         */
        void startChild(String name, String agent, String input);
    }

    /** Asked before the first round. */
    @FunctionalInterface
    public interface Before {

        /** The verdict. */
        Verdict decide(Context turn);
    }

    /** Asked between rounds and before the end. */
    @FunctionalInterface
    public interface Checkpoint {

        /** The verdict. */
        Verdict decide(Context turn, Point point);
    }

    /** Asked when the turn has its end, which it cannot change. */
    @FunctionalInterface
    public interface After {

        /** Looks at the turn; what it leaves is in the commit. A message that it adds becomes a queued input. */
        void ended(Context turn, Ended end);
    }

    /**
     * How a turn ended.
     *
     * @param status {@code finished}, {@code refused}, or the cause of a stop
     * @param summary the answer, the refusal, or why there is neither
     * @param rounds how many times the model was asked
     * @param usage what they used
     */
    public record Ended(String status, String summary, int rounds, Usage usage) {}
}
