package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonReader;
import dev.belay.runtime.effect.JournalException;
import java.time.DateTimeException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads records back. Every record carries the version of its form, and a later version reads what an earlier one wrote. */
public final class RecordedJson {

    /** The version that is written today. */
    public static final long VERSION = 1;

    private RecordedJson() {}

    /** Reads a record; {@code journal_corrupt} if it is none, or one of a later version. */
    public static <T> T read(String what, Json recorded, Supplier<T> reading) {
        try {
            requireKnown(what, recorded.get("v").map(Json::asLong).orElseThrow());
            return reading.get();
        } catch (JsonException | IllegalArgumentException | NoSuchElementException | DateTimeException e) {
            throw JournalException.corrupt("this is no record of a " + what + ": " + recorded, e);
        }
    }

    /**
     * The same for a record of strings and whole numbers, read without a tree.
     *
     * @param names of the fields, the first of which is the version
     */
    static <T> T scan(String what, Json recorded, String[] names, Function<Fields, T> reading) {
        try {
            Fields fields = recorded.as(in -> Fields.read(in, names));
            requireKnown(what, fields.number(0));
            return reading.apply(fields);
        } catch (JsonException | IllegalArgumentException | NoSuchElementException | ArithmeticException e) {
            throw JournalException.corrupt("this is no record of a " + what + ": " + recorded, e);
        }
    }

    private static void requireKnown(String what, long version) {
        if (version > VERSION) {
            throw JournalException.corrupt("this " + what + " was written in form " + version
                    + "; this version of Belay reads forms up to " + VERSION, null);
        }
    }

    /** The fields of a record by the places of their names; those that are not known are left out. */
    static final class Fields {

        private final @Nullable String[] texts;
        private final long[] numbers;
        private final boolean[] numeric;

        private Fields(int count) {
            texts = new @Nullable String[count];
            numbers = new long[count];
            numeric = new boolean[count];
        }

        private static Fields read(JsonReader in, String[] names) {
            var fields = new Fields(names.length);
            in.beginObject();
            for (int at = in.nextName(names); at != JsonReader.END; at = in.nextName(names)) {
                if (at == JsonReader.UNKNOWN) {
                    in.readJson();
                } else if (in.peek() == Json.Kind.NUMBER) {
                    fields.numbers[at] = in.readLong();
                    fields.numeric[at] = true;
                } else {
                    fields.texts[at] = in.readString();
                }
            }
            return fields;
        }

        boolean has(int at) {
            return texts[at] != null || numeric[at];
        }

        public String text(int at) {
            String text = texts[at];
            if (text == null) {
                throw new NoSuchElementException("no text at field " + at);
            }
            return text;
        }

        long number(int at) {
            if (!numeric[at]) {
                throw new NoSuchElementException("no number at field " + at);
            }
            return numbers[at];
        }
    }

    public static Json field(Json record, String name) {
        return record.get(name).orElseThrow();
    }

    public static String text(Json record, String name) {
        return field(record, name).asString();
    }

    public static Optional<String> optionalText(Json record, String name) {
        return record.get(name).map(Json::asString);
    }
}
