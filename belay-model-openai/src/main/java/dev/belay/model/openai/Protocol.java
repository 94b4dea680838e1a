package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.ModelRequest;
import dev.belay.model.http.AnswerReader;

/** One of the two protocols. Thread-safe: immutable. */
interface Protocol {

    /** Where requests go, below the base URL. */
    String path();

    /** Writes a request; throws {@link dev.belay.model.ModelException} if this protocol cannot say it. */
    Json write(ModelRequest request);

    /** Makes the reader of one answer. */
    AnswerReader reader();
}
