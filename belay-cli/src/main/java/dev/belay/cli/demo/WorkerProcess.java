package dev.belay.cli.demo;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A worker in a process of its own. Confined to one thread. */
final class WorkerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader says;

    WorkerProcess(Path home) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                        "-Xlog:disable", "-Xlog:all=off"));
        String archive = System.getProperty("belay.archive", "");
        if (!archive.isEmpty()) {
            command.add(archive);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), DemoWorker.class.getName(),
                home.toString()));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        says = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The next thing that it says. */
    Json next() throws IOException {
        String line = says.readLine();
        if (line == null) {
            throw new CommandProblem(ExitCode.FAILED,
                    "the worker of the demo has ended by itself, with exit code "
                            + process.onExit().join().exitValue() + "; its last words are above");
        }
        return Json.of(line);
    }

    long id() {
        return process.pid();
    }

    /** Kills it as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
