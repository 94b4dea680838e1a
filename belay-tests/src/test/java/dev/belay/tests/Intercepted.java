package dev.belay.tests;

import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.journal.Journal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

/** Puts somebody between a runtime and its store, who sees each call and may answer it himself. */
public final class Intercepted {

    private Intercepted() {}

    /** Goes on to what is really there. */
    @FunctionalInterface
    public interface Real {
        Object call() throws Throwable;
    }

    /** Who stands between. */
    @FunctionalInterface
    public interface Between {

        /**
         * Answers a call.
         *
         * @param method its name
         * @param arguments what it is given
         * @param real goes on
         */
        Object at(String method, List<?> arguments, Real real) throws Throwable;
    }

    /** An object of an interface with somebody before it. */
    public static <T> T of(Class<T> type, T real, Between between) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (proxy, method, arguments) -> between.at(method.getName(),
                        arguments == null ? List.of() : Arrays.asList(arguments),
                        () -> invoke(method, real, arguments))));
    }

    /** A store with somebody before it and before its journal. */
    public static SessionStore store(SessionStore real, Between between) {
        Journal journal = of(Journal.class, real.journal(), between);
        return of(SessionStore.class, real, (method, arguments, further) -> method.equals("journal")
                ? journal
                : between.at(method, arguments, further));
    }

    @SuppressWarnings("NullAway") // as reflection has it
    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
