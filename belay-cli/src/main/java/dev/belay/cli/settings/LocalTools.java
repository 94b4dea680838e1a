package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Shell;
import dev.belay.toolbox.Toolbox;
import dev.belay.toolbox.command.CommandRules;
import dev.belay.toolbox.file.FileRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The tools that the settings of a workspace name. Stateless. */
public final class LocalTools {

    private LocalTools() {}

    /** The tools; files of the project that declare none are told on standard error. */
    public static Toolbox of(Shell shell, AgentWorkspace workspace, Settings settings) {
        return of(shell, workspace, settings, workspace.own().resolve("notes.jsonl"));
    }

    /** The same beside a store, whose files no tool touches. */
    public static Toolbox of(Shell shell, AgentWorkspace workspace, Settings settings, CommandStore store) {
        FileRules files = FileRules.DEFAULT;
        if (store instanceof CommandStore.File(Path path, var own)) {
            Path real = real(path); // SQLite names its other files after this one
            String name = literal(String.valueOf(real.getFileName()));
            files = kept(files, workspace, real, name, name + "-*");
        }
        return of(shell, workspace, settings, workspace.own().resolve("notes.jsonl"), files);
    }

    /** The same with notes in a file. */
    public static Toolbox of(Shell shell, AgentWorkspace workspace, Settings settings, Path notes) {
        return of(shell, workspace, settings, notes, FileRules.DEFAULT);
    }

    /** What is trusted is kept in the home directory, which may be the workspace. */
    private static FileRules withoutTrust(Shell shell, AgentWorkspace workspace, FileRules rules) {
        try {
            Path kept = real(new TrustFile(shell).directory());
            int names = kept.getNameCount();
            return kept(rules, workspace, kept,
                    literal(kept.subpath(Math.max(0, names - 2), names).toString()));
        } catch (CommandProblem nowhere) {
            return rules;
        }
    }

    private static FileRules kept(FileRules rules, AgentWorkspace workspace, Path real, String... names) {
        return real.startsWith(real(workspace.root())) ? rules.alsoSecret(names) : rules;
    }

    /** A name as a pattern that it fits, and hardly another one. */
    private static String literal(String name) {
        return name.replaceAll("[*?\\[\\]\\\\]", "?");
    }

    /** The place behind links; of what does not exist yet, that of the nearest directory above. */
    private static Path real(Path file) {
        for (Path there = file.toAbsolutePath(); there != null; there = there.getParent()) {
            try {
                return there.toRealPath().resolve(there.relativize(file.toAbsolutePath())).normalize();
            } catch (IOException missing) {
                // look above
            }
        }
        return file;
    }

    private static Toolbox of(Shell shell, AgentWorkspace workspace, Settings settings, Path notes,
            FileRules rules) {
        FileRules files = withoutTrust(shell, workspace, rules).alsoFixed(workspace.settings().toString())
                .alsoFixed(UserSettings.file(shell).map(Path::toString).stream().toArray(String[]::new))
                .alsoFixed(settings.named(workspace).stream().map(Path::toString).toArray(String[]::new));
        Toolbox.Builder tools = Toolbox.in(workspace.root());
        for (String group : settings.groups()) {
            switch (group) {
                case "basics" -> tools.basics();
                case "notes" -> tools.notes(notes);
                case "read_files" -> tools.readFiles(files);
                case "write_files" -> tools.writeFiles(files);
                case Settings.COMMANDS -> tools.commands(settings.onlyCommands().isEmpty()
                        ? CommandRules.DEFAULT
                        : CommandRules.DEFAULT.only(settings.onlyCommands().toArray(String[]::new)));
                case "http" -> tools.http();
                case Settings.PROJECT -> {
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
