package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.tests.Project;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/toolbox.md} says of its code. */
class ToolboxSnippetsTest {

    private static final String PAGE = "docs/toolbox.md";

    @TempDir
    Path workspace;

    @Test
    void everyToolIsOnThePage() {
        String page = Project.here().read(PAGE);
        List<ToolDefinition> tools = ToolboxSnippets.all(workspace).definitions();
        assertThat(tools).hasSize(12)
                .allSatisfy(tool -> assertThat(page).contains(
                        "| `" + tool.name() + "` | `" + tool.manifest().effect() + "` |"));
    }

    @Test
    void carefulBoxDoesWhatThePageSays() throws IOException {
        ToolCaller caller = ToolCaller.of(ToolboxSnippets.careful(workspace));
        Files.writeString(workspace.resolve(".env.example"), "KEY=");
        assertThat(caller.call("read_file", "{\"path\":\".env.example\"}").text()).isEqualTo("KEY=");
        assertThat(caller.call("read_file", "{\"path\":\"prod.tfvars\"}").text())
                .startsWith("Error (protected_path)");
        assertThat(caller.call("write_file", "{\"path\":\"x\",\"content\":\"\"}").text())
                .startsWith("Error (unknown_tool)");
        assertThat(caller.call("run_command", "{\"command\":\"ls -a .env.example\"}").text())
                .isEqualTo(".env.example\n");
        assertThat(caller.call("run_command", "{\"command\":\"ls; rm x\"}").text())
                .startsWith("Error (bad_command)");
        assertThat(caller.call("http_get", "{\"url\":\"http://localhost:8081/\"}").text())
                .startsWith("Error (private_address)");
    }

    @Test
    void projectToolRunsWithoutARebuild() throws IOException {
        assertThat(Project.here().read(PAGE)).contains("```json\n" + ToolboxSnippets.MANIFEST + "```");
        Path tools = Files.createDirectories(workspace.resolve(".belay/tools"));
        permit(tools, "rwxr-xr-x");
        permit(Files.writeString(tools.resolve("open-tickets.json"), ToolboxSnippets.MANIFEST), "rw-r--r--");
        permit(Files.writeString(tools.resolve("open-tickets.sh"), "#!/bin/sh\necho \"$1 $(cat)\"\n"),
                "rwxr-xr-x");
        permit(Files.writeString(tools.resolve("broken.json"), "{"), "rw-r--r--");
        var loaded = ToolboxSnippets.project(workspace);
        assertThat(loaded.problems()).hasSize(1);
        assertThat(ToolCaller.of(loaded).call("open_tickets", "{\"component\":\"core\"}").text())
                .isEqualTo("--plain {\"component\":\"core\"}\n");
    }

    @Test
    void aProjectToolThatIsAddedWhileTheProgramRunsIsSeenAfterAReload() throws IOException {
        Path tools = Files.createDirectories(workspace.resolve(".belay/tools"));
        permit(tools, "rwxr-xr-x");
        try (Belay belay = Belay.builder().build()) {
            Runnable reload = ToolboxSnippets.reload(belay, workspace);
            permit(Files.writeString(tools.resolve("open-tickets.json"), ToolboxSnippets.MANIFEST),
                    "rw-r--r--");
            permit(Files.writeString(tools.resolve("open-tickets.sh"), "#!/bin/sh\n"), "rwxr-xr-x");
            assertThat(belay.tools().catalog().names()).isEmpty();
            reload.run();
            assertThat(belay.tools().catalog().names()).containsExactly("open_tickets");
        }
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
