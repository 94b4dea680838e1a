package dev.belay.model;

/** The meaning of a whole answer. Every loop reads answers through {@link #of}, so that all loops agree. */
public sealed interface ReplyMeaning {

    /** The model wants tools, whatever else it said and why it stopped. */
    record Calls() implements ReplyMeaning {}

    /**
     * The model answered.
     *
     * @param text not blank
     */
    record Text(String text) implements ReplyMeaning {}

    /**
     * The model, or a filter of its provider, declined to answer.
     *
     * @param reason the words of the model, or that the answer was filtered
     */
    record Refusal(String reason) implements ReplyMeaning {}

    /**
     * The answer cannot be used.
     *
     * @param code {@code output_limit} or {@code empty_reply}
     * @param message the reason
     * @param partial the text so far; empty if there is none
     */
    record Unusable(String code, String message, String partial) implements ReplyMeaning {}

    /** Reads an answer: calls come first, then the limit of output tokens, then a refusal, then text. */
    static ReplyMeaning of(ModelResponse response) {
        if (!response.calls().isEmpty()) {
            return new Calls();
        }
        if (response.finish() == FinishReason.LENGTH) {
            return new Unusable("output_limit", "the answer was cut at the limit of output tokens",
                    response.text());
        }
        if (response.declined().isPresent()) {
            return new Refusal(response.declined().get());
        }
        return response.text().isBlank()
                ? new Unusable("empty_reply", "the model answered with neither text nor calls", "")
                : new Text(response.text());
    }
}
