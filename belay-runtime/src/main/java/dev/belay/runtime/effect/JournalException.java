package dev.belay.runtime.effect;

import dev.belay.BelayException;
import org.jspecify.annotations.Nullable;

/**
 * The store failed: it is full, read-only, damaged or closed. Such a failure is never recorded as the outcome of an effect; the scope
 * is entered again when the store works.
 */
public final class JournalException extends BelayException {

    private static final long serialVersionUID = 1L;

    private static final String FAILED = "runtime_failed";
    private static final String CORRUPT = "journal_corrupt";

    private final boolean retryable;

    /** A failure that may pass: {@code journal_unavailable}. */
    public JournalException(String message, @Nullable Throwable cause) {
        this("journal_unavailable", message, cause, true);
    }

    private JournalException(String code, String message, @Nullable Throwable cause, boolean retryable) {
        super(code, message, cause);
        this.retryable = retryable;
    }

    /** The journal is closed: {@code journal_closed}. */
    public static JournalException closed() {
        return new JournalException("journal_closed",
                "the journal is closed, with its store or runtime; open them again", null, false);
    }

    /**
     * A thread that the runtime cannot do without has failed, and the runtime with it: {@code runtime_failed}. What is recorded stays;
     * a new runtime on the same store goes on.
     */
    public static JournalException failed(Throwable cause) {
        return new JournalException(FAILED, "the runtime has failed and does nothing more, because one of its"
                + " own threads ended with " + cause.getClass().getName()
                + ". What is recorded stays: close the runtime and open a new one on the same store", cause,
                false);
    }

    /** Whether it is {@code runtime_failed}. */
    public boolean isRuntimeFailure() {
        return code().equals(FAILED);
    }

    /** A record that differs from what Belay writes: {@code journal_corrupt}. */
    public static JournalException corrupt(String message, @Nullable Throwable cause) {
        return new JournalException(CORRUPT, message, cause, false);
    }

    /** Whether it is {@code journal_corrupt}. */
    public boolean isDamage() {
        return code().equals(CORRUPT);
    }

    /** The exception for work that threw an undeclared one: an interrupt means that the host closes, all else is a mistake. */
    public static RuntimeException unexpected(Exception thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return closed();
        }
        return thrown instanceof RuntimeException already
                ? already
                : new IllegalStateException("an effect broke its promise", thrown);
    }

    @Override
    public boolean retryable() {
        return retryable;
    }
}
