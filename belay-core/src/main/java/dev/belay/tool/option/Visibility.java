package dev.belay.tool.option;

/** Who may see a tool. */
public enum Visibility {
    /** The model. */
    MODEL,
    /** The host only; never in a model's catalog. */
    INTERNAL
}
