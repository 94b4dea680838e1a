package dev.belay.runtime.process;

/** How a process stands. */
public enum ProcessStatus {
    /** Somebody runs it, or will at once. */
    RUNNING,
    /** It waits for a signal, a time, a completion, or, if it is stuck, for an operator; it costs no thread. */
    WAITING,
    /** It has a value. */
    COMPLETED,
    /** It has a failure. */
    FAILED,
    /** Somebody wanted it to end. */
    CANCELLED,
    /** Nobody knows how far it came: its owner died and it must not be repeated, or an operator gave it up. */
    ABANDONED;

    /** Whether it stays so. */
    public boolean isEnd() {
        return this != RUNNING && this != WAITING;
    }
}
