package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.effect.JournalException;
import java.time.DateTimeException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads records back. Every record carries the version of its form, and a later version reads what an earlier one wrote. */
final class RecordedJson {

    /** The version that is written today. */
    static final long VERSION = 1;

    private RecordedJson() {}

    /** Reads a record; {@code journal_corrupt} if it is none, or one of a later version. */
    static <T> T read(String what, Json recorded, Supplier<T> reading) {
        try {
            long version = recorded.get("v").map(Json::asLong).orElseThrow();
            if (version > VERSION) {
                throw JournalException.corrupt("this " + what + " was written in form " + version
                        + "; this version of Belay reads forms up to " + VERSION, null);
            }
            return reading.get();
        } catch (JsonException | IllegalArgumentException | NoSuchElementException | DateTimeException e) {
            throw JournalException.corrupt("this is no record of a " + what + ": " + recorded, e);
        }
    }

    static Json field(Json record, String name) {
        return record.get(name).orElseThrow();
    }

    static String text(Json record, String name) {
        return field(record, name).asString();
    }

    static Optional<String> optionalText(Json record, String name) {
        return record.get(name).map(Json::asString);
    }
}
