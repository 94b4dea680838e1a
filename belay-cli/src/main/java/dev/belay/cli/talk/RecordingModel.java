package dev.belay.cli.talk;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonWriter;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import java.util.function.Consumer;

/**
 * Hands every whole answer of a model on, as a step of a script that {@code --script} plays again. Thread-safe if the model is.
 *
 * @param model that answers
 * @param record gets each answer
 */
record RecordingModel(Model model, Consumer<ModelResponse> record) implements Model {

    @Override
    public String id() {
        return model.id();
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        ModelResponse response = model.complete(request, listener);
        record.accept(response);
        return response;
    }

    @Override
    public Model withoutRetries() {
        return new RecordingModel(model.withoutRetries(), record);
    }

    /** Writes the fields of a step of a script: the text, the calls and the refusal of an answer. */
    static void step(JsonWriter out, ModelResponse response) {
        if (!response.message().reasoning().isEmpty()) {
            out.name("reasoning").value(response.message().reasoning());
        }
        if (!response.text().isEmpty() || (response.calls().isEmpty() && response.refusal().isEmpty())) {
            out.name("text").value(response.text());
        }
        response.refusal().ifPresent(words -> out.name("refusal").value(words));
        if (!response.calls().isEmpty()) {
            out.name("calls").beginArray();
            for (CallPart call : response.calls()) {
                out.beginObject().name("name").value(call.name());
                arguments(out.name("arguments"), call.arguments());
                out.name("id").value(call.id()).endObject();
            }
            out.endArray();
        }
    }

    /** As JSON if it is any, else as the text that it was; a script takes both. */
    private static void arguments(JsonWriter out, String text) {
        try {
            Json value = Json.of(text);
            if (value.kind() == Json.Kind.OBJECT) {
                out.value(value);
                return;
            }
        } catch (JsonException notJson) {
            // kept as text
        }
        out.value(text);
    }
}
