package dev.belay.toolbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolbox.command.CommandRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps what every tool of the box declares, A.5 and A.6 for the box as a whole. */
class ToolboxTest {

    @TempDir
    Path root;

    private Toolbox all() {
        return Toolbox.in(root).basics().notes().writeFiles().commands().http().projectTools().build();
    }

    @Test
    void everyToolDeclaresItsTrueEffect() {
        Map<String, ToolEffect> effects = new java.util.LinkedHashMap<>();
        all().definitions().forEach(tool -> effects.put(tool.name(), tool.manifest().effect()));
        assertThat(effects).containsExactly(Map.entry("echo", ToolEffect.READ),
                Map.entry("add_numbers", ToolEffect.READ),
                Map.entry("session_note_append", ToolEffect.IDEMPOTENT),
                Map.entry("session_note_search", ToolEffect.READ), Map.entry("read_file", ToolEffect.READ),
                Map.entry("list_dir", ToolEffect.READ), Map.entry("glob", ToolEffect.READ),
                Map.entry("grep", ToolEffect.READ), Map.entry("write_file", ToolEffect.IDEMPOTENT),
                Map.entry("edit_file", ToolEffect.IDEMPOTENT), Map.entry("run_command", ToolEffect.ONCE),
                Map.entry("http_get", ToolEffect.READ));
    }

    @Test
    void everyToolHasAPreviewAndDescribesEveryField() {
        for (ToolDefinition tool : all().definitions()) {
            assertThat(tool.preview()).as(tool.name()).isPresent();
            assertThat(tool.spec().inputSchema().get("properties").orElseThrow().fields().values())
                    .as(tool.name())
                    .allSatisfy(field -> assertThat(tool.name().equals("add_numbers")
                            || field.get("description").isPresent()).isTrue());
        }
    }

    @Test
    void toolsWithLongAnswersDeclareABudget() {
        for (ToolDefinition tool : all().definitions()) {
            OutputBudget budget = tool.manifest().budget();
            boolean short_ = List.of("echo", "add_numbers", "session_note_append").contains(tool.name());
            assertThat(short_ || budget != null).as(tool.name()).isTrue();
        }
    }

    @Test
    void groupThatIsNotNamedIsNotThere() {
        assertThat(Toolbox.in(root).readFiles().build().definitions()).extracting(ToolDefinition::name)
                .containsExactly("read_file", "list_dir", "glob", "grep");
        assertThatThrownBy(() -> Toolbox.in(root).build()).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("empty_toolbox"));
    }

    @Test
    void twoToolsWithOneNameAreLoud() throws IOException {
        assertThatThrownBy(() -> Toolbox.in(root).readFiles().writeFiles().build())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_name"))
                .hasMessageContaining("read_file");
        projectTool(
                "{\"name\":\"echo\",\"description\":\"x\",\"input\":{\"type\":\"object\"},\"command\":[\"run\"]}");
        assertThatThrownBy(() -> Toolbox.in(root).basics().projectTools().build())
                .hasMessageContaining("echo");
    }

    @Test
    void problemsOfTheProjectAreTold() throws IOException {
        projectTool("{\"name\":");
        Toolbox box = Toolbox.in(root).basics().projectTools().build();
        assertThat(box.problems()).singleElement()
                .satisfies(problem -> assertThat(problem.file()).hasFileName("tool.json"));
        assertThat(new Calls(box).text("echo", "text", "still here")).isEqualTo("still here");
    }

    @Test
    void callsReachTheirGroup() {
        Calls calls = new Calls(all());
        assertThat(calls.text("write_file", "path", "a.txt", "content", "x"))
                .isEqualTo("written: a.txt, 1 bytes");
        assertThat(calls.text("run_command", "command", "cat a.txt")).isEqualTo("x");
        assertThat(calls.text("session_note_append", "note", "n")).isEqualTo("note appended");
        assertThat(root.resolve(".belay/notes.jsonl")).exists();
        assertThat(calls.code("read_file", "path", ".belay/notes.jsonl")).isEqualTo("protected_path");
    }

    @Test
    void filesThatOtherGroupsExecuteAreNotWritten() throws IOException {
        projectTool("""
                {"name": "deploy", "description": "Deploys.", "command": ["run", "scripts/deploy.py"],
                 "input": {"type": "object"}}
                """);
        Calls calls = new Calls(Toolbox.in(root)
                .writeFiles()
                .commands(CommandRules.DEFAULT.only("./build.sh").through("./sandbox"))
                .projectTools()
                .build());
        for (String file : List.of("scripts/deploy.py", "build.sh", "sandbox", "belay.toml")) {
            assertThat(calls.code("write_file", "path", file, "content", "x")).as(file)
                    .isEqualTo("protected_path");
        }
        assertThat(calls.text("write_file", "path", "other.py", "content", "x")).startsWith("written");
    }

    private void projectTool(String manifest) throws IOException {
        Path tools = Files.createDirectories(root.resolve(".belay/tools"));
        Files.setPosixFilePermissions(tools, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path run = Files.writeString(tools.resolve("run"), "#!/bin/sh\ncat\n");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Files.writeString(tools.resolve("tool.json"), manifest);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }
}
