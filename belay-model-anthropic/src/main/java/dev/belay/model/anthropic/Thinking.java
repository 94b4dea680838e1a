package dev.belay.model.anthropic;

import dev.belay.model.Generation.Effort;

/** In which words a model is told how much to think; models know one of them. What no request asks for is not sent. */
public enum Thinking {
    /** By its effort; for the models since Opus 4.6 and Sonnet 4.6. Newer ones know nothing else. */
    ADAPTIVE,
    /** By a number of tokens; for the models up to Opus 4.5, Sonnet 4.5 and Haiku 4.5. */
    BUDGET;

    /** The word for an effort; there is none below low. */
    static String word(Effort effort) {
        return switch (effort) {
            case NONE, MINIMAL, LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH -> "high";
        };
    }

    /** The tokens for an effort; the least that is allowed is 1,024. */
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
