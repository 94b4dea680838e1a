package dev.belay.toolset;

import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A model that plays given events and then ends as told, by the book or not. */
final class PlayedModel implements Model {

    private final List<ModelEvent> events;
    private final Supplier<ModelResponse> end;
    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    PlayedModel(List<? extends ModelEvent> events, Supplier<ModelResponse> end) {
        this.events = List.copyOf(events);
        this.end = end;
    }

    @Override
    public String id() {
        return "played";
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        requests.add(request);
        events.forEach(listener::on);
        return end.get();
    }

    List<ModelRequest> requests() {
        return List.copyOf(requests);
    }
}
