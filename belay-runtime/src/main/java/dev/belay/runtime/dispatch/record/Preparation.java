package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolId;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.option.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about a call before its body: everything that must be the same if the body runs again.
 *
 * @param tool the tool
 * @param fingerprint of the tool when it was decided
 * @param arguments the final ones
 * @param payload what the provider froze, or null
 * @param rule the rule of the policy that has allowed it, or null if none was about it
 */
public record Preparation(ToolId tool, Fingerprint fingerprint, Json arguments, @Nullable Json payload,
        @Nullable String rule) {

    /** Recorded in place of a preparation for a call that ended before its gate. */
    public static final Json NONE = Json.of("{\"v\":1}");

    /** Decisions that no rule was about. */
    public Preparation(ToolId tool, Fingerprint fingerprint, Json arguments, @Nullable Json payload) {
        this(tool, fingerprint, arguments, payload, null);
    }

    /** The same, allowed by a rule, or by none for null. */
    public Preparation allowedBy(@Nullable String by) {
        return new Preparation(tool, fingerprint, arguments, payload, by);
    }

    /** The form in which it is recorded. */
    public Json toJson() {
        return Json.write(this::write);
    }

    void write(JsonWriter out) {
        out.beginObject().name("v").value(RecordReader.VERSION);
        out.name("tool").value(tool.value()).name("fingerprint").value(fingerprint.value());
        out.name("arguments").value(arguments);
        if (payload != null) {
            out.name("payload").value(payload);
        }
        if (rule != null) {
            out.name("rule").value(rule);
        }
        out.endObject();
    }

    /** The preparation of a record; {@code journal_corrupt} if it is none. */
    public static Preparation of(Json recorded) {
        return RecordReader.versioned("prepared call", recorded, () -> new Preparation(
                new ToolId(RecordReader.text(recorded, "tool")),
                new Fingerprint(RecordReader.text(recorded, "fingerprint")),
                RecordReader.field(recorded, "arguments"), recorded.get("payload").orElse(null),
                RecordReader.optionalText(recorded, "rule")));
    }

    /** The call for functions that are found again after a restart. */
    public RecordedCall recordedCall(PlacedCall call) {
        return new RecordedCall(tool, call.id(), call.key(tool), arguments, payload);
    }
}
