package dev.belay.toolbox.command;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.toolbox.workspace.WorkspaceDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A project's own tools, without a rebuild: a directory with executables and a JSON file for each that declares the tool. A call
 * writes the arguments as JSON to standard input, and the program's standard output is the result. An exit code other than 0 is a
 * failure with the end of standard error.
 *
 * <p>The directory is read once, by {@link #load}. To take in tools that were added or changed since, load it again and give the
 * result to {@code SourceHandle.replace}, which {@code belay.tools().add(…)} returned.
 *
 * <p>Thread-safe.
 */
public final class ProjectTools implements ToolProvider {

    private static final Logger LOG = LoggerFactory.getLogger(ProjectTools.class);

    private final Map<ToolId, ToolFile> files;
    private final List<ToolDefinition> definitions;
    private final List<Problem> problems;
    private final ProjectRunner runner;

    /**
     * A file that declares no tool, and why.
     *
     * @param file the file
     * @param reason what is wrong with it
     */
    public record Problem(Path file, String reason) {}

    private ProjectTools(List<ToolFile> files, List<Problem> problems, ProjectRunner runner) {
        Map<ToolId, ToolFile> byId = new LinkedHashMap<>();
        for (ToolFile file : files) {
            ToolFile other = byId.putIfAbsent(file.definition().id(), file);
            if (other != null) {
                throw new BelayException("duplicate_tool_name", "two files declare the tool "
                        + file.definition().name() + ": " + other.file() + " and " + file.file());
            }
        }
        this.files = Map.copyOf(byId);
        definitions = files.stream()
                .map(file -> file.definition().reconciler(file.reconciler(runner)).target(file.target()))
                .toList();
        this.problems = List.copyOf(problems);
        this.runner = runner;
    }

    /** Loads a directory; its programs run in it. A directory that does not exist has no tools. */
    public static ProjectTools load(Path directory) {
        return load(directory, directory);
    }

    /**
     * Loads a directory. A wrong file becomes one of the {@link #problems} and is logged; the other files are still loaded. Two
     * files that declare one name are {@code duplicate_tool_name}; a workspace that is no directory is {@code bad_workspace}.
     *
     * @param directory where the files are, usually {@code .belay/tools}
     * @param workspace where the programs run
     */
    public static ProjectTools load(Path directory, Path workspace) {
        return load(directory, workspace, System.getenv());
    }

    static ProjectTools load(Path directory, Path workspace, Map<String, String> host) {
        return load(directory, workspace, host, ProgramRun.THREADS);
    }

    static ProjectTools load(Path directory, Path workspace, Map<String, String> host,
            ThreadFactory threads) {
        List<ToolFile> files = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        Path real = directory;
        try {
            if (Files.isSymbolicLink(directory)) {
                throw new IllegalArgumentException(
                        "it is a link; put the directory itself there, because trust in a workspace ends at links");
            }
            real = directory.toRealPath();
            ToolFile.demandNotWritableByOthers("the directory", real);
            demandOwnedUpTo(workspace, real);
            var runner = new ProjectRunner(real, workspace, Map.copyOf(host), threads);
            List<Path> manifests = manifests(real);
            if (!manifests.isEmpty()) {
                WorkspaceDirectory.demand(workspace);
            }
            for (Path file : manifests) {
                try {
                    ToolFile read = ToolFile.read(real, file);
                    files.add(read.loaded(runner.hash(read)));
                } catch (IllegalArgumentException | IOException e) {
                    problems.add(new Problem(file, String.valueOf(e.getMessage())));
                }
            }
        } catch (NoSuchFileException none) {
            LOG.debug("No project tools: {} does not exist", directory);
        } catch (IllegalArgumentException | IOException e) {
            problems.add(new Problem(real, String.valueOf(e.getMessage())));
        }
        problems.forEach(problem -> LOG.warn("No tool from {}: {}", problem.file(), problem.reason()));
        return new ProjectTools(files, problems,
                new ProjectRunner(real, workspace, Map.copyOf(host), threads));
    }

    /** The owner of a directory above could replace the one below it. Outside of the workspace all directories above count. */
    private static void demandOwnedUpTo(Path workspace, Path directory) throws IOException {
        Path top = Files.isDirectory(workspace) ? workspace.toRealPath() : directory;
        boolean isInside = directory.startsWith(top);
        for (Path at = directory; at != null && (!isInside || at.startsWith(top)); at = at.getParent()) {
            ToolFile.demandOwned("the directory " + at, at);
        }
    }

    private static List<Path> manifests(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.json")) {
            found.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    /** The absolute paths that command lines of these tools may name; there may be no such files. */
    public Set<Path> named() {
        Path directory = runner.workspace().toAbsolutePath();
        Set<Path> named = new TreeSet<>();
        files.values().forEach(file -> {
            named.addAll(NamedFiles.of(directory, file.command()));
            named.addAll(NamedFiles.of(directory, file.reconcile()));
        });
        return named;
    }

    /** The files that declare no tool, and why. */
    public List<Problem> problems() {
        return problems;
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    /** Freezes what would be executed; a program that is not the one that was loaded is refused until it is loaded again. */
    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) {
        return call.freeze(runner.freeze(file(call.definition())));
    }

    private ToolFile file(ToolDefinition definition) {
        return Objects.requireNonNull(files.get(definition.id()),
                () -> "no file declares " + definition.id());
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        ToolFile file = file(call.definition());
        String key = call.context().idempotencyKey().value();
        ProgramRun.Ended ended = runner.run(file, ProjectRunner.Part.COMMAND,
                call.payload().orElse(Json.NULL),
                call.arguments(), new ProjectRunner.Names(key, key), call.context().cancellation());
        if (ended.timedOut()) {
            throw CommandRefusal.timedOut(file.most(), Shown.output(ended.err().text()));
        }
        if (ended.exit() != 0) {
            throw CommandRefusal.projectToolFailed(file.definition().name(), ended.exit(),
                    Shown.output(ended.err().text()));
        }
        return ProjectRunner.result(file, ended.out());
    }
}
