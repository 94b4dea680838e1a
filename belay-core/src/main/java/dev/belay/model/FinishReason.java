package dev.belay.model;

/** Why the model stopped. The provider's word; the message itself shows whether there are calls. */
public enum FinishReason {
    /** It was done, or met a stop text. */
    STOP,
    /** It ran out of output tokens or context; the answer may be cut anywhere. */
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
