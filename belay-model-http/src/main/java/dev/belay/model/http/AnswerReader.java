package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.model.ModelException;

/**
 * Reads one answer of a provider's protocol. {@link ModelHttp} makes a new reader for every attempt and calls it only on the
 * thread that asked.
 *
 * <p>A streamed answer arrives through {@link #event}, a whole one through {@link #whole}; both should run the same code. The
 * reader {@linkplain ArrivingAnswer#tell tells} the events that it reads and skips unknown input. Error events in the usual shapes
 * do not reach it; for a failure inside an answer it throws {@link ArrivingAnswer#failure}. Any other exception that it throws
 * becomes a {@link ModelException.Kind#PROTOCOL}. If the provider pauses an answer, the reader {@linkplain
 * ArrivingAnswer#goOnWith goes on} with another request, whose events it gets as well.
 */
public interface AnswerReader {

    /**
     * Takes the next event of a stream, which has data. Events after the one that {@linkplain ArrivingAnswer#isFinished finished}
     * are not given.
     */
    void event(ServerEvent event, ArrivingAnswer answer);

    /** Takes an answer in one piece. If nothing is told, the body is no answer, and its error or its text is told to the caller. */
    void whole(Json body, ArrivingAnswer answer);

    /**
     * Called once after the last event, the mark {@code [DONE]} or the whole answer, unless the answer is finished. A protocol
     * with a mark of its own for the end does not override it: without the mark the stream broke off, and the caller gets an
     * exception.
     */
    default void end(ArrivingAnswer answer) {}
}
