package dev.belay.store.jdbc.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements that go to the server together and cost one round trip. Each sees what was committed when it begins, and none runs behind
 * one that has failed. Confined to one thread.
 */
final class Pipeline {

    /** Reads the row that a result set stands on. */
    interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /**
     * An array of values.
     *
     * @param type of the elements, as PostgreSQL names it
     * @param values the elements
     */
    @SuppressWarnings("ArrayRecordComponent") // it is not compared
    record ArrayOf(String type, @Nullable Object[] values) {}

    private final StringBuilder sql = new StringBuilder();
    private final List<Object> values = new ArrayList<>();
    private final List<@Nullable RowReader> readers = new ArrayList<>();

    /** Adds a statement whose rows do not matter. */
    Pipeline add(String statement, Object... bound) {
        return add(statement, null, List.of(bound));
    }

    /** Adds a statement. */
    Pipeline add(String statement, @Nullable RowReader reader, List<?> bound) {
        if (!sql.isEmpty()) {
            sql.append("; ");
        }
        sql.append(statement);
        values.addAll(bound);
        readers.add(reader);
        return this;
    }

    void run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
            for (int i = 0; i < values.size(); i++) {
                bind(connection, statement, i + 1, values.get(i));
            }
            boolean hasRows = statement.execute();
            for (RowReader reader : readers) {
                if (hasRows && reader != null) {
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) {
                            reader.read(rows);
                        }
                    }
                }
                hasRows = statement.getMoreResults();
            }
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int at, Object value)
            throws SQLException {
        switch (value) {
            case String text -> statement.setString(at, StoredText.encode(text));
            case Long number -> statement.setLong(at, number);
            case Boolean flag -> statement.setBoolean(at, flag);
            case ArrayOf array -> statement.setArray(at, array(connection, array));
            default -> throw new IllegalArgumentException("no parameter holds " + value);
        }
    }

    private static Array array(Connection connection, ArrayOf array) throws SQLException {
        @Nullable
        Object[] elements = switch (array.type) {
            case "bytea" -> new byte[array.values.length][];
            case "bigint" -> new Long[array.values.length];
            default -> new String[array.values.length];
        };
        for (int i = 0; i < elements.length; i++) {
            elements[i] = array.values[i] instanceof String text
                    ? StoredText.encode(text)
                    : array.values[i];
        }
        return connection.createArrayOf(array.type, elements);
    }
}
