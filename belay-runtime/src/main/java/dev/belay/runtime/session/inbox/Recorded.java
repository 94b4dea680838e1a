package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.effect.JournalException;
import java.time.DateTimeException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads records of sessions. A record that cannot be read is {@code journal_corrupt}, whatever its fault. */
public final class Recorded {

    /** The form that is written today. */
    public static final long VERSION = 1;

    /** Written in place of an unpaired surrogate: models say it, and JSON cannot. */
    public static final char HALF = '\ufffd';

    private Recorded() {}

    public static <T> T read(String what, Json recorded, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (JsonException | IllegalArgumentException | NoSuchElementException | DateTimeException e) {
            throw JournalException.corrupt("this is no record of the " + what + ": " + recorded, e);
        } catch (BelayException e) {
            if (e instanceof JournalException) {
                throw e;
            }
            throw JournalException.corrupt("this is no record of the " + what + ": " + recorded, e);
        }
    }

    /** Refuses a record of a later form. */
    public static void version(String what, Json recorded) {
        long version = field(recorded, "v").asLong();
        if (version > VERSION) {
            throw JournalException.corrupt("this " + what + " was written in form " + version
                    + "; this version of Belay reads forms up to " + VERSION, null);
        }
    }

    public static Json field(Json record, String name) {
        return record.get(name).orElseThrow();
    }

    public static String text(Json record, String name) {
        return field(record, name).asString();
    }

    public static @Nullable String optionalText(Json record, String name) {
        return record.get(name).map(Json::asString).orElse(null);
    }

    public static List<Json> items(Json record, String name) {
        return record.get(name).map(Json::items).orElse(List.of());
    }
}
