package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.ModelException;

/**
 * Reads one answer of a provider's protocol. A new one is made for every attempt and is used by one thread, the one that asked.
 *
 * <p>A streamed answer arrives by {@link #event}, one in a piece by {@link #whole}; both should go through the same code. What
 * the reader understands it {@linkplain ArrivingAnswer#tell tells}. It skips what it does not know. A {@link JsonException} that it
 * throws becomes a {@link ModelException.Kind#PROTOCOL}; what the provider reports as its failure is thrown as
 * {@link ArrivingAnswer#failure}.
 */
public interface AnswerReader {

    /** Takes the next event of a stream; events after the one that {@linkplain ArrivingAnswer#isFinished finished} are not given. */
    void event(ServerEvent event, ArrivingAnswer answer);

    /** Takes an answer in one piece. */
    void whole(Json body, ArrivingAnswer answer);

    /**
     * Told once after the last event or the whole, unless the answer is finished. A protocol that marks its end leaves it: the
     * stream just ended, and the caller hears of it.
     */
    default void end(ArrivingAnswer answer) {}
}
