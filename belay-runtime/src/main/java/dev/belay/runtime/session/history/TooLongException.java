package dev.belay.runtime.session.history;

import dev.belay.model.ModelException;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The conversation is to be made shorter before a round asks: nothing of the round is recorded. */
public final class TooLongException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final long tokens;
    private final transient OptionalLong limit;
    private final String model;
    private final transient List<String> commands;
    private final @Nullable ModelException failure;

    TooLongException(Reason reason, long tokens, OptionalLong limit, String model, List<String> commands,
            @Nullable ModelException failure) {
        super("the conversation is to be made shorter: " + reason, failure);
        this.reason = reason;
        this.tokens = tokens;
        this.limit = limit;
        this.model = model;
        this.commands = List.copyOf(commands);
        this.failure = failure;
    }

    Reason reason() {
        return reason;
    }

    /** What the request is estimated at, with the room for the answer. */
    long tokens() {
        return tokens;
    }

    /** The size of the context, if it is known. */
    OptionalLong limit() {
        return limit;
    }

    /** The name of the model that is asked. */
    String model() {
        return model;
    }

    /** Ids of the commands that ask for it. */
    List<String> commands() {
        return commands;
    }

    /** What the provider has said, or null. */
    @Nullable
    ModelException failure() {
        return failure;
    }
}
