package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.ResponseReducer;
import dev.belay.model.http.exchange.ErrorSentences;
import dev.belay.model.http.exchange.ProviderError;
import dev.belay.model.http.exchange.WholeChunks;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An answer as it arrives. Passes each event to the listener and adds it to the response. Confined to one attempt. */
public final class ArrivingAnswer {

    private final ResponseReducer reducer = new ResponseReducer();
    private final WholeChunks chunks = new WholeChunks();
    private final ModelListener listener;
    private final ErrorSentences sentences;
    private @Nullable WireRequest next;
    private boolean told;
    private boolean finished;
    private boolean listenerThrew;

    ArrivingAnswer(ModelListener listener, ErrorSentences sentences) {
        this.listener = listener;
        this.sentences = sentences;
    }

    /**
     * Tells the next event. A chunk may end inside a character: that half is told with the chunk that brings the rest.
     *
     * @param event in the order of {@link ModelEvent}
     * @throws ModelException if no answer can continue with this event; the listener has not received it then
     */
    public void tell(ModelEvent event) {
        chunks.of(event).forEach(this::pass);
    }

    private void pass(ModelEvent event) {
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
     * Goes on with another request: the provider paused the answer, and the same reader gets what follows. What was told before
     * stays; the request is not repeated.
     */
    public void goOnWith(WireRequest request) {
        next = request;
    }

    /** Whether this request has no more to say: the answer is finished, or another request goes on with it. */
    boolean isOver() {
        return finished || next != null;
    }

    /** The request that goes on with the answer, once. */
    Optional<WireRequest> takeNext() {
        Optional<WireRequest> taken = Optional.ofNullable(next);
        next = null;
        return taken;
    }

    /** The exception for an answer that the provider did not finish, for the reader to throw; the words say why. */
    public ModelException failure(String words) {
        return failure(new ProviderError("", "", words));
    }

    /** Throws the failure that a part of an answer reports, if a part of an answer has an {@code error} that is not empty. */
    public void requireNoError(Json part) {
        ProviderError.marked(part).map(this::failure).ifPresent(failure -> {
            throw failure;
        });
    }

    ModelException failure(ProviderError error) {
        return sentences.inAnswer(error);
    }

    ModelResponse response() {
        return reducer.finish();
    }

    /** Whether the exception in flight was thrown by the listener; such an exception passes unchanged. */
    boolean listenerThrew() {
        return listenerThrew;
    }

    /** The exception with the part of the answer that has arrived, unless it already carries one. */
    ModelException withPartial(ModelException e) {
        return e.partial().isPresent() ? e : reducer.partial().map(e::withPartial).orElse(e);
    }
}
