package dev.belay.tests.kill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A worker, from outside: a process that obeys lines, answers in lines, and can be killed. */
public final class WorkerProcess implements AutoCloseable {

    private final Process process;
    private final PrintWriter commands;
    private final BufferedReader says;

    /**
     * Starts one and waits until it is ready.
     *
     * @param main its main class; is given the file and the port
     */
    public WorkerProcess(Class<?> main, Path file, int port) throws IOException {
        this(main, file.toString(), port);
    }

    /**
     * Starts one on any store and waits until it is ready.
     *
     * @param store names the store to the worker, which is given this text and the port
     */
    WorkerProcess(Class<?> main, String store, int port) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path",
                System.getProperty("java.class.path"));
        process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", ParentWatch.option(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "-cp",
                classPath, main.getName(), store, Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        says = process.inputReader(StandardCharsets.UTF_8);
        String first = hear();
        if (!first.equals("ready")) {
            throw new IOException("the worker said " + first);
        }
    }

    public void tell(String command) {
        commands.println(command);
    }

    public String hear() throws IOException {
        String line = says.readLine();
        if (line == null) {
            throw new IOException("the worker died by itself");
        }
        return line;
    }

    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks it to end, by {@code SIGTERM}. */
    void terminate() {
        process.destroy();
    }

    long pid() {
        return process.pid();
    }

    int exit() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        kill();
    }
}
