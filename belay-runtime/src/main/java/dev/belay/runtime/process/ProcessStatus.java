package dev.belay.runtime.process;

/** The status of a process. */
public enum ProcessStatus {
    /** A thread runs it, or will at once. */
    RUNNING,
    /** It waits for a signal, a time or a completion or, if it is stuck, for an operator. It holds no thread. */
    WAITING,
    /** It ended with a value. */
    COMPLETED,
    /** It ended with a failure. */
    FAILED,
    /** It ended because it was asked to. */
    CANCELLED,
    /** It was given up: its owner died and it must not be repeated, or an operator abandoned it. */
    ABANDONED
}
