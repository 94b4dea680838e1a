package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import java.util.Map;
import java.util.TreeSet;

/**
 * How turns are run; the same for all sessions of a runtime.
 *
 * @param models by name; {@link #DEFAULT_MODEL} answers unless a turn says otherwise
 * @param instructions what stands before every conversation, empty for nothing
 * @param generation how answers are to be made
 * @param bounds how far a turn may go
 */
public record SessionSettings(Map<String, Model> models, String instructions, Generation generation,
        TurnBounds bounds) {

    /** The name of the model that answers unless a turn says otherwise. */
    public static final String DEFAULT_MODEL = "default";

    /** Copies the map; refuses one without a default. */
    public SessionSettings {
        models = Map.copyOf(models);
        if (!models.containsKey(DEFAULT_MODEL)) {
            throw new IllegalArgumentException("there must be a model of the name " + DEFAULT_MODEL);
        }
    }

    /** A model by its name; {@code unknown_model} if there is none. */
    public Model model(String name) {
        Model found = models.get(name);
        if (found == null) {
            throw new BelayException("unknown_model", "there is no model of the name \"" + name
                    + "\" here; there are " + new TreeSet<>(models.keySet()));
        }
        return found;
    }
}
