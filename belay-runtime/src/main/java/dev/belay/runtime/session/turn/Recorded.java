package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads records of sessions; see {@link RecordReader}. */
public final class Recorded {

    /** The form that is written today. */
    public static final long VERSION = RecordReader.VERSION;

    private Recorded() {}

    public static <T> T read(String what, Json recorded, Supplier<T> reading) {
        return RecordReader.read(what, recorded, reading);
    }

    public static void version(String what, Json recorded) {
        RecordReader.version(what, recorded);
    }

    public static Json field(Json record, String name) {
        return RecordReader.field(record, name);
    }

    public static String text(Json record, String name) {
        return RecordReader.text(record, name);
    }

    public static @Nullable String optionalText(Json record, String name) {
        return RecordReader.optionalText(record, name);
    }

    static List<Json> items(Json record, String name) {
        return RecordReader.items(record, name);
    }
}
