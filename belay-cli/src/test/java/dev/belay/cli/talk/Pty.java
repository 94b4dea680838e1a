package dev.belay.cli.talk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command in a real pseudo-terminal, by {@code script} of util-linux. */
final class Pty implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The cursor is visible. */
    private static final String CURSOR = "\u001b[?25h";

    private final Process process;
    private final StringBuilder seen = new StringBuilder();
    private int from;
    private boolean hasEnded;

    /** Starts the command in a terminal of so many columns. */
    Pty(Path directory, int columns, String... arguments) throws IOException {
        this(directory, columns, Map.of(), arguments);
    }

    /** The same, with further variables. */
    Pty(Path directory, int columns, Map<String, String> environment, String... arguments)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = "stty rows 24 cols " + columns + "; exec env --default-signal=INT " + java // which a background job ignores
                + " --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dbelay.terminals=012"
                + " -cp '" + System.getProperty("java.class.path") + "' dev.belay.cli.Main "
                + String.join(" ", arguments);
        var builder = new ProcessBuilder(List.of("script", "-qefc", command, "/dev/null"))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("HOME", directory.resolve("home").toString());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("USER", "anna");
        builder.environment()
                .keySet()
                .removeAll(List.of("COLUMNS", "EDITOR", "VISUAL", "NO_COLOR", "BELAY_THEME", "COLORFGBG",
                        "TERM_PROGRAM"));
        builder.environment().putAll(environment);
        process = builder.start();
        Thread.ofVirtual().start(this::read);
    }

    /** Why there is no pseudo-terminal here; empty if there is. */
    static String missing() {
        return Files.isExecutable(Path.of("/usr/bin/script"))
                ? ""
                : "there is no /usr/bin/script on this machine";
    }

    private void read() {
        byte[] bytes = new byte[4_096];
        try (InputStream screen = process.getInputStream()) {
            for (int count = screen.read(bytes); count >= 0; count = screen.read(bytes)) {
                synchronized (seen) {
                    seen.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
                    seen.notifyAll();
                }
            }
        } catch (IOException closed) {
            // the same as its end
        }
        synchronized (seen) {
            hasEnded = true;
            seen.notifyAll();
        }
    }

    /** Waits until a text has appeared behind the last one that was waited for. */
    Pty await(String text) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (seen) {
            while (seen.indexOf(text, from) < 0) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0 || hasEnded) {
                    throw new AssertionError("no \"" + text + "\" on the terminal; it has:\n" + seen);
                }
                seen.wait(left);
            }
            from = seen.indexOf(text, from) + text.length();
        }
        return this;
    }

    /** Waits until a question has appeared and takes an answer: the cursor is behind it. */
    Pty question(String text) throws InterruptedException {
        return await(text).await(CURSOR);
    }

    /** Sends a signal to the command. */
    Pty signal(String name) throws IOException, InterruptedException {
        long command = process.descendants()
                .filter(one -> one.info().command().filter(path -> path.endsWith("/java")).isPresent())
                .findFirst()
                .orElseThrow()
                .pid();
        new ProcessBuilder("kill", "-" + name, Long.toString(command)).start().waitFor();
        return this;
    }

    /** Gives the terminal another width. */
    Pty resize(int columns) throws IOException, InterruptedException {
        ProcessHandle command = process.descendants()
                .filter(one -> one.info().command().filter(path -> path.endsWith("/java")).isPresent())
                .findFirst()
                .orElseThrow();
        String terminal = Files.readSymbolicLink(Path.of("/proc/" + command.pid() + "/fd/0")).toString();
        new ProcessBuilder("stty", "-F", terminal, "cols", Integer.toString(columns)).start().waitFor();
        return this;
    }

    /** Types keys. */
    Pty type(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return this;
    }

    /** The exit code of the command. */
    int exit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the command has not ended; the terminal has:\n" + screen());
        }
        return process.exitValue();
    }

    /** Everything that was on the terminal. */
    String screen() {
        synchronized (seen) {
            return seen.toString();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
