package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.ResponseReducer;
import dev.belay.model.http.exchange.ErrorSentences;
import dev.belay.model.http.exchange.ProviderError;

/** An answer as it arrives: what is told here reaches the listener and is put together. Confined to one attempt. */
public final class ArrivingAnswer {

    private final ResponseReducer reducer = new ResponseReducer();
    private final ModelListener listener;
    private final ErrorSentences sentences;
    private boolean told;
    private boolean finished;
    private boolean listenerThrew;

    ArrivingAnswer(ModelListener listener, ErrorSentences sentences) {
        this.listener = listener;
        this.sentences = sentences;
    }

    /**
     * Tells the next event.
     *
     * @param event in the order of {@link ModelEvent}
     * @throws ModelException if no answer can go on like this; the listener has not heard it then
     */
    public void tell(ModelEvent event) {
        reducer.accept(event);
        finished = event instanceof ModelEvent.Finished;
        told = true;
        listenerThrew = true;
        listener.on(event);
        listenerThrew = false;
    }

    /** Whether anything was told. */
    public boolean isStarted() {
        return told;
    }

    /** Whether the last event was told. */
    public boolean isFinished() {
        return finished;
    }

    /**
     * The exception for a failure that the provider reports within its answer, for the reader to throw.
     *
     * @param body with the error in any of the shapes in use: <code>{"error":{"type","code","message"}}</code>,
     *     <code>{"error":"words"}</code>, <code>{"object":"error","message"}</code>, <code>{"detail":…}</code>, or the inner object
     *     alone
     */
    public ModelException failure(Json body) {
        return sentences.inAnswer(ProviderError.in(body).orElse(ProviderError.SILENT));
    }

    ModelResponse response() {
        return reducer.finish();
    }

    /** Whether what is being thrown is the listener's own, which is nobody's business here. */
    boolean listenerThrew() {
        return listenerThrew;
    }

    /** The same exception with what has arrived, if anything has and it does not say so itself. */
    ModelException withPartial(ModelException e) {
        return e.partial().isPresent() ? e : reducer.partial().map(e::withPartial).orElse(e);
    }
}
