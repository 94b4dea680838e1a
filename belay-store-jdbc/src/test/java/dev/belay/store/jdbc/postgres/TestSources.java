package dev.belay.store.jdbc.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Data sources and connections that a test watches or harms. */
final class TestSources {

    /** Sees a call before it is made, or refuses it. */
    interface Watching {
        void before(String method, @Nullable Object[] arguments) throws SQLException;
    }

    private TestSources() {}

    /** A source whose connections tell of each statement before it runs. */
    static DataSource watched(DataSource source, Consumer<String> each) {
        return changed(source, connection -> changed(connection, (method, arguments) -> {
            if (method.equals("prepareStatement")) {
                each.accept(String.valueOf(arguments[0]));
            }
        }));
    }

    /** A source whose connections prepare other statements than they are asked to. */
    static DataSource restated(DataSource source, UnaryOperator<String> statement) {
        return changed(source, connection -> changed(connection, (method, arguments) -> {
            if (method.equals("prepareStatement") && arguments[0] instanceof String sql) {
                arguments[0] = statement.apply(sql);
            }
        }));
    }

    /**
     * A source whose connections run a statement and then break, before its reply has arrived.
     *
     * @param breaks asked after each statement
     */
    static DataSource losingReplies(DataSource source, BooleanSupplier breaks) {
        return changed(source, connection -> proxy(Connection.class, (self, method, arguments) -> {
            Object made = invoke(connection, method, arguments);
            return made instanceof PreparedStatement statement
                    ? proxy(PreparedStatement.class, (same, called, values) -> {
                        Object answer = invoke(statement, called, values);
                        if (called.getName().equals("execute") && breaks.getAsBoolean()) {
                            connection.abort(Runnable::run);
                            throw new SQLException("the reply was lost by the test", "08006");
                        }
                        return answer;
                    })
                    : made;
        }));
    }

    /** A source whose server says that it is of another version. */
    static DataSource ofVersion(DataSource source, int major) {
        return changed(source, connection -> proxy(Connection.class, (self, method, arguments) -> {
            Object made = invoke(connection, method, arguments);
            return made instanceof DatabaseMetaData real
                    ? proxy(DatabaseMetaData.class,
                            (same, called, values) -> called.getName().equals("getDatabaseMajorVersion")
                                    ? (Object) major
                                    : invoke(real, called, values))
                    : made;
        }));
    }

    /** A source that gives other connections than the real ones. */
    static DataSource changed(DataSource source, UnaryOperator<Connection> change) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            Object made = invoke(source, method, arguments);
            return made instanceof Connection connection ? change.apply(connection) : made;
        });
    }

    /** A connection whose calls are watched. */
    static Connection changed(Connection connection, Watching watching) {
        return proxy(Connection.class, (self, method, arguments) -> {
            watching.before(method.getName(), arguments == null ? new Object[0] : arguments);
            return invoke(connection, method, arguments);
        });
    }

    private static @Nullable Object invoke(Object target, Method method,
            @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
