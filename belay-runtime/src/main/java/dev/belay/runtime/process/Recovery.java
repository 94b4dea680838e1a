package dev.belay.runtime.process;

/** What becomes of a process whose owner died. */
public enum Recovery {
    /** It goes on: entered again from its first line, what is recorded is answered. */
    RERUN,
    /** It is abandoned if its body had begun; the body is not run a second time. */
    NEVER,
    /** Nothing runs here, so nothing is lost: it waits for whoever completes it from outside. */
    EXTERNAL
}
