package dev.belay.toolbox.command;

import dev.belay.json.FramedHash;
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
import java.util.Locale;
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

    /** The programs of a tool. */
    enum Part {
        COMMAND, RECONCILE;

        List<String> of(ToolFile file) {
            return this == COMMAND ? file.command() : file.reconcile();
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The names of a run.
     *
     * @param key the idempotency key of the call
     * @param mark names the run among processes
     */
    record Names(String key, String mark) {}

    /** What a prepared call keeps of both programs of a tool; {@code project_tool_unusable} if they are not those that were loaded. */
    Json freeze(ToolFile file) {
        try {
            Json now = both(file);
            if (!hash(now).equals(file.target())) {
                throw CommandRefusal.projectToolChanged(file.definition().name(),
                        "its program has changed since it was loaded; load the tools again to use what stands there now");
            }
            return now;
        } catch (IllegalArgumentException | IOException e) {
            throw CommandRefusal.projectToolChanged(file.definition().name(), String.valueOf(e.getMessage()));
        }
    }

    /** A hash of all that calls of a tool execute. */
    String hash(ToolFile file) throws IOException {
        return hash(both(file));
    }

    private static String hash(Json executed) {
        return new FramedHash().add("belay-project-tool-1").add(executed.canonical()).hex();
    }

    private Json both(ToolFile file) throws IOException {
        Map<String, Json> parts = new LinkedHashMap<>();
        for (Part part : Part.values()) {
            if (!part.of(file).isEmpty()) {
                parts.put(part.key(), execution(file, part, "").freeze());
            }
        }
        return Json.object(parts);
    }

    private Execution execution(ToolFile file, Part part, String key) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(CommandRules.DEFAULT.environment(host));
        environment.putAll(file.variables(key));
        List<String> words = new ArrayList<>(part.of(file));
        words.set(0, ToolFile.executable(directory, words.getFirst()).toString());
        return new Execution(words, workspace, environment, CommandRules.DEFAULT, file.most());
    }

    /**
     * Runs a program of a tool: the arguments are its input.
     *
     * @param prepared what {@link #freeze} kept when the call was prepared
     */
    ProgramRun.Ended run(ToolFile file, Part part, Json prepared, Json arguments, Names names,
            Cancellation cancellation) throws InterruptedException {
        String executable = part.of(file).getFirst();
        try {
            Execution execution = execution(file, part, names.key());
            execution.demand(prepared.get(part.key()).orElse(Json.NULL));
            var program = new ProgramRun.Program(names.mark(), execution.words(), workspace,
                    execution.environment(), arguments.compact(), file.most());
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
