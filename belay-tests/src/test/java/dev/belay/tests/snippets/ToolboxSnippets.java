package dev.belay.tests.snippets;

import dev.belay.runtime.Belay;
import dev.belay.runtime.catalog.SourceHandle;
import dev.belay.toolbox.Toolbox;
import dev.belay.toolbox.command.CommandRules;
import dev.belay.toolbox.command.ProjectTools;
import dev.belay.toolbox.file.FileRules;
import dev.belay.toolbox.http.HttpRules;
import java.nio.file.Path;
import java.time.Duration;

/** The code of {@code docs/toolbox.md}. */
final class ToolboxSnippets {

    /** A project tool, as the page shows it. */
    static final String MANIFEST = """
            {
              "name": "open_tickets",
              "description": "Lists the open tickets of a component.",
              "command": ["open-tickets.sh", "--plain"],
              "effect": "read",
              "timeout": 20,
              "input": {
                "type": "object",
                "properties": {"component": {"type": "string", "description": "name of the component"}},
                "required": ["component"],
                "additionalProperties": false
              }
            }
            """;

    private ToolboxSnippets() {}

    static Toolbox all(Path workspace) {
        // region all
        Toolbox tools = Toolbox.in(workspace)
                .basics()
                .notes()
                .writeFiles()
                .commands()
                .http()
                .projectTools()
                .build();
        // endregion
        return tools;
    }

    static Toolbox careful(Path workspace) {
        // region careful
        Toolbox tools = Toolbox.in(workspace)
                .notes(workspace.resolve(".belay/notes.jsonl"))
                .readFiles(FileRules.DEFAULT.alsoSecret("*.tfvars").notSecret(".env.example"))
                .commands(CommandRules.DEFAULT.only("git", "mvn", "ls")
                        .times(Duration.ofMinutes(1), Duration.ofMinutes(5)))
                .http(HttpRules.DEFAULT.only("docs.example.org", "localhost").allowPrivate("localhost:8080"))
                .build();
        // endregion
        return tools;
    }

    static Runnable reload(Belay belay, Path workspace) {
        // region reload
        Path directory = workspace.resolve(".belay/tools");
        SourceHandle source = belay.tools().add(ProjectTools.load(directory, workspace));
        Runnable reload = () -> source.replace(ProjectTools.load(directory, workspace)); // counts from the next question on
        // endregion
        return reload;
    }

    static ProjectTools project(Path workspace) {
        // region project
        ProjectTools tools = ProjectTools.load(workspace.resolve(".belay/tools"), workspace);
        tools.problems().forEach(problem -> System.err.println(problem.file() + ": " + problem.reason()));
        // endregion
        return tools;
    }
}
