package dev.belay.toolbox.command;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Range;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.toolbox.workspace.WorkspaceDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * {@code run_command}: one command in the workspace, without input, with an environment of its own and a time limit. Belay does
 * not confine commands: they have the rights of the user of this process. {@link CommandRules#only} and
 * {@link CommandRules#through} restrict them. Thread-safe.
 */
public final class CommandTools implements ToolProvider {

    private static final OutputBudget BUDGET = new OutputBudget(40 << 10, 2000, OutputBudget.Keep.BOTH);
    /** Added to the longest time, so that the tool's own time limit comes first; its message says more. */
    private static final Duration SLACK = Duration.ofSeconds(10);

    private final Path workspace;
    private final CommandRules rules;
    private final Map<String, String> host;
    private final ThreadFactory threads;
    private final List<ToolDefinition> definitions;

    @Tool(effect = ToolEffect.ONCE, scheduling = Scheduling.SERIAL, tags = "command")
    @Description("Runs a command in the workspace and answers with what it wrote and its exit code. It gets no input. Everything it "
            + "started is ended with it.")
    record RunCommand(
            @Description("the command line") @Length(min = 1, max = 20_000) String command,
            @Description("seconds it may take; left out: what is usual here") @Range(min = 1, max = 86_400) OptionalInt seconds)
            implements
                ToolInput<String> {}

    private CommandTools(Path workspace, CommandRules rules, Map<String, String> host,
            ThreadFactory threads) {
        this.workspace = WorkspaceDirectory.demand(workspace);
        this.rules = rules;
        this.host = Map.copyOf(host);
        this.threads = threads;
        definitions = List.of(ToolDefinition.of(RunCommand.class)
                .budget(BUDGET)
                .timeouts(new Timeouts(rules.longest().plus(SLACK), null))
                .hints(new BehaviorHints(false, true, false, true))
                .reconciler(new DeadHost("the command"))
                .target(rules.hash(this.workspace))
                .preview(in -> preview(in.get("command").orElseThrow().asString())));
    }

    /** Commands in a directory; {@code bad_workspace} if the path is no directory. */
    public static CommandTools in(Path workspace, CommandRules rules) {
        return of(workspace, rules, System.getenv());
    }

    static CommandTools of(Path workspace, CommandRules rules, Map<String, String> host) {
        return of(workspace, rules, host, ProgramRun.THREADS);
    }

    static CommandTools of(Path workspace, CommandRules rules, Map<String, String> host,
            ThreadFactory threads) {
        return new CommandTools(workspace, rules, host, threads);
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    /** Freezes what would be executed. A command that is refused is refused here, before anybody is asked about it. */
    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) {
        OptionalInt seconds = call.arguments()
                .get("seconds")
                .filter(given -> !given.isNull())
                .map(given -> OptionalInt.of(given.asInt()))
                .orElse(OptionalInt.empty());
        Execution execution = execution(call.arguments().get("command").orElseThrow().asString(), seconds);
        try {
            return call.freeze(execution.freeze());
        } catch (IOException e) {
            throw CommandRefusal.notStarted(execution.words().getFirst(), e);
        }
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return run(call.input(RunCommand.class), call.payload().orElse(Json.NULL), call.context());
    }

    private Execution execution(String line, OptionalInt seconds) {
        Duration most = seconds.isPresent() ? Duration.ofSeconds(seconds.getAsInt()) : rules.usual();
        return new Execution(command(line), workspace, rules.environment(host), rules,
                most.compareTo(rules.longest()) > 0 ? rules.longest() : most);
    }

    private String run(RunCommand in, Json prepared, ToolContext context) throws InterruptedException {
        Execution execution = execution(in.command(), in.seconds());
        List<String> command = execution.words();
        Duration most = execution.most();
        ProgramRun.Ended ended;
        try {
            execution.demand(prepared);
            ended = ProgramRun
                    .run(new ProgramRun.Program(context.idempotencyKey().value(), command, workspace,
                            execution.environment(), "", most), threads, context.cancellation());
        } catch (ProgramStreams.LostException e) {
            throw CommandRefusal.outputLost(command.getFirst(), e);
        } catch (IOException e) {
            throw CommandRefusal.notStarted(command.getFirst(), e);
        }
        if (ended.timedOut()) {
            throw CommandRefusal.timedOut(most, rules.shown(worded(ended)));
        }
        return rules.shown(worded(ended));
    }

    /** The program and its arguments as they are executed, the launcher and the shell included. */
    private String preview(String line) {
        try {
            return "runs " + CommandWords.line(command(line));
        } catch (ToolException refused) {
            return "runs nothing: " + refused.failure().message();
        }
    }

    private List<String> command(String line) {
        if (line.indexOf('\0') >= 0) {
            throw CommandRefusal.badCommand("it contains a NUL character");
        }
        List<String> command = new ArrayList<>(rules.launcher());
        if (rules.programs().isEmpty()) {
            command.addAll(List.of("/bin/sh", "-c", line));
            return command;
        }
        List<String> words = CommandWords.of(line);
        if (!rules.programs().contains(words.getFirst())) {
            throw CommandRefusal.notAllowed(words.getFirst(), rules.programs());
        }
        command.addAll(words);
        return command;
    }

    private static String worded(ProgramRun.Ended ended) {
        StringBuilder out = new StringBuilder(ended.out().text());
        if (ended.err().seen() > 0) {
            line(out).append("[stderr]\n").append(ended.err().text());
        }
        if (ended.exit() > 0) {
            line(out).append("[exit code ").append(ended.exit()).append("]\n");
        }
        if (ended.leftBehind() > 0 && !ended.timedOut()) {
            line(out).append("[")
                    .append(ended.leftBehind())
                    .append(" processes were still running and were ended]\n");
        }
        return out.toString();
    }

    private static StringBuilder line(StringBuilder out) {
        if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
        return out;
    }
}
