package dev.belay.benchmarks.durable;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process of this program, which prints one line. Closing it kills it, as {@code kill -9} does. */
final class Child implements AutoCloseable {

    private static final int SECONDS = 120;

    private final long start = System.nanoTime();
    private final Process process;
    private final BufferedReader says;
    private final Thread guard;

    /** Starts {@link ChildMain} with these arguments. */
    Child(String job, Path folder) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-Xmx512m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp",
                        System.getProperty("java.class.path"), ChildMain.class.getName(), job,
                        folder.toString()));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        says = process.inputReader(StandardCharsets.UTF_8);
        guard = Thread.ofVirtual().start(this::killWhenItHangs);
    }

    private void killWhenItHangs() {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    /** Waits for the line; fails if the process ends without one. */
    String line() throws IOException {
        String line = says.readLine();
        if (line == null) {
            throw new IOException("the process ended without a word, or took longer than " + SECONDS + " s");
        }
        return line;
    }

    /** Milliseconds since this process was started. */
    double millis() {
        return (System.nanoTime() - start) / 1e6;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        guard.interrupt();
    }
}
