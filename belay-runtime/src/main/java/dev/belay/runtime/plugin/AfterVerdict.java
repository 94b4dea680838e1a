package dev.belay.runtime.plugin;

import dev.belay.json.Json;

/** What a plugin decides about the outcome of a call. The body has run whatever is decided. */
public sealed interface AfterVerdict {

    /** It stays. */
    record Keep() implements AfterVerdict {}

    /**
     * Another value in its place.
     *
     * @param value must fit the tool's output
     */
    record Complete(Json value) implements AfterVerdict {}

    /**
     * The model is told that it was refused.
     *
     * @param reason for the model
     */
    record Reject(String reason) implements AfterVerdict {}

    /**
     * The model is told that it failed.
     *
     * @param reason for the model
     */
    record Abort(String reason) implements AfterVerdict {}

    /** Lets it stay. */
    static AfterVerdict keep() {
        return new Keep();
    }

    /** Puts a value in its place. */
    static AfterVerdict complete(Json value) {
        return new Complete(value);
    }

    /** Refuses it. */
    static AfterVerdict reject(String reason) {
        return new Reject(reason);
    }

    /** Lets it fail. */
    static AfterVerdict abort(String reason) {
        return new Abort(reason);
    }
}
