package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolOutcome;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from the records of a call what hooks have made of an outcome that came from outside. */
public final class RecordedHooks {

    /** The record of hooks that have looked at such an outcome; its value is the outcome of the call. */
    public static final EffectKey LOOKED = new EffectKey("after-hooks");

    /** The field of a start, or of a record that is not the end, which says that a hook looks at the outcome of the call. */
    private static final String LOOKS = "looks";

    private RecordedHooks() {}

    /** A start or a record of an attempt, as it is written for a call at whose outcome a hook looks. */
    public static Json looking(Json record, boolean looks) {
        return !looks || record.get("ended").isPresent() ? record : Json.write(out -> {
            out.beginObject();
            record.fields().forEach((name, value) -> out.name(name).value(value));
            out.name(LOOKS).value(true).endObject();
        });
    }

    /** What hooks have made of the outcome of a call; empty if none has looked at it by itself. */
    static Optional<ToolOutcome> looked(RecordedScope scope, String path) {
        return Optional.ofNullable(scope.rows().get(path + LOOKED.value()))
                .filter(OutcomeJson::isValue)
                .map(row -> OutcomeJson.outcome(Objects.requireNonNull(row.result())));
    }

    /**
     * Whether a hook looks at an answer from outside before it is the outcome: so it was when the call was begun or began to wait. The record of
     * a call that has ended does not say so.
     */
    static boolean looks(@Nullable EffectRow last) {
        Json record = last == null ? null : last.result() == null ? last.input() : last.result();
        return record != null && record.get(LOOKS).isPresent();
    }
}
