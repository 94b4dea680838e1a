package dev.belay.toolbox.file;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolbox.workspace.WorkspaceDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The files of one workspace, as tools. The host sets the directory and the rules; no argument of a model can change them.
 * Thread-safe.
 */
public final class FileTools implements ToolProvider {

    /** The tools' own limit of output, with room for the text around it. */
    private static final OutputBudget PAGE = new OutputBudget(TextPage.MOST_BYTES + 1024, 2010,
            OutputBudget.Keep.HEAD);
    private static final OutputBudget LIST = new OutputBudget(32 << 10, 1010, OutputBudget.Keep.HEAD);
    private static final OutputBudget SHORT = new OutputBudget(4 << 10, 40, OutputBudget.Keep.HEAD);

    private final StaticToolProvider tools;
    private final FileChanges changes;

    private FileTools(StaticToolProvider tools, FileChanges changes) {
        this.tools = tools;
        this.changes = changes;
    }

    /** {@code read_file}, {@code list_dir}, {@code glob}, {@code grep}; {@code bad_workspace} if the path is no directory. */
    public static FileTools reading(Path workspace, FileRules rules) {
        return of(workspace(workspace, rules), rules, Thread.ofVirtual().factory(), false);
    }

    /** The same, and {@code write_file} and {@code edit_file}. */
    public static FileTools writing(Path workspace, FileRules rules) {
        return of(workspace(workspace, rules), rules, Thread.ofVirtual().factory(), true);
    }

    private static Workspace workspace(Path directory, FileRules rules) {
        try {
            return new Workspace(directory, new SecretNames(rules));
        } catch (IOException e) {
            throw WorkspaceDirectory.unusable(directory, e);
        }
    }

    static FileTools of(Workspace workspace, FileRules rules, ThreadFactory threads, boolean writes) {
        var reads = new FileReads(workspace, rules, threads);
        var changes = new FileChanges(workspace, rules);
        var builder = StaticToolProvider.builder()
                .tool(tool(FileCalls.ReadFile.class, PAGE)
                        .preview(in -> "reads " + quoted(in, "path")), FileCalls.ReadFile.class, reads::read)
                .tool(tool(FileCalls.ListDir.class, LIST)
                        .preview(in -> "lists " + quoted(in, "path")), FileCalls.ListDir.class, reads::list)
                .tool(tool(FileCalls.Glob.class, LIST)
                        .preview(in -> "finds files " + quoted(in, "pattern")), FileCalls.Glob.class,
                        reads::glob)
                .tool(tool(FileCalls.Grep.class, LIST)
                        .preview(in -> "finds lines " + quoted(in, "pattern")), FileCalls.Grep.class,
                        reads::grep);
        if (writes) {
            builder.tool(changes.write().budget(SHORT), FileCalls.WriteFile.class, (in, context) -> "")
                    .tool(changes.edit().budget(SHORT), FileCalls.EditFile.class, (in, context) -> "");
        }
        return new FileTools(builder.build(), changes);
    }

    private static ToolDefinition tool(Class<? extends ToolInput<?>> type, OutputBudget budget) {
        return ToolDefinition.of(type).budget(budget);
    }

    private static String quoted(Json arguments, String field) {
        return arguments.get(field).map(Json::text).orElse("the workspace");
    }

    @Override
    public List<ToolDefinition> definitions() {
        return tools.definitions();
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return changes.prepare(call);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return changes.handles(call.definition()) ? changes.execute(call) : tools.execute(call);
    }
}
