package dev.belay.testkit;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Silences the log of the runtime while processes die because a test wants it, so that a test that passes prints no stack trace. Knows the
 * loggers of slf4j-simple, Logback and {@code java.util.logging}; others go on. Several threads may do so at
 * once; the last one restores the levels. Thread-safe.
 */
public final class QuietLog {

    static final String ROOT = "dev.belay";
    /** Loggers of the runtime; slf4j-simple has no levels of parents. */
    static final List<String> NAMES = List.of("catalog", "dispatch", "generated", "history", "output",
            "plugin", "policy",
            "process", "runtime", "runtime.effect", "session", "tool", "tool.hook", "turn");
    private static final int OFF = 50;
    private static final List<Runnable> RESTORE = new ArrayList<>();
    private static int open;

    private QuietLog() {}

    /** What is done without a log. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {

        /** Does it. */
        T run() throws E;
    }

    /** Silences the log while some work is done; its result. */
    public static <T, E extends Exception> T during(Work<T, E> work) throws E {
        synchronized (RESTORE) {
            if (open++ == 0) {
                silence();
            }
        }
        try {
            return work.run();
        } finally {
            synchronized (RESTORE) {
                if (--open == 0) {
                    RESTORE.forEach(Runnable::run);
                    RESTORE.clear();
                }
            }
        }
    }

    private static void silence() {
        Logger root = LoggerFactory.getLogger(ROOT);
        try {
            switch (root.getClass().getName()) {
                case "org.slf4j.simple.SimpleLogger" -> {
                    for (String name : NAMES) {
                        silenceSimple(LoggerFactory.getLogger(ROOT + "." + name));
                    }
                }
                case "ch.qos.logback.classic.Logger" -> silenceLogback(root);
                default -> {
                    java.util.logging.Logger logger = java.util.logging.Logger.getLogger(ROOT);
                    java.util.logging.Level before = logger.getLevel();
                    logger.setLevel(java.util.logging.Level.OFF);
                    RESTORE.add(() -> logger.setLevel(before));
                }
            }
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            // a version with other fields goes on logging, which harms no test
        }
    }

    private static void silenceSimple(Logger logger) throws ReflectiveOperationException {
        Field level = logger.getClass().getDeclaredField("currentLogLevel");
        level.setAccessible(true);
        int before = level.getInt(logger);
        level.setInt(logger, OFF);
        RESTORE.add(() -> {
            try {
                level.setInt(logger, before);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("the level of " + logger.getName() + " could be set before",
                        e);
            }
        });
    }

    private static void silenceLogback(Logger logger) throws ReflectiveOperationException {
        Class<?> levels = Class.forName("ch.qos.logback.classic.Level", true,
                logger.getClass().getClassLoader());
        var set = logger.getClass().getMethod("setLevel", levels);
        Object before = logger.getClass().getMethod("getLevel").invoke(logger);
        set.invoke(logger, levels.getField("OFF").get(null));
        RESTORE.add(() -> {
            try {
                set.invoke(logger, before);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the level of " + ROOT + " could be set before", e);
            }
        });
    }
}
