package dev.belay.runtime.session.asking;

import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.Usage;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.store.journal.RecordReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question that a model did not answer, in a round that asks again. Its form is pinned by a golden file.
 *
 * @param code of the failure
 * @param message the failure in words
 * @param cut whether a part of an answer had arrived
 * @param model which was asked, by its name here
 * @param usage what the question has cost
 * @param cost the price of that, or null if the model has no price
 * @param unrecorded whether a process that died may have asked before without a record
 * @param delay how long to wait, as it was drawn
 * @param due when to ask again
 * @param until the end of patience; null but for the first failed try of a round
 */
public record FailedTry(String code, String message, boolean cut, String model, Usage usage,
        @Nullable BigDecimal cost, boolean unrecorded, Duration delay, Instant due,
        @Nullable Instant until) {

    /**
     * The key of its record.
     *
     * @param number of the try in its round, from 1
     */
    public static EffectKey key(int round, int number) {
        return new EffectKey("round/" + round + "/try/" + number);
    }

    /** Its record. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            out.name("code").value(code).name("message").value(message, RecordReader.HALF);
            if (cut) {
                out.name("cut").value(true);
            }
            out.name("model").value(model);
            if (!usage.equals(Usage.NONE)) {
                MessageJson.write(out.name("usage"), usage);
            }
            if (cost != null) {
                out.name("cost").value(cost);
            }
            if (unrecorded) {
                out.name("unrecorded").value(true);
            }
            out.name("delay").value(delay.toString()).name("due").value(due.toString());
            if (until != null) {
                out.name("until").value(until.toString());
            }
            out.endObject();
        });
    }

    /** The try of a record. */
    public static FailedTry of(Json recorded) {
        return RecordReader.versioned("failed try", recorded,
                () -> new FailedTry(RecordReader.text(recorded, "code"),
                        RecordReader.text(recorded, "message"),
                        recorded.get("cut").map(Json::asBoolean).orElse(false),
                        RecordReader.text(recorded, "model"),
                        recorded.get("usage").map(MessageJson::usage).orElse(Usage.NONE),
                        recorded.get("cost").map(Json::asBigDecimal).orElse(null),
                        recorded.get("unrecorded").map(Json::asBoolean).orElse(false),
                        Duration.parse(RecordReader.text(recorded, "delay")),
                        Instant.parse(RecordReader.text(recorded, "due")),
                        recorded.get("until").map(until -> Instant.parse(until.asString())).orElse(null)));
    }
}
