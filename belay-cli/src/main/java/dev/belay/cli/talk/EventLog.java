package dev.belay.cli.talk;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log of a session, one JSON object per line, written at once: what the user said, what the model answered, what came of calls, and
 * how the turn ended. An export for people and {@code belay replay}; the database is the truth. Thread-safe.
 *
 * <p>Answers come from the thread of the turn, results from the thread that tells events, which may be slower than the model. So an answer
 * waits here until the results before it are told: the log has the order of the conversation.
 */
final class EventLog {

    private final Path file;
    private final Clock clock;
    private final Deque<Answer> held = new ArrayDeque<>();
    private int unended;

    /**
     * An answer of the model that has not been written.
     *
     * @param calls how many it has
     * @param fields of its line
     */
    private record Answer(int calls, Consumer<JsonWriter> fields) {}

    private EventLog(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    /** The log of a session of a workspace. */
    static EventLog of(AgentWorkspace workspace, String session, Clock clock) {
        Path file = file(workspace, session);
        OwnFiles.makeDirectory(file.resolveSibling(""));
        return new EventLog(file, clock);
    }

    /**
     * Where the log of a session is.
     *
     * @throws CommandProblem if it is behind a link: what a pull has put there may lead to any file of the user
     */
    static Path file(AgentWorkspace workspace, String session) {
        Path sessions = workspace.own().resolve("sessions");
        Path directory = sessions.resolve(fileName(session));
        Path file = directory.resolve("events.jsonl");
        for (Path part : List.of(sessions, directory, file)) {
            if (Files.isSymbolicLink(part)) {
                throw CommandProblem.notPossible("the log " + file + " is not used, because " + part
                        + " is a link, which no command has made; remove it");
            }
        }
        return file;
    }

    /** A session may be named as no file can be. */
    private static String fileName(String session) {
        var name = new StringBuilder();
        for (byte b : session.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_' || (c == '.' && !name.isEmpty());
            name.append(plain ? String.valueOf(c) : String.format("%%%02x", (int) c));
        }
        return name.toString();
    }

    /** Adds an answer of the model, once the calls of the one before have ended. */
    synchronized void answer(int calls, Consumer<JsonWriter> fields) {
        held.add(new Answer(calls, fields));
        release();
    }

    /** Adds what came of a call. */
    synchronized void result(Consumer<JsonWriter> fields) {
        write("tool_result", fields);
        unended--;
        release();
    }

    private void release() {
        while (unended <= 0 && !held.isEmpty()) {
            Answer next = held.remove();
            write("model_response", next.fields());
            unended = next.calls();
        }
    }

    /** Adds a line behind all others. */
    synchronized void add(String kind, Consumer<JsonWriter> fields) {
        unended = 0;
        while (!held.isEmpty()) {
            write("model_response", held.remove().fields());
        }
        write(kind, fields);
    }

    private void write(String kind, Consumer<JsonWriter> fields) {
        String line = Json.write(out -> {
            out.beginObject().name("at").value(clock.millis()).name("kind").value(kind);
            fields.accept(out);
            out.endObject();
        }).text();
        try {
            OwnFiles.append(file, line + "\n", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED,
                    "the log " + file + " cannot be written (" + e.getMessage()
                            + "); make room on the disk, or check its permissions");
        }
    }
}
