package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.Shell;
import dev.belay.toolbox.Toolbox;
import dev.belay.toolbox.command.CommandRules;
import dev.belay.toolbox.file.FileRules;
import java.nio.file.Files;
import java.nio.file.Path;

/** The tools that the settings of a workspace name. Stateless. */
public final class LocalTools {

    private LocalTools() {}

    /** The tools; files of the project that declare none are told on standard error. */
    public static Toolbox of(Shell shell, AgentWorkspace workspace, Settings settings) {
        return of(shell, workspace, settings, workspace.own().resolve("notes.jsonl"));
    }

    /** The same with notes in a file. */
    public static Toolbox of(Shell shell, AgentWorkspace workspace, Settings settings, Path notes) {
        Toolbox.Builder tools = Toolbox.in(workspace.root());
        FileRules files = FileRules.DEFAULT.alsoFixed(settings.fixed(workspace).toArray(String[]::new));
        for (String group : settings.groups()) {
            switch (group) {
                case "basics" -> tools.basics();
                case "notes" -> tools.notes(notes);
                case "read_files" -> tools.readFiles();
                case "write_files" -> tools.writeFiles(files);
                case "commands" -> tools.commands(settings.onlyCommands().isEmpty()
                        ? CommandRules.DEFAULT
                        : CommandRules.DEFAULT.only(settings.onlyCommands().toArray(String[]::new)));
                case "http" -> tools.http();
                case "project" -> {
                    if (Files.isDirectory(workspace.own().resolve("tools"))) {
                        tools.projectTools();
                    }
                }
                default -> throw new IllegalStateException("no group " + group);
            }
        }
        Toolbox built = tools.build();
        built.problems()
                .forEach(problem -> shell.err()
                        .lineOnce("belay: " + problem.file() + " is no tool: " + problem.reason()));
        return built;
    }
}
