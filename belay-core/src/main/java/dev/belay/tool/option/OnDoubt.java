package dev.belay.tool.option;

/** What happens to a call that may have happened, if its reconciler cannot tell. */
public enum OnDoubt {
    /** The model is told, and the turn goes on; the same call is refused until the doubt is settled. */
    TELL,
    /** The call waits until the doubt is settled. */
    HOLD
}
