package dev.belay.toolbox;

import dev.belay.BelayException;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.toolbox.command.CommandRules;
import dev.belay.toolbox.command.CommandTools;
import dev.belay.toolbox.command.NamedFiles;
import dev.belay.toolbox.command.ProjectTools;
import dev.belay.toolbox.file.FileRules;
import dev.belay.toolbox.file.FileTools;
import dev.belay.toolbox.http.HttpRules;
import dev.belay.toolbox.http.HttpTools;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The local tools that a host chose, as one provider, without the groups that it did not name. The host sets here what each tool
 * may touch; no argument of a model can change it.
 *
 * <p>Thread-safe.
 */
public final class Toolbox implements ToolProvider {

    private final List<ToolDefinition> definitions;
    private final Map<ToolId, ToolProvider> owners;
    private final List<ProjectTools.Problem> problems;

    private Toolbox(List<ToolProvider> groups) {
        List<ToolDefinition> all = new ArrayList<>();
        Map<ToolId, ToolProvider> byId = new HashMap<>();
        List<ProjectTools.Problem> found = new ArrayList<>();
        for (ToolProvider group : groups) {
            for (ToolDefinition definition : group.definitions()) {
                all.add(definition);
                byId.put(definition.id(), group);
            }
            if (group instanceof ProjectTools project) {
                found.addAll(project.problems());
            }
        }
        // refuses two tools with one name; the message names both
        definitions = StaticToolProvider.of(all, call -> null).definitions();
        owners = Map.copyOf(byId);
        problems = List.copyOf(found);
    }

    /** Starts a toolbox for a directory. */
    public static Builder in(Path workspace) {
        return new Builder(workspace);
    }

    /** Files of the project that should declare a tool but cannot be used, and why. */
    public List<ProjectTools.Problem> problems() {
        return problems;
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return owner(call.definition()).prepare(call);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return owner(call.definition()).execute(call);
    }

    private ToolProvider owner(ToolDefinition definition) {
        return Objects.requireNonNull(owners.get(definition.id()), () -> "no group has " + definition.id());
    }

    /**
     * Chooses groups. File tools do not write what the other groups execute: files that the rules of commands or the command lines of project
     * tools name. Confined to one thread.
     */
    public static final class Builder {

        private final Path workspace;
        private final List<Function<String[], ToolProvider>> groups = new ArrayList<>();
        /** What the rules of commands and command lines of the project's tools name: no file tool writes it. */
        private final List<String> named = new ArrayList<>();

        private Builder(Path workspace) {
            this.workspace = workspace;
        }

        /** {@code echo} and {@code add_numbers}, which have no side effects. */
        public Builder basics() {
            return add(BasicTools.provider());
        }

        /** Notes, in {@code .belay/notes.jsonl} of the workspace. */
        public Builder notes() {
            return notes(workspace.resolve(".belay").resolve("notes.jsonl"));
        }

        /** Notes, in this file. */
        public Builder notes(Path file) {
            return add(NoteTools.in(file, Clock.systemUTC()));
        }

        /** Reading and searching files: {@code read_file}, {@code list_dir}, {@code glob}, {@code grep}. */
        public Builder readFiles() {
            return readFiles(FileRules.DEFAULT);
        }

        /** The same under other rules. */
        public Builder readFiles(FileRules rules) {
            return add(FileTools.reading(workspace, rules));
        }

        /** Reading, searching and changing files: those of {@link #readFiles()}, {@code write_file}, {@code edit_file}. */
        public Builder writeFiles() {
            return writeFiles(FileRules.DEFAULT);
        }

        /** The same under other rules. */
        public Builder writeFiles(FileRules rules) {
            groups.add(fixed -> FileTools.writing(workspace, rules.alsoFixed(fixed)));
            return this;
        }

        /** {@code run_command}, in the workspace, with a shell. */
        public Builder commands() {
            return commands(CommandRules.DEFAULT);
        }

        /** The same under other rules. */
        public Builder commands(CommandRules rules) {
            name(NamedFiles.of(workspace.toAbsolutePath(), rules.programs()));
            name(NamedFiles.of(workspace.toAbsolutePath(), rules.launcher()));
            return add(CommandTools.in(workspace, rules));
        }

        /** {@code http_get}, of public addresses. */
        public Builder http() {
            return http(HttpRules.DEFAULT);
        }

        /** The same under other rules. */
        public Builder http(HttpRules rules) {
            return add(HttpTools.of(rules));
        }

        /** The project's own tools, from {@code .belay/tools} of the workspace. */
        public Builder projectTools() {
            return projectTools(workspace.resolve(".belay").resolve("tools"));
        }

        /** The project's own tools, from this directory; they run in the workspace. */
        public Builder projectTools(Path directory) {
            ProjectTools tools = ProjectTools.load(directory, workspace);
            name(tools.named());
            return add(tools);
        }

        private void name(Set<Path> files) {
            files.forEach(file -> named.add(file.toString()));
        }

        private Builder add(ToolProvider group) {
            groups.add(fixed -> group);
            return this;
        }

        /** The finished toolbox; {@code empty_toolbox} if no group was chosen, {@code duplicate_tool_name} if two tools share one. */
        public Toolbox build() {
            if (groups.isEmpty()) {
                throw new BelayException("empty_toolbox",
                        "no group of tools was chosen; call basics(), notes(), readFiles(), writeFiles(), commands(), "
                                + "http() or projectTools() before build()");
            }
            String[] fixed = named.toArray(String[]::new);
            return new Toolbox(groups.stream().map(group -> group.apply(fixed)).toList());
        }
    }
}
