package dev.belay.mcp;

import dev.belay.json.Json;

/**
 * An answer to an {@link McpQuestion}. Immutable.
 *
 * @param action whether the user answers, declines, or does not decide
 * @param content the answer, an object; empty unless the user answers
 */
public record McpAnswer(Action action, Json content) {

    /** What the user does. */
    public enum Action {
        /** The content is the answer. */
        ACCEPT,
        /** The user says no. */
        DECLINE,
        /** The user does not decide. */
        CANCEL
    }

    /** Checks that the content is an object. */
    public McpAnswer {
        if (content.kind() != Json.Kind.OBJECT) {
            throw new IllegalArgumentException(
                    "the content of an answer is an object, not " + content.kind());
        }
    }

    /** An answer; fields that it leaves out get the defaults of the question. */
    public static McpAnswer accept(Json content) {
        return new McpAnswer(Action.ACCEPT, content);
    }

    /** The user says no. */
    public static McpAnswer decline() {
        return new McpAnswer(Action.DECLINE, Json.EMPTY_OBJECT);
    }

    /** The user does not decide. */
    public static McpAnswer cancel() {
        return new McpAnswer(Action.CANCEL, Json.EMPTY_OBJECT);
    }
}
