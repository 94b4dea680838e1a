package dev.belay.runtime.plugin;

import dev.belay.json.Json;

/** What a plugin decides about a call: abort is stronger than reject, reject than complete, and these than the rest. */
public sealed interface BeforeVerdict {

    /** It goes on as it is. */
    record Proceed() implements BeforeVerdict {}

    /**
     * It goes on with other arguments, which are validated again.
     *
     * @param arguments all of them
     */
    record Edit(Json arguments) implements BeforeVerdict {}

    /**
     * It ends with a value, and its body does not run.
     *
     * @param value must fit the tool's output
     */
    record Complete(Json value) implements BeforeVerdict {}

    /**
     * It is refused.
     *
     * @param reason for the model
     */
    record Reject(String reason) implements BeforeVerdict {}

    /**
     * It fails.
     *
     * @param reason for the model
     */
    record Abort(String reason) implements BeforeVerdict {}

    /** Lets it go on. */
    static BeforeVerdict proceed() {
        return new Proceed();
    }

    /** Lets it go on with other arguments. */
    static BeforeVerdict edit(Json arguments) {
        return new Edit(arguments);
    }

    /** Ends it with a value. */
    static BeforeVerdict complete(Json value) {
        return new Complete(value);
    }

    /** Refuses it. */
    static BeforeVerdict reject(String reason) {
        return new Reject(reason);
    }

    /** Lets it fail. */
    static BeforeVerdict abort(String reason) {
        return new Abort(reason);
    }
}
