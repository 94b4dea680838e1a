package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the log of a session, or one of {@code abcb}. Stateless. */
final class LogLines {

    private static final Set<String> KINDS = Set.of("user_message", "model_response", "tool_result",
            "tool_denied",
            "final_answer", "turn_ended");

    private LogLines() {}

    /**
     * The lines of a log.
     *
     * @param lenient leaves out what cannot be read instead of refusing the log
     */
    static List<Json> read(Path file, boolean lenient) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw CommandProblem.notFound("there is no log " + file);
        }
        List<Json> read = new ArrayList<>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1);
            if (line.isBlank()) {
                continue;
            }
            try {
                read.add(event(line));
            } catch (JsonException | IllegalArgumentException wrong) {
                if (!lenient) {
                    throw new CommandProblem(ExitCode.USAGE, file + ":" + number + ": "
                            + (number == lines.size() ? "the last line is torn or wrong: " : "")
                            + wrong.getMessage() + "; --lenient leaves such lines out");
                }
            }
        }
        return read;
    }

    private static Json event(String line) {
        Json event = Json.of(line);
        String kind = event.kind() == Json.Kind.OBJECT ? event.peekText("kind") : null;
        if (kind == null || !KINDS.contains(kind)) {
            throw new IllegalArgumentException("no event of a known kind: " + kind);
        }
        return event;
    }

    /** A line about all of a log: how the last turn ended, and what was done. Logs of {@code abcb} do not say how they ended. */
    static String summary(List<Json> events) {
        List<String> tools = new ArrayList<>();
        List<String> denied = new ArrayList<>();
        int rounds = 0;
        int failed = 0;
        String status = "not ended";
        for (Json event : events) {
            String tool = text(event, "tool_name");
            switch (text(event, "kind")) {
                case "model_response" -> rounds++;
                case "final_answer" -> status = "completed";
                case "tool_denied" -> denied.add(tool);
                case "tool_result" -> {
                    tools.add(tool);
                    String code = text(event, "code");
                    failed += code.isEmpty() ? 0 : 1;
                    if (code.equals("rejected") || code.equals("approval_denied")) {
                        denied.add(tool);
                    }
                }
                case "turn_ended" -> status = event.at("/result/end").map(Json::compact).orElse(status);
                default -> {
                }
            }
        }
        return "status: " + status + ", rounds: " + rounds + ", calls: " + tools + ", failed: " + failed
                + ", denied: "
                + denied;
    }

    /** A text of an event; empty if it has none. */
    static String text(Json event, String field) {
        return event.get(field)
                .filter(value -> value.kind() == Json.Kind.STRING)
                .map(Json::asString)
                .orElse("");
    }
}
