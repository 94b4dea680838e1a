package dev.belay.model;

/**
 * Answers requests. An implementer promises:
 *
 * <ul>
 * <li>{@link #complete} blocks, may be called from any thread and by several threads at once.
 * <li>The listener is called on the calling thread, in order, between the start and the end of the call, and never after.
 * The events reduce ({@link ResponseReducer}) to exactly what is returned. An exception of the listener ends the call and reaches
 * the caller unchanged.
 * <li>A failure is a {@link ModelException} that holds the part of the answer that had arrived.
 * <li>Interrupting the calling thread ends the call soon with {@link ModelException.Kind#INTERRUPTED}
 * ({@code model_interrupted}); the interrupt flag is set when it is thrown.
 * <li>Once an event has reached the listener, the request is not repeated here; {@link ModelException#retryable()} tells the
 * caller whether to repeat it. A network client may repeat a request that had no answer yet.
 * </ul>
 */
public interface Model {

    /** The model's name, for logs, traces and prices; the same for the life of this object. */
    String id();

    /**
     * Asks the model and tells the listener what arrives.
     *
     * @param request what to ask
     * @param listener told of every event before this returns
     * @return the whole answer
     * @throws ModelException if there is no whole answer
     */
    ModelResponse complete(ModelRequest request, ModelListener listener);

    /**
     * Asks the model.
     *
     * @param request what to ask
     * @return the whole answer
     * @throws ModelException if there is no whole answer
     */
    default ModelResponse complete(ModelRequest request) {
        return complete(request, ModelListener.silent());
    }

    /**
     * The same model for a caller that asks again itself: after a fault that may pass it throws at once. A client that repeats requests by
     * itself overrides this; the result shares its connections. Called for each request, so it must be cheap.
     */
    default Model withoutRetries() {
        return this;
    }
}
