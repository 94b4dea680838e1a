package dev.belay.cli.settings;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection each time: a command lives for seconds, and a store keeps the connections that it has. Thread-safe.
 *
 * @param url of a database
 * @param user or null
 * @param password or null
 */
record UrlSource(String url, @Nullable String user, @Nullable String password) implements DataSource {

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(user, password);
    }

    @Override
    public Connection getConnection(@Nullable String as, @Nullable String with) throws SQLException {
        var properties = new Properties();
        if (as != null) {
            properties.setProperty("user", as);
        }
        if (with != null) {
            properties.setProperty("password", with);
        }
        return DriverManager.getConnection(url, properties);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("this source logs nothing");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this source wraps no " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "UrlSource";
    }
}
