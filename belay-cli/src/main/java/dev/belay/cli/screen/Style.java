package dev.belay.cli.screen;

/** What a piece of text is; a {@link Theme} says how it looks. */
public enum Style {
    /** The heading of a part. */
    HEADING,
    /** Important. */
    STRONG,
    /** Stressed. */
    EMPHASIS,
    /** Code, as it would be typed. */
    CODE,
    /** The text of a link. */
    LINK,
    /** Less important than the rest. */
    DIM,
    /** A line that is added. */
    ADDED,
    /** A line that is removed. */
    REMOVED,
    /** Where a part of a difference, or an item, begins. */
    MARK,
    /** Well done. */
    GOOD,
    /** Failed. */
    BAD,
    /** A question for a person. */
    ASKS
}
