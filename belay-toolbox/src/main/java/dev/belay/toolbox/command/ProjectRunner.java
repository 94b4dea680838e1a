package dev.belay.toolbox.command;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.schema.Shown;
import dev.belay.tool.context.Cancellation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/**
 * Runs the programs of a project's tools. Thread-safe.
 *
 * @param directory where they are
 * @param workspace where they run
 * @param host the environment of this process
 * @param threads makes the threads that wait for output; they must not be virtual
 */
record ProjectRunner(Path directory, Path workspace, Map<String, String> host, ThreadFactory threads) {

    /** The limit of an answer that must be JSON, which is kept whole. */
    private static final int LARGEST_JSON = 1 << 20;

    /**
     * Runs a program of a tool: the arguments are its input.
     *
     * @param command the executable in the directory, and fixed arguments
     * @param key the idempotency key of the call
     * @param mark names the run among processes
     */
    ProgramRun.Ended run(ToolFile file, List<String> command, Json arguments, String key, String mark,
            Cancellation cancellation) throws InterruptedException {
        Map<String, String> environment = new LinkedHashMap<>(CommandRules.DEFAULT.environment(host));
        environment.putAll(file.variables(key));
        String executable = command.getFirst();
        try {
            List<String> words = new ArrayList<>(command);
            words.set(0, ToolFile.executable(directory, executable).toString());
            var program = new ProgramRun.Program(mark, words, workspace, environment, arguments.compact(),
                    file.most());
            return isJson(file)
                    ? ProgramRun.run(program, LARGEST_JSON, threads, cancellation)
                    : ProgramRun.run(program, threads, cancellation);
        } catch (IllegalArgumentException e) {
            throw CommandRefusal.projectToolChanged(file.definition().name(), String.valueOf(e.getMessage()));
        } catch (ProgramStreams.LostException e) {
            throw CommandRefusal.outputLost(executable, e);
        } catch (IOException e) {
            throw CommandRefusal.notStarted(executable, e);
        }
    }

    private static boolean isJson(ToolFile file) {
        return file.definition().contract().output() != null;
    }

    /** The result that a program has written: JSON if the tool declares a schema for it, else text. */
    static Json result(ToolFile file, HeadTail out) {
        if (!isJson(file)) {
            return Json.string(Shown.output(out.text()));
        }
        String name = file.definition().name();
        if (!out.isWhole()) {
            throw CommandRefusal.badAnswer(name, "it has " + out.seen() + " bytes, at most " + LARGEST_JSON
                    + " are read");
        }
        try {
            return Json.foreign(out.text(), JsonLimits.DEFAULT);
        } catch (JsonException e) {
            throw CommandRefusal.badAnswer(name,
                    "it declares an output schema but wrote no JSON: " + e.getMessage());
        }
    }
}
