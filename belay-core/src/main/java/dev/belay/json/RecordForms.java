package dev.belay.json;

import java.util.ServiceLoader;

/** Finds how records are read and written, which is decided above this package: by the shapes of their types. Thread-safe. */
public abstract class RecordForms {

    private static final class Holder {
        private static final RecordForms FOUND = ServiceLoader
                .load(RecordForms.class, RecordForms.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("belay-core is not whole: its service of "
                        + RecordForms.class.getName()
                        + " is missing; keep META-INF/services when you repackage it"));
    }

    /** Made by the service loader. */
    protected RecordForms() {}

    /** Reads and writes the values of one type. */
    public interface Form {

        /** Reads a value; {@link JsonMismatchException} with every place that does not fit. */
        Object read(Json json);

        /** Writes a value. */
        void write(JsonWriter out, Object value);
    }

    /** How a record is read and written; {@code unsupported_type} if it is no plain record. */
    protected abstract Form form(Class<?> type);

    static Form of(Class<?> type) {
        return Holder.FOUND.form(type);
    }
}
