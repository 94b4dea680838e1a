package dev.belay.runtime.policy;

import dev.belay.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of a call about which a person was asked.
 *
 * @param proposed those of the first question: what the model sent, as hooks and the tool have prepared it
 * @param decided those of the newest question, or those that its answer put in their place
 * @param effective those that the body was given; null if it did not run
 */
public record AskedArguments(Json proposed, Json decided, @Nullable Json effective) {

    /** Refuses null. */
    public AskedArguments {
        Objects.requireNonNull(proposed, "proposed");
        Objects.requireNonNull(decided, "decided");
    }

    /** Whether a person, or the tool after a person's answer, has changed them. */
    public boolean isChanged() {
        return !decided.equals(proposed);
    }

    /** The form in which the ledger of a turn keeps it. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("proposed").value(proposed).name("decided").value(decided);
            if (effective != null) {
                out.name("effective").value(effective);
            }
            out.endObject();
        });
    }

    /** The arguments of their kept form. */
    public static AskedArguments of(Json kept) {
        return new AskedArguments(kept.get("proposed").orElseThrow(), kept.get("decided").orElseThrow(),
                kept.get("effective").orElse(null));
    }
}
