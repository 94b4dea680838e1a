package dev.belay.tool;

/** What a call does to the world, and so whether Belay may run it again. */
public enum ToolEffect {
    /** Changes nothing; free to repeat. */
    READ,
    /** May be repeated under the same idempotency key. */
    IDEMPOTENT,
    /** Never repeated by Belay; an attempt that started and left no outcome is in doubt. */
    ONCE
}
