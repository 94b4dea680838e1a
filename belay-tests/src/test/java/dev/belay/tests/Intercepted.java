package dev.belay.tests;

import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts somebody between a runtime and its store, who sees each operation and may answer it himself. */
public final class Intercepted {

    private Intercepted() {}

    /** Goes on to what is really there. */
    @FunctionalInterface
    public interface Real {
        @Nullable
        Object call() throws Throwable;
    }

    /** Who stands between. */
    @FunctionalInterface
    public interface Between {

        /**
         * Answers an operation.
         *
         * @param what the name of a write, {@code begin} before it if its answer is a {@link Pending}; for a read that word and what is read, by
         *        table and parent or by index; {@code version}, {@code close}
         * @param real goes on
         */
        @Nullable
        Object at(String what, Real real) throws Throwable;
    }

    /** Who stands before an object of an interface. */
    @FunctionalInterface
    public interface Before {

        /**
         * Answers a call.
         *
         * @param method its name
         * @param real goes on
         */
        @Nullable
        Object at(String method, Real real) throws Throwable;
    }

    /** An object of an interface with somebody before it. */
    public static <T> T of(Class<T> type, T real, Before before) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method,
                arguments) -> before.at(method.getName(), () -> invoke(method, real, arguments))));
    }

    @SuppressWarnings("NullAway") // as reflection has it
    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A store with somebody before its rows. */
    public static Store store(Store real, Between between) {
        return real.through(commits -> new Watched(commits, between));
    }

    private static final class Watched extends ForwardingCommits {

        private final Between between;

        Watched(Commits commits, Between between) {
            super(commits);
            this.between = between;
        }

        @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"}) // the test knows what its operation answers
        private <T extends @Nullable Object> T at(String what, Real real) {
            try {
                return (T) between.at(what, real);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public <T extends @Nullable Object> T apply(Operation<T> operation) {
            return at(String.valueOf(operation.name()), () -> super.apply(operation));
        }

        @Override
        public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
            List<Pending<T>> begun = new ArrayList<>();
            operations.forEach(operation -> begun.add(at("begin " + operation.name(),
                    () -> super.submit(List.of(operation)).getFirst())));
            return begun;
        }

        @Override
        public <T extends @Nullable Object> T read(Operation<T> read) {
            var named = new ArrayList<Selector<?>>();
            read.first().accept(named);
            return at("read " + named.stream().map(Watched::name).collect(Collectors.joining(", ")),
                    () -> super.read(read));
        }

        private static String name(Selector<?> selector) {
            return switch (selector) {
                case Selector.One<?> one -> one.table().name() + " " + one.parent();
                case Selector.Of<?> of -> of.table().name() + " " + of.parent();
                case Selector.All<?> all -> all.table().name();
                case Selector.Found<?> found ->
                    found.index().name() + (found.until() == null ? "" : " until");
            };
        }

        @Override
        public long version() {
            return this.<Long>at("version", super::version);
        }

        @Override
        public void close() {
            at("close", () -> {
                super.close();
                return true;
            });
        }
    }
}
