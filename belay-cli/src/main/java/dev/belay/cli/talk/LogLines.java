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

    /** A text of an event; empty if it has none. */
    static String text(Json event, String field) {
        return event.get(field)
                .filter(value -> value.kind() == Json.Kind.STRING)
                .map(Json::asString)
                .orElse("");
    }
}
