package dev.belay.tool;

import dev.belay.BelayException;
import org.jspecify.annotations.Nullable;

/** Lets a body fail with a {@link ToolFailure} from anywhere. The failure is data for the model; the cause goes to the log. */
public sealed class ToolException extends BelayException permits InDoubtException {

    private static final long serialVersionUID = 1L;

    private final transient ToolFailure failure;

    /** Fails with a message: class Execution, code {@code tool_failed}. */
    public ToolException(String message) {
        this(ToolFailure.of(message), null);
    }

    /** Fails as described. */
    public ToolException(ToolFailure failure) {
        this(failure, null);
    }

    /** Fails as described, because of something. */
    public ToolException(ToolFailure failure, @Nullable Throwable cause) {
        super(failure.code(), failure.message(), cause);
        this.failure = failure;
    }

    /** What the model is told. */
    public ToolFailure failure() {
        return failure;
    }

    @Override
    public boolean retryable() {
        return failure.retry().allowed();
    }
}
