package dev.belay.store.jdbc.rows;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Table;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.tool.context.Incarnation;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read: values and their checksum. It is decoded when it is first asked for, by the thread that asks.
 *
 * @param <R> the row
 */
public final class StoredRow<R> {

    private static final int NULL = 0;
    private static final int TEXT = 1;
    private static final int NUMBER = 2;
    private static final int BYTES = 3;

    private final Table<R> table;
    private final @Nullable Object[] values;
    private final long crc;
    private @Nullable R row;

    private StoredRow(Table<R> table, @Nullable Object[] values, long crc) {
        this.table = table;
        this.values = values;
        this.crc = crc;
    }

    /** Reads the row that a result set stands on, from a column on: those of the table, then the checksum. */
    static <R> StoredRow<R> read(Table<R> table, ResultSet from, int first) throws SQLException {
        return read(table, from, first, text -> text);
    }

    /**
     * Reads the row that a result set stands on.
     *
     * @param first the number of its first column; the checksum is behind the last one
     * @param decode makes a text of a stored text
     */
    public static <R> StoredRow<R> read(Table<R> table, ResultSet from, int first,
            UnaryOperator<String> decode) throws SQLException {
        List<Table.Column> columns = table.columns();
        @Nullable
        Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (columns.get(i).type()) {
                case TEXT, MOMENT, JSON -> {
                    String text = from.getString(first + i);
                    yield text == null ? null : decode.apply(text);
                }
                case NUMBER -> {
                    long number = from.getLong(first + i);
                    yield from.wasNull() ? null : (Long) number;
                }
                case BYTES -> from.getBytes(first + i);
            };
        }
        return new StoredRow<>(table, values, from.getLong(first + values.length));
    }

    /** The values of a row as they are stored: those of its columns, then the checksum. */
    public static <R> @Nullable Object[] write(Table<R> table, R row) {
        @Nullable
        Object[] values = table.values(row);
        @Nullable
        Object[] stored = new @Nullable Object[values.length + 1];
        for (int i = 0; i < values.length; i++) {
            stored[i] = stored(values[i]);
        }
        stored[values.length] = checksum(table, stored, values.length);
        return stored;
    }

    /** A value as it is stored: a {@link String}, a {@link Long}, bytes or null. */
    public static @Nullable Object stored(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> text;
            case Number number -> number.longValue();
            case Boolean flag -> flag ? 1L : 0L;
            case Instant moment -> Moments.text(moment);
            case Json json -> json.text();
            case byte[] bytes -> bytes;
            case Enum<?> word -> word.name();
            case Incarnation bits -> bits.toString();
            default -> throw new IllegalArgumentException("no column holds " + value);
        };
    }

    static long checksum(Table<?> table, @Nullable Object[] stored, int count) {
        var crc = new CRC32C();
        byte[] head = new byte[1 + Long.BYTES];
        add(crc, head, TEXT, table.name().getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < count; i++) {
            switch (stored[i]) {
                case null -> crc.update(NULL);
                case String text -> add(crc, head, TEXT, text.getBytes(StandardCharsets.UTF_8));
                case Long number -> addHead(crc, head, NUMBER, number);
                case byte[] bytes -> add(crc, head, BYTES, bytes);
                default -> throw new IllegalArgumentException("no column holds " + stored[i]);
            }
        }
        return crc.getValue();
    }

    private static void add(CRC32C crc, byte[] head, int type, byte[] bytes) {
        addHead(crc, head, type, bytes.length);
        crc.update(bytes);
    }

    private static void addHead(CRC32C crc, byte[] head, int type, long number) {
        head[0] = (byte) type;
        for (int i = 0; i < Long.BYTES; i++) {
            head[1 + i] = (byte) (number >>> (Byte.SIZE * i));
        }
        crc.update(head);
    }

    /**
     * Which columns have other values in a row that is to be stored, one bit for each. A write leaves the others alone, and with
     * them the pages of every index that has none of these columns.
     */
    long changed(@Nullable Object[] stored) {
        long changed = 0;
        for (int i = 0; i < values.length; i++) {
            if (!Objects.deepEquals(values[i], stored[i])) {
                changed |= 1L << i;
            }
        }
        return changed;
    }

    /** Whether a row that is to be stored has other values only in columns of numbers. */
    public boolean differsInNumbersAlone(@Nullable Object[] stored) {
        long changed = changed(stored);
        for (int i = 0; i < values.length; i++) {
            if ((changed & 1L << i) != 0 && table.columns().get(i).type() != Table.Type.NUMBER) {
                return false;
            }
        }
        return true;
    }

    /** Where it stands, as the file says. */
    public Key key() {
        return new Key(table, String.valueOf(values[0]), table.keys() == 1 ? null : values[1]);
    }

    /**
     * The row.
     *
     * @throws JournalException {@code journal_corrupt} if it differs from what was written
     */
    R row() {
        R decoded = row;
        if (decoded == null) {
            decoded = decode();
            row = decoded;
        }
        return decoded;
    }

    private R decode() {
        if (checksum(table, values, values.length) != crc) {
            throw corrupt("its checksum differs", null);
        }
        try {
            @Nullable
            Object[] decoded = values.clone();
            for (int i = 0; i < decoded.length; i++) {
                if (decoded[i] instanceof String text) {
                    switch (table.columns().get(i).type()) {
                        case MOMENT -> decoded[i] = Moments.instant(text);
                        case JSON -> decoded[i] = Json.of(text);
                        default -> {
                        }
                    }
                }
            }
            return table.row(decoded);
        } catch (RuntimeException e) {
            throw corrupt(String.valueOf(e.getMessage()), e);
        }
    }

    private JournalException corrupt(String why, @Nullable Throwable cause) {
        return JournalException.corrupt("the row " + Arrays.asList(values).subList(0, table.keys())
                + " of the table " + table + " is damaged: " + why + ". Restore it from a backup",
                cause);
    }
}
