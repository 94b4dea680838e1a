package dev.belay.testkit.model;

import dev.belay.model.ModelEvent;
import dev.belay.model.ModelResponse;
import java.util.List;

/**
 * An answer and the events that came with it.
 *
 * @param response the returned response
 * @param events the events of the listener, in order
 */
record Heard(ModelResponse response, List<ModelEvent> events) {

    Heard {
        events = List.copyOf(events);
    }
}
