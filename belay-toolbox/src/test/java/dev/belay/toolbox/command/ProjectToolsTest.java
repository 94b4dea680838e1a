package dev.belay.toolbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the "project tools without a rebuild": arguments on stdin, result on stdout, deadline, exit code. */
@Timeout(60)
class ProjectToolsTest {

    @TempDir
    Path root;

    private Path tools;

    @BeforeEach
    void makeDirectory() throws IOException {
        tools = Files.createDirectories(root.resolve(".belay/tools"));
        permit(tools, "rwxr-xr-x");
        script("run", "cat");
    }

    private void script(String name, String body) throws IOException {
        permit(Files.writeString(tools.resolve(name), "#!/bin/sh\n" + body + "\n"), "rwxr-xr-x");
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private void manifest(String file, String text) throws IOException {
        permit(Files.writeString(tools.resolve(file), text), "rw-r--r--");
    }

    private void tool(String name, String executable, String more) throws IOException {
        manifest(name + ".json",
                """
                        {"name": "%s", "description": "Does %s.", "command": ["%s", "fixed argument"]%s,
                         "input": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}
                        """
                        .formatted(name, name, executable, more));
    }

    private ProjectTools load() {
        return ProjectTools.load(tools, root);
    }

    @Test
    void argumentsGoInAndTheResultComesOut() throws IOException {
        script("weather", "read -r line; echo \"got $line and $1 in $(pwd)\"");
        tool("weather", "weather", "");
        assertThat(new Calls(load()).text("weather", "city", "Bern")).isEqualTo(
                "got {\"city\":\"Bern\"} and fixed argument in " + root.toRealPath() + "\n");
        assertThat(new Calls(load()).code("weather")).isEqualTo("invalid_arguments");
    }

    @Test
    void declarationsAreTaken() throws IOException {
        tool("a", "run", ", \"effect\": \"read\", \"timeout\": 5");
        tool("b", "run", "");
        ToolDefinition a = load().definitions().getFirst();
        assertThat(a.manifest().effect()).isEqualTo(ToolEffect.READ);
        assertThat(a.manifest().description()).isEqualTo("Does a.");
        assertThat(load().definitions().getLast().manifest().effect()).isEqualTo(ToolEffect.ONCE);
        assertThat(a.preview().orElseThrow().of(Json.of("{\"city\": \"x\"}")))
                .isEqualTo("runs the project's a: " + tools.toRealPath().resolve("run")
                        + " 'fixed argument'\nwith the input {\"city\":\"x\"}");
    }

    @Test
    void exitCodeIsAFailureWithTheEndOfStderr() throws IOException {
        script("fail", "seq 1 100000 >&2; echo 'the disk is on fire' >&2; exit 4");
        tool("fail", "fail", "");
        assertThat(new Calls(load()).text("fail", "city", "x"))
                .startsWith("Error (project_tool_failed): fail ended with exit code 4:\n1\n")
                .endsWith("the disk is on fire\n")
                .hasSizeLessThan(14_000);
    }

    @Test
    void textMarksControlAndBidiCharacters() throws IOException {
        script("color", "printf 'red\\033[31m'; printf 'bell\\007' >&2; [ \"$(cat)\" = '{\"city\":\"x\"}' ]");
        tool("color", "color", "");
        assertThat(new Calls(load()).text("color", "city", "x")).isEqualTo("red<U+001B>[31m");
        assertThat(new Calls(load()).text("color", "city", "y")).endsWith("bell<U+0007>");
    }

    @Test
    void deadlineEndsItAll() throws IOException {
        String mark = Marked.mark();
        script("slow",
                "(trap '' TERM; sleep " + mark + "; sleep " + mark + ") & echo waiting >&2; sleep " + mark);
        tool("slow", "slow", ", \"timeout\": 1");
        assertThat(new Calls(load()).text("slow", "city", "x")).startsWith("Error (command_timed_out)")
                .endsWith("waiting\n");
        assertThat(Marked.running(mark)).isEmpty();
    }

    @Test
    void declaredOutputIsReadAndChecked() throws IOException {
        script("json", "echo '{\"degrees\": 21}'");
        script("text", "echo mild");
        script("wrong", "echo '{\"degrees\": \"warm\"}'");
        script("flood", "echo '['; yes '1,' | head -c 3000000; echo '1]'");
        for (String name : new String[]{"json", "text", "wrong", "flood"}) {
            tool(name, name,
                    ", \"output\": {\"type\": \"object\", \"properties\": {\"degrees\": {\"type\": \"integer\"}}}");
        }
        Calls calls = new Calls(load());
        assertThat(calls.text("json", "city", "x")).isEqualTo("{\"degrees\":21}");
        assertThat(calls.code("text", "city", "x")).isEqualTo("project_tool_answer");
        assertThat(calls.code("wrong", "city", "x")).isEqualTo("invalid_tool_output");
        assertThat(calls.code("flood", "city", "x")).isEqualTo("project_tool_answer");
    }

    @Test
    void programThatDoesNotReadItsArgumentsIsFine() throws IOException {
        script("deaf", "exec <&-; echo ok");
        tool("deaf", "deaf", "");
        assertThat(new Calls(load()).text("deaf", "city", "x".repeat(500_000))).isEqualTo("ok\n");
    }

    @Test
    void environmentIsScrubbedAndHasTheKey() throws IOException {
        script("env", "env");
        tool("env", "env", "");
        Map<String, String> host = Map.of("PATH", System.getenv("PATH"), "AWS_SECRET_ACCESS_KEY", "secret");
        String text = new Calls(ProjectTools.load(tools, root, host)).text("env", "city", "x");
        assertThat(text).contains("BELAY_TOOL=env\n")
                .containsPattern("BELAY_IDEMPOTENCY_KEY=[0-9a-f]{64}\n")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"name":                                                                  | line 1
            []                                                                        | object
            {"name":"x","description":"y","input":{"type":"object"}}                  | the key command is missing
            {"name":"x","description":"y","command":["run"]}                          | the key input is missing
            {"description":"y","command":["run"],"input":{"type":"object"}}           | the key name is missing
            {"name":"x","command":["run"],"input":{"type":"object"}}                  | the key description is missing
            {"name":"x","description":"","command":["run"],"input":{"type":"object"}} | missing_description
            {"name":"x y","description":"y","command":["run"],"input":{"type":"object"}} | illegal_tool_name
            {"name":"x","description":"y","command":["run"],"input":{"type":"array"}} | object
            {"name":"x","description":"y","command":["run"],"input":{"type":"object"},"effekt":"read"} | unknown keys [effekt]
            {"name":"x","description":"y","command":["run"],"input":{"type":"object"},"effect":"never"} | read, idempotent or once
            {"name":"x","description":"y","command":["run"],"input":{"type":"object"},"timeout":0} | from 1 to 3600
            {"name":"x","description":"y","command":[],"input":{"type":"object"}}     | command is empty
            {"name":"x","description":"y","command":"run","input":{"type":"object"}}  | array
            {"name":"x","description":"y","command":["none"],"input":{"type":"object"}} | no executable "none"
            {"name":"x","description":"y","command":["plain"],"input":{"type":"object"}} | not an executable file
            {"name":"x","description":"y","command":["../../escape"],"input":{"type":"object"}} | is outside
            {"name":"x","description":"y","command":["/bin/sh"],"input":{"type":"object"}} | is outside
            {"name":"x","description":"y","command":["link"],"input":{"type":"object"}} | is outside
            {"name":"x","description":"y","command":["open"],"input":{"type":"object"}} | chmod go-w
            {"name":"x","description":"y","command":["shared/run"],"input":{"type":"object"}} | chmod go-w
            """)
    void brokenFileIsToldAndHidesNoOther(String text, String reason) throws IOException {
        permit(Files.writeString(root.resolve("escape"), "#!/bin/sh\n"), "rwxr-xr-x");
        permit(Files.writeString(tools.resolve("plain"), "x"), "rw-r--r--");
        Files.createSymbolicLink(tools.resolve("link"), root.resolve("escape"));
        script("open", "true");
        permit(tools.resolve("open"), "rwxrwxr-x");
        Files.createDirectory(tools.resolve("shared"));
        script("shared/run", "true");
        permit(tools.resolve("shared"), "rwxrwxrwx");
        manifest("broken.json", text);
        tool("fine", "run", "");
        ProjectTools loaded = load();
        assertThat(loaded.definitions()).extracting(ToolDefinition::name).containsExactly("fine");
        assertThat(loaded.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.file()).hasFileName("broken.json");
            assertThat(problem.reason()).contains(reason);
        });
    }

    @Test
    void whatOthersMayChangeIsRefused() throws IOException {
        tool("fine", "run", "");
        permit(tools.resolve("fine.json"), "rw-rw-rw-");
        assertThat(load().definitions()).isEmpty();
        assertThat(load().problems()).singleElement()
                .satisfies(problem -> assertThat(problem.reason()).contains("it can be changed by others"));
        permit(tools.resolve("fine.json"), "rw-r--r--");
        permit(tools, "rwxrwxrwx");
        assertThat(load().definitions()).isEmpty();
        assertThat(load().problems()).singleElement()
                .satisfies(problem -> assertThat(problem.reason())
                        .contains("the directory can be changed by others"));
    }

    @Test
    void nothingIsLoadedThroughALink() throws IOException {
        Path scripts = Files.move(tools, root.resolve("scripts"));
        Files.createSymbolicLink(tools, Path.of("../scripts"));
        tool("fine", "run", "");
        assertThat(load().definitions()).isEmpty();
        assertThat(load().problems()).singleElement()
                .satisfies(problem -> assertThat(problem.reason()).startsWith("it is a link"));
        Files.delete(tools);
        Files.createDirectory(tools);
        Files.createSymbolicLink(tools.resolve("fine.json"), scripts.resolve("fine.json"));
        tool("inside", "bin/run", "");
        Files.createDirectory(tools.resolve("real"));
        script("real/run", "cat");
        Files.createSymbolicLink(tools.resolve("bin"), Path.of("real"));
        assertThat(load().definitions()).isEmpty();
        assertThat(load().problems()).extracting(ProjectTools.Problem::reason)
                .satisfiesExactly(reason -> assertThat(reason).contains("or a link to one"),
                        reason -> assertThat(reason).contains("is reached by a link"));
    }

    @Test
    void filesOfTheWorkspaceInACommandLineAreNamed() throws IOException {
        manifest("deploy.json",
                """
                        {"name": "deploy", "description": "Deploys.", "command": ["run", "--config=conf/a.json", "sh -c 'x.sh|y.sh;${PWD}/z.sh'"],
                         "reconcile": ["run", "@look.txt"], "input": {"type": "object"}}
                        """);
        assertThat(load().problems()).isEmpty();
        assertThat(load().named()).contains(root.resolve("conf/a.json"), root.resolve("x.sh"),
                root.resolve("y.sh"), root.resolve("z.sh"), root.resolve("look.txt"));
    }

    @Test
    void programIsCheckedAgainAtEachCall() throws IOException {
        tool("fine", "run", "");
        Calls calls = new Calls(load());
        assertThat(calls.text("fine", "city", "x")).isEqualTo("{\"city\":\"x\"}");
        permit(tools.resolve("run"), "rwxrwxrwx");
        assertThat(calls.code("fine", "city", "x")).isEqualTo("project_tool_unusable");
        Files.delete(tools.resolve("run"));
        Files.createSymbolicLink(tools.resolve("run"), Path.of("/bin/cat"));
        assertThat(calls.code("fine", "city", "x")).isEqualTo("project_tool_unusable");
    }

    @Test
    void twoFilesWithOneNameAreLoud() throws IOException {
        tool("same", "run", "");
        Files.copy(tools.resolve("same.json"), tools.resolve("again.json"));
        assertThatThrownBy(this::load).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("duplicate_tool_name"))
                .hasMessageContaining("again.json")
                .hasMessageContaining("same.json");
    }

    @Test
    void workspaceThatIsNoDirectoryIsRefusedIfThereAreTools() throws IOException {
        Path missing = root.resolve("missing");
        assertThat(ProjectTools.load(tools, missing).definitions()).isEmpty();
        tool("fine", "run", "");
        assertThatThrownBy(() -> ProjectTools.load(tools, missing)).isInstanceOfSatisfying(
                BelayException.class,
                e -> assertThat(e.code()).isEqualTo("bad_workspace"));
    }

    @Test
    void noDirectoryMeansNoTools() {
        ProjectTools none = ProjectTools.load(root.resolve("nowhere"));
        assertThat(none.definitions()).isEmpty();
        assertThat(none.problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {".belay/tools", ".belay/tools/run", ".belay/tools/fine.json", ".belay", "."})
    void toolsOfAnotherUserAreRefused(String path) throws IOException {
        assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"),
                "only root can give files away");
        tool("fine", "run", "");
        Path given = root.resolve(path);
        Files.setAttribute(given, "unix:uid", 4242);
        try {
            ProjectTools loaded = load();
            assertThat(loaded.definitions()).isEmpty();
            assertThat(loaded.problems()).singleElement()
                    .satisfies(problem -> assertThat(problem.reason()).contains("belongs to the user 4242"));
        } finally {
            Files.setAttribute(given, "unix:uid", 0);
        }
    }

    @Test
    void aDirectoryOfAnotherUserAboveToolsOutsideOfTheWorkspaceIsRefused() throws IOException {
        assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"),
                "only root can give files away");
        tool("fine", "run", "");
        Path workspace = Files.createDirectory(root.resolve("workspace"));
        assertThat(ProjectTools.load(tools, workspace).definitions()).hasSize(1);
        Path given = root.resolve(".belay");
        Files.setAttribute(given, "unix:uid", 4242);
        try {
            ProjectTools loaded = ProjectTools.load(tools, workspace);
            assertThat(loaded.definitions()).isEmpty();
            assertThat(loaded.problems()).singleElement()
                    .satisfies(problem -> assertThat(problem.reason())
                            .contains(".belay belongs to the user 4242"));
        } finally {
            Files.setAttribute(given, "unix:uid", 0);
        }
    }
}
