package dev.belay.schema;

/** Chooses what the keyword {@code format} does. */
public enum FormatMode {
    /** It describes; nothing is checked. What the draft says, and the default. */
    ANNOTATE,
    /**
     * It is checked, for every format that {@link TextFormat} knows and for those of numbers ({@code int8}, {@code int16},
     * {@code int32}, {@code int64}, {@code float}, {@code double}); others describe.
     */
    ASSERT
}
