package dev.belay.model.envelope;

import dev.belay.json.Json;

/** The answer of a model without native calls, read from one JSON object, or the reason why it cannot be read. */
sealed interface Envelope {

    /**
     * A call.
     *
     * @param toolName as the model wrote it, offered or not
     * @param arguments an object
     * @param note what the model said beside it; empty if nothing
     */
    record Call(String toolName, Json arguments, String note) implements Envelope {}

    /**
     * The answer.
     *
     * @param content its text; JSON text if the answer was asked for by a schema
     */
    record Final(String content) implements Envelope {}

    /**
     * Neither.
     *
     * @param problem what is wrong, in words for the model
     */
    record Wrong(String problem) implements Envelope {}
}
