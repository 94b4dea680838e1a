package dev.belay.model;

import java.io.Serializable;
import java.util.Objects;

/**
 * One thing wrong with a request.
 *
 * @param code stable, one of the constants here
 * @param at where, such as {@code messages[3]}
 * @param message what is wrong and what is allowed
 */
public record RequestProblem(String code, String at, String message) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** There is no message. */
    public static final String NO_MESSAGES = "no_messages";
    /** An assistant message has neither parts nor a native payload. */
    public static final String EMPTY_MESSAGE = "empty_message";
    /** A call has no id. */
    public static final String MISSING_CALL_ID = "missing_call_id";
    /** Two calls of one message have the same id. */
    public static final String REPEATED_CALL_ID = "repeated_call_id";
    /** A call has no reply before the next message. */
    public static final String MISSING_REPLY = "missing_reply";
    /** A call has more than one reply. */
    public static final String DUPLICATE_REPLY = "duplicate_reply";
    /** A reply answers no call of the message before. */
    public static final String FOREIGN_REPLY = "foreign_reply";
    /** A reply has the id of a call and the name of another tool. */
    public static final String WRONG_TOOL_NAME = "wrong_tool_name";
    /** Two tools have the same name. */
    public static final String DUPLICATE_TOOL = "duplicate_tool";
    /** The tool choice cannot be met by the tools offered. */
    public static final String INVALID_TOOL_CONSTRAINTS = "invalid_tool_constraints";

    /** Refuses null only. */
    public RequestProblem {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(message, "message");
    }

    /** The place and the message, for people. */
    @Override
    public String toString() {
        return at + ": " + message + " (" + code + ")";
    }
}
