package dev.belay.runtime.plugin;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Hooks of the history: what of a conversation the model is sent. The conversation itself is never changed. What a hook gives must be
 * well-formed: each call of an assistant message has its one reply directly behind it. It may leave out whole rounds and shorten replies; an
 * assistant message that it changes loses its provider's own form.
 */
public final class HistoryHook {

    /** From this part of the context on, compactors are asked; in hundredths. */
    public static final int FULL = 80;

    /** The part of the context that a compaction leaves; in hundredths. */
    public static final int TARGET = 50;

    private HistoryHook() {}

    /** Why a conversation must get shorter. */
    public enum Reason {
        /** The coming request would take more than {@link HistoryHook#FULL} of the context. */
        FULL,
        /** The provider refused the request as too long. */
        REFUSED,
        /** A program asked for it with {@code session.compact()}. */
        ASKED
    }

    /**
     * Makes what is sent of a conversation, before each question. Pure: it is a function of what it is given. One that throws, takes more than
     * 5 seconds or gives what is not well-formed is left out, logged and named in the record of the round.
     */
    @FunctionalInterface
    public interface View {

        /**
         * What is sent.
         *
         * @param messages since the last compaction, without a system message
         */
        List<Message> of(PluginView view, List<Message> messages);
    }

    /**
     * Makes a conversation shorter, once, as a recorded step. Compactors are asked by their priority, then in the order of the stack; the first
     * answer that is well-formed, shorter and fits counts.
     */
    @FunctionalInterface
    public interface Compactor {

        /** The messages to send in place of those it is given; empty to leave it to the next one. */
        Optional<List<Message>> compact(Request request);

        /** Smaller ones are asked first. */
        default int priority() {
            return 0;
        }

        /** How long it may take. */
        default Duration patience() {
            return Duration.ofMinutes(2);
        }
    }

    /** What is to be made shorter. Sizes are estimates in tokens, corrected by what the provider has reported. */
    public interface Request extends PluginView {

        /** Why. */
        Reason reason();

        /** What is sent now, without a system message; summaries of earlier compactions are among them. */
        List<Message> messages();

        /**
         * The place of the first message of the running turn. Its user messages must stay, and its rounds may go once no older round is left.
         */
        int running();

        /** What the answer should take at most. */
        long target();

        /** What the answer must take at most. */
        long limit();

        /** What a message takes. */
        long tokens(Message message);

        /** The name of the model that answers the session. */
        String model();

        /**
         * Asks a model for a text. What it uses counts for the turn.
         *
         * @param model its name
         * @param mostTokens how long the answer may be
         * @throws ModelException if it does not answer
         * @throws BelayException {@code unknown_model} if there is none of that name
         */
        String ask(String model, List<Message> messages, int mostTokens);
    }
}
