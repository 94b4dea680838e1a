package dev.belay.store.jdbc.file;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection and the statements prepared on it, which are kept. Confined to the thread that opened it. */
public final class Database implements AutoCloseable {

    /** Makes a value of the row that a result set stands on. */
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private final Map<String, PreparedStatement> kept = new HashMap<>();

    Database(Connection connection) {
        this.connection = connection;
    }

    /** Runs text that is used once; it may hold several statements. */
    void script(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Runs a statement without values or rows. */
    public void run(String sql) throws SQLException {
        with(sql, PreparedStatement::execute);
    }

    /** Changes rows; how many. */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        return with(sql, PreparedStatement::executeUpdate, values);
    }

    public <T> List<T> list(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
        return with(sql, statement -> {
            List<T> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(row.read(rows));
                }
            }
            return found;
        }, values);
    }

    public <T> @Nullable T first(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
        return this.<@Nullable T>with(sql, statement -> {
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? row.read(rows) : null;
            }
        }, values);
    }

    /** The number in the first column of the first row; 0 if there is no row. */
    public long number(String sql, @Nullable Object... values) throws SQLException {
        Long found = first(sql, row -> row.getLong(1), values);
        return found == null ? 0 : found;
    }

    private interface Use<R extends @Nullable Object> {
        R of(PreparedStatement statement) throws SQLException;
    }

    /** Uses a kept statement. One that fails is not kept: the driver has closed it, and says so only at the next use. */
    private <R extends @Nullable Object> R with(String sql, Use<R> use, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = kept.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            kept.put(sql, statement);
        }
        try {
            bind(statement, values);
            return use.of(statement);
        } catch (SQLException | RuntimeException e) {
            kept.remove(sql);
            try {
                statement.close();
            } catch (SQLException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case null -> statement.setNull(i + 1, Types.NULL);
                case String text -> statement.setString(i + 1, text);
                case Long number -> statement.setLong(i + 1, number);
                case Integer number -> statement.setInt(i + 1, number);
                case Boolean flag -> statement.setInt(i + 1, flag ? 1 : 0);
                case byte[] bytes -> statement.setBytes(i + 1, bytes);
                default -> throw new IllegalArgumentException("no column holds " + values[i]);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
