package dev.belay.tests.plugin;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What one logger says while a test listens. The logger of the tests has no method that sets its level. */
public final class HeardLog implements AutoCloseable {

    private final String name;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private final int before;

    private HeardLog(String name, Level level) throws ReflectiveOperationException {
        this.name = name;
        before = field(name).getInt(LoggerFactory.getLogger(name));
        field(name).setInt(LoggerFactory.getLogger(name), level.toInt());
        System.setErr(new PrintStream(heard, true, StandardCharsets.UTF_8));
    }

    public static HeardLog of(String name, Level level) throws ReflectiveOperationException {
        return new HeardLog(name, level);
    }

    private static Field field(String name) throws ReflectiveOperationException {
        Field level = LoggerFactory.getLogger(name).getClass().getDeclaredField("currentLogLevel");
        level.setAccessible(true);
        return level;
    }

    /** The lines so far, from a word on that each of them has. */
    public List<String> from(String word) {
        return heard.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(word))
                .map(line -> line.substring(line.indexOf(word)))
                .toList();
    }

    @Override
    public void close() throws ReflectiveOperationException {
        System.setErr(err);
        field(name).setInt(LoggerFactory.getLogger(name), before);
    }
}
