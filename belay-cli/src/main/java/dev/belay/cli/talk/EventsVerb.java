package dev.belay.cli.talk;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.Verb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay events}. */
@Command(name = "events", header = "Print the events of a session as JSON, one per line; with --follow as they come.", description = {
    "",
    "They are those of .belay/sessions/ID/events.jsonl, which commands write while they run turns. 'belay replay' prints them for"
            + " people."})
final class EventsVerb extends Verb {

    private static final long LOOK_MILLIS = 200;

    @Parameters(paramLabel = "SESSION", description = "Which.")
    private String session = "";

    @Option(names = {"-f",
        "--follow"}, description = "Wait for more until the turn that is told last has ended.")
    private boolean follow;

    @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
        "Default: the nearest directory upwards with a belay.toml or a .belay."})
    private @Nullable Path workspace;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path file = EventLog.file(AgentWorkspace.of(shell(), workspace), session);
        if (!Files.exists(file)) {
            throw CommandProblem.notFound("no command has written events of session \"" + session
                    + "\"; 'belay sessions show' reads its database");
        }
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file))) {
            var line = new ByteArrayOutputStream();
            boolean ended = false;
            while (true) {
                int next = bytes.read();
                if (next >= 0) {
                    line.write(next);
                }
                if (next == '\n') {
                    String whole = line.toString(StandardCharsets.UTF_8);
                    shell().out().print(whole);
                    ended = isEnd(whole);
                    line.reset();
                }
                if (next < 0 && (!follow || ended)) {
                    return ExitCode.DONE;
                }
                if (next < 0) {
                    Thread.sleep(LOOK_MILLIS);
                }
            }
        }
    }

    private static boolean isEnd(String line) {
        try {
            return "turn_ended".equals(Json.of(line).peekText("kind"));
        } catch (JsonException torn) {
            return false;
        }
    }
}
