package dev.belay.benchmarks.durable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** SQLite without Belay: one small row for each commit, from one thread, with the settings of Belay's store. */
final class BareInserts implements AutoCloseable {

    /** About what the record of a call has. */
    private static final String VALUE = "x".repeat(300);

    private final Connection connection;
    private final PreparedStatement insert;
    private int rows;

    BareInserts(Path file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = full");
            statement.execute("create table row (scope text, key text, value text, primary key (scope, key))"
                    + " without rowid");
        }
        connection.setAutoCommit(false);
        insert = connection.prepareStatement("insert into row values ('batch', ?, ?)");
    }

    /** Commits so many; how many a second. */
    double rate(int commits) throws SQLException {
        long start = System.nanoTime();
        for (int i = 0; i < commits; i++) {
            insert.setString(1, "call/" + rows++);
            insert.setString(2, VALUE);
            insert.executeUpdate();
            connection.commit();
        }
        return commits / ((System.nanoTime() - start) / 1e9);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
