package dev.belay.store.jdbc.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
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
