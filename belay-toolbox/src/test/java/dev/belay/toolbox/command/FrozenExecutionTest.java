package dev.belay.toolbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.toolbox.Calls;
import dev.belay.toolbox.KeyedContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was approved is what runs: a program, launcher, directory or rule that changes while a call waits ends the call. */
class FrozenExecutionTest {

    private static final Map<String, String> HOST = Map.of("PATH", "/usr/bin:/bin", "HOME", "/home/x");

    @TempDir
    Path root;

    private Path tools;

    @BeforeEach
    void files() throws IOException {
        tools = Files.createDirectories(root.resolve("tools"));
        permit(tools, "rwxr-xr-x");
        script(root.resolve("deploy.sh"), "echo dry run");
        script(tools.resolve("deploy"), "echo dry run");
        declare("[\"deploy\", \"--dry-run\"]", "");
    }

    private static void script(Path path, String body) throws IOException {
        permit(Files.writeString(path, "#!/bin/sh\ntouch ran\n" + body + "\n"), "rwxr-xr-x");
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private void declare(String command, String more) throws IOException {
        permit(Files.writeString(tools.resolve("deploy.json"),
                "{\"name\": \"deploy\", \"description\": \"Deploys.\", "
                        + "\"command\": " + command + ", \"input\": {\"type\": \"object\"}" + more + "}"),
                "rw-r--r--");
    }

    private ToolProvider commands(CommandRules rules) {
        return CommandTools.of(root, rules, HOST);
    }

    private ToolProvider project() {
        return ProjectTools.load(tools, root, HOST);
    }

    /** The prepared call, run by a provider of later. */
    private PreparedCall prepared(ToolProvider provider, Object... arguments) throws Exception {
        ToolDefinition definition = provider.definitions().getFirst();
        Arguments.Valid valid = Arguments.require(definition, Json.of(Calls.json(arguments)));
        Json payload = provider.prepare(new PrepareCall(definition, CallId.of(0, 0), valid)).payload();
        return new PreparedCall(definition, valid, payload, KeyedContext.of(definition));
    }

    private void mismatch(ToolProvider later, PreparedCall call, String what) {
        assertThatThrownBy(() -> later.execute(call)).isInstanceOfSatisfying(ToolException.class, e -> {
            assertThat(e.code()).isEqualTo("prepared_tool_mismatch");
            assertThat(e.getMessage()).contains(what);
        });
        assertThat(root.resolve("ran")).doesNotExist();
    }

    @Test
    void whatHasNotChangedRuns() throws Exception {
        ToolProvider commands = commands(CommandRules.DEFAULT);
        assertThat(commands.execute(prepared(commands, "command", "./deploy.sh"))).isEqualTo("dry run\n");
        assertThat(project().execute(prepared(project()))).isEqualTo(Json.string("dry run\n"));
    }

    @Test
    void aScriptThatACommandNamesMayNotChange() throws Exception {
        for (String line : new String[]{"./deploy.sh --prod", "sh deploy.sh", "cd . && ./deploy.sh",
            "sh \"deploy.sh\""}) {
            ToolProvider commands = commands(CommandRules.DEFAULT);
            script(root.resolve("deploy.sh"), "echo dry run");
            PreparedCall call = prepared(commands, "command", line);
            script(root.resolve("deploy.sh"), "echo delete all");
            mismatch(commands, call, "deploy.sh\" has changed");
        }
    }

    @Test
    void aScriptThatACommandQuotesInPartMayNotChange() throws Exception {
        for (String line : new String[]{"./deploy.'sh'", "\"./dep\"loy.sh", "sh ./deploy\\.sh",
            "./dep\\\nloy.sh"}) {
            ToolProvider commands = commands(CommandRules.DEFAULT);
            script(root.resolve("deploy.sh"), "echo dry run");
            PreparedCall call = prepared(commands, "command", line);
            script(root.resolve("deploy.sh"), "echo delete all");
            mismatch(commands, call, "deploy.sh\" has changed");
        }
    }

    @Test
    void theLauncherMayNotChange() throws Exception {
        PreparedCall call = prepared(commands(CommandRules.DEFAULT.through("/usr/bin/env", "-i")), "command",
                "touch ran");
        mismatch(commands(CommandRules.DEFAULT), call,
                "the command line that would be executed is another one");
    }

    @Test
    void aShellMayNotTakeThePlaceOfARuleWithoutOne() throws Exception {
        PreparedCall call = prepared(commands(CommandRules.DEFAULT.only("touch")), "command", "touch ran");
        mismatch(commands(CommandRules.DEFAULT), call,
                "the command line that would be executed is another one");
    }

    @Test
    void aScriptOfTheLauncherMayNotChangeWhereverItStands(@TempDir Path host) throws Exception {
        Path sandbox = host.resolve("sandbox");
        script(sandbox, "exec \"$@\"");
        for (String[] launcher : new String[][]{{sandbox.toString()}, {"/bin/sh", sandbox.toString()}}) {
            script(sandbox, "exec \"$@\"");
            ToolProvider commands = commands(CommandRules.DEFAULT.through(launcher));
            PreparedCall call = prepared(commands, "command", "touch ran");
            script(sandbox, "exec sudo \"$@\"");
            mismatch(commands, call, "sandbox\" has changed");
        }
    }

    @Test
    void theProgramBehindALauncherMayNotChange(@TempDir Path host) throws Exception {
        Path program = host.resolve("deploy");
        script(program, "echo dry run");
        ToolProvider commands = commands(
                CommandRules.DEFAULT.only(program.toString()).through("/usr/bin/env", "-i"));
        PreparedCall call = prepared(commands, "command", program.toString());
        script(program, "echo delete all");
        mismatch(commands, call, "deploy\" has changed");
    }

    @Test
    void aScriptIsFoundBehindAnyNumberOfWords() throws Exception {
        String words = IntStream.range(0, 2000).mapToObj(at -> "a" + at).collect(Collectors.joining(" "));
        ToolProvider commands = commands(CommandRules.DEFAULT);
        PreparedCall call = prepared(commands, "command", ": " + words + "; sh deploy.sh");
        script(root.resolve("deploy.sh"), "echo delete all");
        mismatch(commands, call, "deploy.sh\" has changed");
    }

    @Test
    void aCommandThatNamesTooManyFilesIsRefusedBeforeAnybodyIsAsked() throws Exception {
        for (int at = 0; at < 1001; at++) {
            Files.createFile(root.resolve("f" + at));
        }
        String words = IntStream.range(0, 1001).mapToObj(at -> "f" + at).collect(Collectors.joining(" "));
        assertThatThrownBy(() -> prepared(commands(CommandRules.DEFAULT), "command", "cat " + words))
                .isInstanceOfSatisfying(ToolException.class,
                        e -> assertThat(e.code()).isEqualTo("bad_command"));
    }

    @Test
    void theDirectoryMayNotChange(@TempDir Path other) throws Exception {
        PreparedCall call = prepared(commands(CommandRules.DEFAULT), "command", "touch ran");
        mismatch(CommandTools.of(other, CommandRules.DEFAULT, HOST), call, "the directory is another one");
        assertThat(other.resolve("ran")).doesNotExist();
    }

    @Test
    void variablesAndTimesMayNotChange() throws Exception {
        PreparedCall call = prepared(commands(CommandRules.DEFAULT), "command", "touch ran");
        mismatch(commands(CommandRules.DEFAULT.inherit("TOKEN")), call, "its variables or its time limit");
        mismatch(commands(CommandRules.DEFAULT.variable("MODE", "prod")), call,
                "its variables or its time limit");
        mismatch(commands(CommandRules.DEFAULT.times(Duration.ofMinutes(9), Duration.ofMinutes(10))), call,
                "its variables or its time limit");
    }

    @Test
    void anotherShellOfThePersonIsNoChange() throws Exception {
        PreparedCall call = prepared(CommandTools.of(root, CommandRules.DEFAULT, Map.of("LANG", "C")),
                "command",
                "echo same");
        assertThat(commands(CommandRules.DEFAULT).execute(call)).isEqualTo("same\n");
    }

    @Test
    void aRefusedCommandIsRefusedBeforeAnybodyIsAsked() {
        assertThatThrownBy(() -> prepared(commands(CommandRules.DEFAULT.only("ls")), "command", "rm -rf ."))
                .isInstanceOfSatisfying(ToolException.class,
                        e -> assertThat(e.code()).isEqualTo("command_not_allowed"));
    }

    @Test
    void theProgramOfAProjectToolMayNotChange() throws Exception {
        PreparedCall call = prepared(project());
        script(tools.resolve("deploy"), "echo delete all");
        mismatch(project(), call, "deploy\" has changed");
    }

    @Test
    void theFixedArgumentsOfAProjectToolMayNotChange() throws Exception {
        PreparedCall call = prepared(project());
        declare("[\"deploy\", \"--prod\", \"--delete-all\"]", "");
        mismatch(project(), call, "the command line that would be executed is another one");
    }

    @Test
    void aProgramThatIsNotTheOneThatWasLoadedIsRefusedUntilItIsLoadedAgain() throws Exception {
        ToolProvider loaded = project();
        script(tools.resolve("deploy"), "echo another");
        assertThatThrownBy(() -> prepared(loaded)).isInstanceOfSatisfying(ToolException.class, e -> {
            assertThat(e.code()).isEqualTo("project_tool_unusable");
            assertThat(e.getMessage()).contains("load the tools again");
        });
        assertThat(project().execute(prepared(project()))).isEqualTo(Json.string("another\n"));
    }

    @Test
    void fingerprintsChangeWithWhatIsExecuted() throws Exception {
        String project = fingerprint(project());
        script(tools.resolve("deploy"), "echo another");
        String program = fingerprint(project());
        declare("[\"deploy\"]", "");
        String arguments = fingerprint(project());
        declare("[\"deploy\"]", ", \"timeout\": 7");
        assertThat(fingerprint(project())).isNotIn(project, program, arguments);
        assertThat(arguments).isNotIn(project, program);
        assertThat(program).isNotEqualTo(project);
        assertThat(fingerprint(commands(CommandRules.DEFAULT)))
                .isEqualTo(fingerprint(commands(CommandRules.DEFAULT)))
                .isNotEqualTo(fingerprint(commands(CommandRules.DEFAULT.through("/usr/bin/env"))))
                .isNotEqualTo(fingerprint(commands(CommandRules.DEFAULT.variable("MODE", "prod"))))
                .isNotEqualTo(fingerprint(CommandTools.of(tools, CommandRules.DEFAULT, HOST)));
    }

    private static String fingerprint(ToolProvider provider) {
        return Objects.requireNonNull(provider.definitions().getFirst().fingerprint().value());
    }
}
