package dev.belay.runtime.store.journal;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonReader;
import dev.belay.runtime.effect.JournalException;
import java.time.DateTimeException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads records back. A record that cannot be read is {@code journal_corrupt}, whatever is wrong with it. Records that carry a
 * version are read if it is not later than {@link #VERSION}.
 */
public final class RecordReader {

    /** The version that is written today. */
    public static final long VERSION = 1;
    /** Written in place of an unpaired surrogate: models say it, and JSON cannot. */
    public static final char HALF = '\ufffd';

    private RecordReader() {}

    /**
     * Reads a record without looking at its version.
     *
     * @param what the kind of record, for the message
     */
    public static <T> T read(String what, Json recorded, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (JournalException e) {
            throw e;
        } catch (BelayException | IllegalArgumentException | NoSuchElementException | ArithmeticException
                | DateTimeException e) {
            throw JournalException.corrupt("this is no record of a " + what + ": " + recorded, e);
        }
    }

    /** Reads a record that carries its version. */
    public static <T> T versioned(String what, Json recorded, Supplier<T> reading) {
        return read(what, recorded, () -> {
            version(what, recorded);
            return reading.get();
        });
    }

    /**
     * Reads a record of strings and whole numbers without building a tree.
     *
     * @param names of the fields, the first of which is the version
     */
    public static <T> T scan(String what, Json recorded, String[] names, Function<Fields, T> reading) {
        return read(what, recorded, () -> {
            Fields fields = recorded.as(in -> Fields.read(in, names));
            requireKnown(what, fields.number(0));
            return reading.apply(fields);
        });
    }

    /** Refuses a record of a later version. */
    public static void version(String what, Json recorded) {
        requireKnown(what, field(recorded, "v").asLong());
    }

    private static void requireKnown(String what, long version) {
        if (version > VERSION) {
            throw JournalException.corrupt("this " + what + " was written in form " + version
                    + "; this version of Belay reads forms up to " + VERSION, null);
        }
    }

    /** A field that a record must have. */
    public static Json field(Json recorded, String name) {
        return recorded.get(name).orElseThrow();
    }

    /** A string that a record must have. */
    public static String text(Json recorded, String name) {
        return field(recorded, name).asString();
    }

    /** A string that a record may have, or null. */
    public static @Nullable String optionalText(Json recorded, String name) {
        return recorded.get(name).map(Json::asString).orElse(null);
    }

    /** The items of a list; none if the record has no such field. */
    public static List<Json> items(Json recorded, String name) {
        return recorded.get(name).map(Json::items).orElse(List.of());
    }

    /** The fields of a scanned record by the positions of their names. Unknown fields are skipped. */
    public static final class Fields {

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

        /** Whether there is a value at a position. */
        public boolean has(int at) {
            return texts[at] != null || numeric[at];
        }

        /** The string at a position. */
        public String text(int at) {
            String text = texts[at];
            if (text == null) {
                throw new NoSuchElementException("no text at field " + at);
            }
            return text;
        }

        /** The number at a position. */
        public long number(int at) {
            if (!numeric[at]) {
                throw new NoSuchElementException("no number at field " + at);
            }
            return numbers[at];
        }
    }
}
