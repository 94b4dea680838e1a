package dev.belay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What breaks Belay, as opposed to what a tool reports (a value). The code is a stable string; the message says
 * what was wrong, what is allowed, and the offending value.
 */
public class BelayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * Creates one without a cause.
     *
     * @param code the stable code, in {@code this_form}
     * @param message what was wrong and what to do
     */
    public BelayException(String code, String message) {
        this(code, message, null);
    }

    /**
     * Creates one.
     *
     * @param code the stable code, in {@code this_form}
     * @param message what was wrong and what to do
     * @param cause what led to it, or null
     */
    public BelayException(String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    /** The stable code; {@code docs/errors.md} lists them all. */
    public final String code() {
        return code;
    }

    /** Whether the same request may succeed later, unchanged. */
    public boolean retryable() {
        return false;
    }

    /** The class, the code and the message: a stack trace shows what to look up. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message itself is shown to models and stays without it
    public String toString() {
        return getClass().getName() + " (" + code + "): " + getMessage();
    }
}
