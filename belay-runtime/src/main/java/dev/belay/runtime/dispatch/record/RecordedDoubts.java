package dev.belay.runtime.dispatch.record;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds calls that may have happened in the records of a scope that does not go on. */
public final class RecordedDoubts {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private RecordedDoubts() {}

    /** Equal for calls of one family of sessions that would do the same. */
    public static String guard(String family, Preparation call) {
        return new FramedHash().add("belay-guard-1")
                .add(family)
                .add(call.tool().value())
                .add(call.arguments())
                .hex();
    }

    /**
     * Attempts that were started or parked, must not be repeated and have no outcome.
     *
     * @param rows the records of a scope
     * @param settled its waits that are settled, by name
     * @param session whose, or null
     * @param family of the session; null for that of the call alone
     * @param why they do not go on
     */
    public static List<OpenDoubt.Of> of(Map<String, EffectRow> rows, Map<String, Resolution> settled,
            @Nullable String session, @Nullable String family, String why) {
        List<OpenDoubt.Of> found = new ArrayList<>();
        for (EffectRow row : rows.values()) {
            Json input = row.input();
            try {
                if (input != null && row.kind().equals("attempt") && row.effect() == ToolEffect.ONCE
                        && isOpen(row, rows, settled)) {
                    found.add(new OpenDoubt.Of(row.key(),
                            doubt(row, Preparation.of(input), session, family, why)));
                }
            } catch (BelayException unreadable) {
                LOG.warn("The record {} cannot be read, and whether it happened is not kept", row.key(),
                        unreadable);
            }
        }
        return found;
    }

    private static boolean isOpen(EffectRow row, Map<String, EffectRow> rows,
            Map<String, Resolution> settled) {
        Resolution said = settled.get(completion(row.key()));
        if (said instanceof Resolution.Ok || said instanceof Resolution.Failed) {
            return false;
        }
        Json result = row.result();
        return row.status() == EffectRow.Status.STARTED
                || (result != null && row.status() == EffectRow.Status.COMPLETED
                        && isOpen(AttemptRecord.of(result), row.key(), rows));
    }

    private static boolean isOpen(AttemptRecord attempted, String key, Map<String, EffectRow> rows) {
        return switch (attempted) {
            case AttemptRecord.Parked parked -> true;
            case AttemptRecord.Unsure unsure -> {
                EffectRow asked = rows.get(key + "/asked/" + (unsure.asked() + 1));
                Json result = asked == null ? null : asked.result();
                yield result == null || isOpen(AttemptRecord.of(result), key, rows);
            }
            default -> false;
        };
    }

    /** The wait for the completion of the call that a record belongs to. */
    private static String completion(String key) {
        return key.substring(0, key.lastIndexOf("attempt/")) + AttemptRecord.COMPLETION.value();
    }

    private static OpenDoubt doubt(EffectRow row, Preparation call, @Nullable String session,
            @Nullable String family, String why) {
        PlacedCall placed = PlacedCall.of(new ScopeInput(PlacedCall.KIND, identified(row.identity())));
        IdempotencyKey.Place place = placed.place();
        return new OpenDoubt(
                new OpenDoubt.Call(session, place.turn(),
                        CallId.of(place.round(), place.position()).value(), call.tool(), placed.name(), null,
                        call.arguments(),
                        call.fingerprint().value(), null, IdempotencyKey.of(place, call.tool()).value()),
                guard(family == null ? place.incarnation().toString() : family, call), row.resource(),
                new WaitName(completion(row.key())), null, false, false, "in_doubt",
                "the call was started and left no outcome, and it does not go on: " + why);
    }

    /** The identity of a call with the rest of what its scope would start from. */
    private static Json identified(Json identity) {
        return Json.write(out -> {
            out.beginObject().name("v").value(1);
            identity.fields().forEach((name, value) -> out.name(name).value(value));
            out.name("id").value("?").endObject();
        });
    }
}
