package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A second process that runs {@link ChildMain}. Ends with the test, at the latest when this process does. */
final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;

    private ChildJvm(Process process) {
        this.process = process;
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    static ChildJvm start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /** Starts one through another command, which gets the command line at its end. */
    static ChildJvm start(List<String> through, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(through);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ChildMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ChildJvm(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Waits for the next line. */
    String line() {
        try {
            return String.valueOf(out.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Sends a signal, such as CONT. */
    void signal(String name) throws IOException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().onExit().join();
    }

    void goOn() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    int exit() throws InterruptedException {
        return process.waitFor();
    }

    void ends() throws InterruptedException {
        assertThat(process.waitFor()).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
