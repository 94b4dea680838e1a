package dev.belay.runtime.process;

/** What happens to a process whose owner died. */
public enum Recovery {
    /** It is entered again from its first line; recorded effects are answered and not repeated. */
    RERUN,
    /** It is abandoned if its body had begun; the body does not run a second time. */
    NEVER,
    /** It has nothing to repeat: it waits until its work is completed from outside. */
    EXTERNAL
}
