package dev.belay.runtime.operate;

/** What an operator's verb did. Verbs are idempotent: asking again is {@link Already}. */
public sealed interface VerbResult {

    /** It was done now. */
    record Done() implements VerbResult {}

    /** It was so before; nothing was written. */
    record Already() implements VerbResult {}

    /**
     * It cannot be done; nothing was written.
     *
     * @param reason why, and what can be done instead
     */
    record NotPossible(String reason) implements VerbResult {}

    /** It was done now. */
    VerbResult DONE = new Done();

    /** It was so before. */
    VerbResult ALREADY = new Already();
}
