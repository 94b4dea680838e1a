package dev.belay.model;

/** Why the model stopped. It is what the provider says; whether there are calls is said by the message itself. */
public enum FinishReason {
    /** It was done, or met a stop text. */
    STOP,
    /** It ran out of output tokens or context; what is there may be cut anywhere. */
    LENGTH,
    /** It waits for the replies to its calls. */
    TOOL_CALLS,
    /** It would not answer. */
    REFUSAL,
    /** A filter of the provider took over. */
    CONTENT_FILTER,
    /** Something else, or not known. */
    OTHER
}
