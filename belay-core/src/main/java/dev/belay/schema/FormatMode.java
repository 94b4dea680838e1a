package dev.belay.schema;

/** Chooses what the keyword {@code format} does. */
public enum FormatMode {
    /** It describes; nothing is checked. What the draft says, and the default. */
    ANNOTATE,
    /** It is checked, for every format that {@link TextFormat} knows; others describe. */
    ASSERT
}
