package dev.belay.cli.talk;

import dev.belay.cli.settings.CommandAgent;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.WorkspaceTools;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.Verb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnCall;
import dev.belay.schema.Shown;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay replay}. */
@Command(name = "replay", header = "Print the log of a session; with --verify, check it.", description = {"",
    "A log is .belay/sessions/ID/events.jsonl; logs of abcb are read too. --verify gives the recorded answers of the model"
            + " to the loop once more and compares the calls that come out. No body of a tool runs: each call gets its"
            + " recorded result. The exit code is 1 if something differs."})
final class ReplayVerb extends Verb {

    private static final int LINE = 200;

    @Parameters(paramLabel = "FILE", description = "The log.")
    private Path file = Path.of("");

    @Option(names = "--verify", description = "Compare the calls.")
    private boolean verify;

    @Option(names = "--summary", description = "Print one line about all of it instead.")
    private boolean summary;

    @Option(names = "--lenient", description = "Leave out lines that cannot be read.")
    private boolean lenient;

    @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {
        "The workspace whose tools are compared.",
        "Default: the nearest directory upwards with a belay.toml or a .belay."})
    private @Nullable Path workspace;

    @Override
    public Integer call() throws Exception {
        List<Json> events = LogLines.read(shell().directory().resolve(file), lenient);
        if (verify) {
            return verified(events);
        }
        if (summary) {
            shell().out().line(LogLines.summary(events));
            return ExitCode.DONE;
        }
        int number = 1;
        for (Json event : events) {
            shell().out().remark("[" + number++ + "] " + LogLines.text(event, "kind") + ": " + words(event));
        }
        return ExitCode.DONE;
    }

    private static String words(Json event) {
        String tool = Shown.name(LogLines.text(event, "tool_name"));
        return switch (LogLines.text(event, "kind")) {
            case "tool_result" -> tool + ": " + Shown.inLine(LogLines.text(event, "output"), LINE);
            case "tool_denied" -> tool;
            case "turn_ended" -> event.at("/result/end").map(Json::compact).orElse("");
            default -> Shown.inLine(LogLines.text(event, "content"), LINE);
        };
    }

    /** What a call was, without what a second run may change. */
    private record Called(String tool, String arguments, String code) {}

    private int verified(List<Json> events) throws IOException, InterruptedException {
        List<String> kinds = events.stream().map(event -> LogLines.text(event, "kind")).toList();
        if (kinds.contains("model_response")
                && kinds.lastIndexOf("turn_ended") < kinds.lastIndexOf("user_message")) {
            throw CommandProblem
                    .notPossible("the last turn of this log has not ended: it waits, or its process"
                            + " died; end it with 'belay resume SESSION', then verify the log");
        }
        String script = events.stream()
                .filter(event -> LogLines.text(event, "kind").equals("model_response"))
                .map(event -> event.get("step")
                        .orElseThrow(() -> CommandProblem.notPossible(
                                "this log does not have the whole answers of the model, as logs of abcb; it can be"
                                        + " printed, not verified"))
                        .text())
                .collect(Collectors.joining("\n"));
        // in the order of the model; a process that went on has told some of them twice
        Map<String, Json> ended = new TreeMap<>();
        events.stream()
                .filter(event -> LogLines.text(event, "kind").equals("tool_result"))
                .forEach(event -> ended.put(place(event), event));
        List<Called> recorded = new ArrayList<>();
        Map<String, Deque<Json>> results = new HashMap<>();
        ended.values().forEach(event -> {
            var called = new Called(LogLines.text(event, "tool_name"), LogLines.text(event, "arguments"),
                    LogLines.text(event, "code"));
            recorded.add(called);
            if (!called.code().equals("invalid_arguments")) {
                results.computeIfAbsent(key(called.tool(), called.arguments()),
                        key -> new ConcurrentLinkedDeque<>())
                        .add(event);
            }
        });
        List<Called> again = again(events, script, results);
        for (int i = 0; i < Math.max(recorded.size(), again.size()); i++) {
            String before = i < recorded.size() ? recorded.get(i).toString() : "no call";
            String now = i < again.size() ? again.get(i).toString() : "no call";
            if (!before.equals(now)) {
                shell().err()
                        .remark("belay: call " + (i + 1) + " differs.\n  recorded: "
                                + Shown.inLine(before, LINE)
                                + "\n  now:      " + Shown.inLine(now, LINE));
                return ExitCode.FAILED;
            }
        }
        shell().out().line("verified: " + again.size() + " calls");
        return ExitCode.DONE;
    }

    private static String place(Json event) {
        var place = new StringBuilder();
        for (String part : List.of("turn", "round", "index")) {
            place.append(String.format("%019d/", event.get(part).map(Json::asLong).orElse(0L)));
        }
        return place.toString();
    }

    private static String key(String tool, String arguments) {
        try {
            return tool + " " + Json.of(arguments).canonical();
        } catch (JsonException notJson) {
            return tool + " " + arguments;
        }
    }

    /** Runs the turns with recorded answers and results, in memory. */
    private List<Called> again(List<Json> events, String script, Map<String, Deque<Json>> results)
            throws InterruptedException {
        AgentWorkspace found = AgentWorkspace.of(shell(), workspace);
        Settings settings = Settings.of(shell(), found);
        List<ToolDefinition> defined;
        try (WorkspaceTools tools = WorkspaceTools.of(shell(), found, settings)) {
            defined = new ArrayList<>(tools.definitions());
            defined.addAll(CommandAgent.tools());
        }
        var tools = StaticToolProvider.of(defined,
                call -> result(results.get(key(call.name(), call.arguments().text()))));
        List<Called> calls = new ArrayList<>();
        try (Belay belay = Belay.builder()
                .model(ScriptedModel.fromJsonl(new StringReader(script)))
                .tools(tools)
                .build()) {
            Session session = belay.session("replay");
            long turn = 0;
            for (Json event : events) {
                if (LogLines.text(event, "kind").equals("user_message")) {
                    session.turn(LogLines.text(event, "content")).queue().run();
                    turn++;
                    for (TurnCall call : session.calls(turn)) {
                        calls.add(new Called(call.tool(), call.arguments(),
                                call.outcome().flatMap(outcome -> outcome.code()).orElse("")));
                    }
                }
            }
        }
        return calls;
    }

    /** The recorded result of a call. */
    private static Json result(@Nullable Deque<Json> recorded) {
        Json next = recorded == null ? null : recorded.poll();
        if (next == null) {
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "no_recorded_result",
                    "the log has no result for this call"));
        }
        String code = LogLines.text(next, "code");
        if (!code.isEmpty()) {
            throw new ToolException(
                    ToolFailure.of(ToolFailure.Kind.EXTERNAL, code, LogLines.text(next, "output")));
        }
        return Json.string(LogLines.text(next, "output"));
    }
}
