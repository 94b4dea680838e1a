package dev.belay.model;

import dev.belay.BelayException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a model gave no whole answer. The {@linkplain #kind() kind} says why and fixes the code; immutable but for its stack.
 */
public final class ModelException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final @Nullable Duration retryAfter;
    private final transient @Nullable ModelResponse partial;
    private final boolean settled;

    /** Why there is no whole answer. */
    public enum Kind {
        /** The key is missing or wrong. */
        AUTHENTICATION(false),
        /** The key is valid but lacks permission, or the account has no credit. */
        PERMISSION(false),
        /** There is no such model. */
        UNKNOWN_MODEL(false),
        /** The provider does not take the request as it is. */
        INVALID_REQUEST(false),
        /** The request is longer than the model can read. */
        CONTEXT_TOO_LONG(false),
        /** The model cannot call tools. */
        TOOLS_UNSUPPORTED(false),
        /** Too many requests or tokens for now. */
        RATE_LIMITED(true),
        /** The provider is overloaded or down. */
        UNAVAILABLE(true),
        /** No answer in time. */
        TIMEOUT(true),
        /** No connection, or it broke. */
        CONNECTION(true),
        /**
         * The provider broke its own protocol. Retryable, because nearly always the stream was cut on its way, and asking
         * again has no effect but its price.
         */
        PROTOCOL(true),
        /** The calling thread was interrupted, which forbids another try. */
        INTERRUPTED(false),
        /** A filter of the provider stopped the request or the answer. */
        CONTENT_FILTERED(false);

        private final boolean retryable;

        Kind(boolean retryable) {
            this.retryable = retryable;
        }

        /** The stable code, {@code model_} and the kind in lower case. */
        public String code() {
            return "model_" + name().toLowerCase(Locale.ROOT);
        }

        /** Whether the same request may succeed later, unchanged. */
        public boolean retryable() {
            return retryable;
        }
    }

    /**
     * Creates one without a cause.
     *
     * @param kind why
     * @param message what was wrong, what is allowed, the offending value
     */
    public ModelException(Kind kind, String message) {
        this(kind, message, null, null, null, false);
    }

    /**
     * Creates one.
     *
     * @param kind why
     * @param message what was wrong, what is allowed, the offending value
     * @param cause what led to it, or null
     */
    public ModelException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, null, null, false);
    }

    private ModelException(Kind kind, String message, @Nullable Throwable cause,
            @Nullable Duration retryAfter,
            @Nullable ModelResponse partial, boolean settled) {
        super(kind.code(), message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
        this.partial = partial;
        this.settled = settled;
    }

    /** The same with the provider's request to wait; a time in the past means no wait. */
    public ModelException withRetryAfter(Duration wait) {
        return copy(wait.isNegative() ? Duration.ZERO : wait, partial, settled);
    }

    /** The same, with what had arrived. */
    public ModelException withPartial(ModelResponse arrived) {
        return copy(retryAfter, Objects.requireNonNull(arrived, "arrived"), settled);
    }

    /** The same, not {@link #retryable}: the model was asked again already, with what was wrong, and asking once more is no use. */
    public ModelException asSettled() {
        return copy(retryAfter, partial, true);
    }

    /** Why there is no whole answer. */
    public Kind kind() {
        return kind;
    }

    @Override
    public boolean retryable() {
        return kind.retryable() && !settled;
    }

    /** How long the provider asks to wait before another try, if it said so. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** What had arrived, if anything had; its finish reason is {@link FinishReason#OTHER} unless it was heard. */
    public Optional<ModelResponse> partial() {
        return Optional.ofNullable(partial);
    }

    /** The cost of the failed call; {@link Usage#NONE} if nothing was reported. */
    public Usage usage() {
        return partial == null ? Usage.NONE : partial.usage();
    }

    private ModelException copy(@Nullable Duration wait, @Nullable ModelResponse arrived,
            boolean isSettled) {
        String message = Objects.requireNonNullElse(getMessage(), code());
        ModelException copy = new ModelException(kind, message, getCause(), wait, arrived, isSettled);
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
