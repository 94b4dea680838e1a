package dev.belay.runtime.plugin;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of an action that was asked for by an input.
 *
 * @param input the id of the input
 * @param action which
 * @param output what it answered, or null if it failed
 * @param code why it failed, or null
 * @param message the same in words, or null
 */
public record ActionResult(String input, String action, @Nullable Json output, @Nullable String code,
        @Nullable String message) {

    /** One that was carried out. */
    public static ActionResult done(String input, String action, Json output) {
        return new ActionResult(input, action, Objects.requireNonNull(output, "output"), null, null);
    }

    /** One that left nothing. */
    public static ActionResult failed(String input, String action, String code, String message) {
        return new ActionResult(input, action, null, code, message);
    }

    /** The answer; throws why there is none. */
    public Json answer() {
        if (output == null) {
            throw new BelayException(Objects.requireNonNull(code), String.valueOf(message));
        }
        return output;
    }

    /** The record of this; pinned by a golden file. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("input").value(input).name("action").value(action);
            if (output != null) {
                out.name("output").value(output);
            } else {
                out.name("code").value(String.valueOf(code));
                out.name("message").value(String.valueOf(message), RecordReader.HALF);
            }
            out.endObject();
        });
    }

    /** Reads the form of {@link #toJson}. */
    public static ActionResult of(Json recorded) {
        return RecordReader.read("result of an action", recorded,
                () -> new ActionResult(RecordReader.text(recorded, "input"),
                        RecordReader.text(recorded, "action"),
                        recorded.get("output").orElse(null), RecordReader.optionalText(recorded, "code"),
                        RecordReader.optionalText(recorded, "message")));
    }
}
