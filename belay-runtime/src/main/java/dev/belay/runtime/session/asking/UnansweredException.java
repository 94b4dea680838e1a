package dev.belay.runtime.session.asking;

import dev.belay.model.ModelException;

/** The model failed in a way that may pass, and patience is not over: nothing of the round is recorded. */
public final class UnansweredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient FailedTry failed;
    private final ModelException failure;

    public UnansweredException(FailedTry failed, ModelException failure) {
        super(failed.message(), failure);
        this.failed = failed;
        this.failure = failure;
    }

    /** What is to be recorded. */
    public FailedTry failed() {
        return failed;
    }

    /** How the model failed. */
    public ModelException failure() {
        return failure;
    }
}
