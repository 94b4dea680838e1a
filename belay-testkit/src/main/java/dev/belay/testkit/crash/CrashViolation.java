package dev.belay.testkit.crash;

/** A promise that was broken by a crash: where, what was expected, what was found, and how to see it again. */
public final class CrashViolation extends AssertionError {

    private static final long serialVersionUID = 1L;

    CrashViolation(String message, Throwable cause) {
        super(message, cause);
    }
}
