package dev.belay.model.anthropic;

import dev.belay.model.Generation.Effort;

/** The form in which an effort is sent; a model knows one of the two. Without an effort in the request nothing is sent. */
public enum Thinking {
    /** As an effort; for the models since Opus 4.6 and Sonnet 4.6. Newer models know only this form. */
    ADAPTIVE,
    /** As a number of tokens; for the models up to Opus 4.5, Sonnet 4.5 and Haiku 4.5. */
    BUDGET;

    /** The provider's word for an effort; its lowest is low. */
    static String word(Effort effort) {
        return switch (effort) {
            case NONE, MINIMAL, LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH -> "high";
        };
    }

    /** The tokens for an effort; the provider's minimum is 1,024. */
    static int tokens(Effort effort) {
        return switch (effort) {
            case NONE -> 0;
            case MINIMAL -> 1_024;
            case LOW -> 4_096;
            case MEDIUM -> 10_240;
            case HIGH -> 24_576;
        };
    }
}
