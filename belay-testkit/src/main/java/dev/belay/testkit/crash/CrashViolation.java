package dev.belay.testkit.crash;

/** A promise broken by a crash. The message says where, what was expected and found, and how to repeat the run. */
public final class CrashViolation extends AssertionError {

    private static final long serialVersionUID = 1L;

    CrashViolation(String message, Throwable cause) {
        super(message, cause);
    }
}
