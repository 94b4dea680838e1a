package dev.belay.toolbox.file;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolbox.workspace.WorkspaceDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private static final String PATH = "path";
    private static final OutputBudget SHORT = new OutputBudget(4 << 10, 40, OutputBudget.Keep.HEAD);

    private final Workspace workspace;
    private final FileReads reads;
    private final FileChanges changes;
    private final List<ToolDefinition> definitions;

    private FileTools(Workspace workspace, FileReads reads, FileChanges changes,
            List<ToolDefinition> definitions) {
        this.workspace = workspace;
        this.reads = reads;
        this.changes = changes;
        this.definitions = List.copyOf(definitions);
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
        List<ToolDefinition> tools = new ArrayList<>(List.of(
                tool(FileCalls.ReadFile.class, PAGE).preview(in -> "reads " + quoted(in, "path")),
                tool(FileCalls.ListDir.class, LIST).preview(in -> "lists " + quoted(in, "path")),
                tool(FileCalls.Glob.class, LIST).preview(in -> "finds files " + quoted(in, "pattern")),
                tool(FileCalls.Grep.class, LIST).preview(in -> "finds lines " + quoted(in, "pattern"))));
        if (writes) {
            tools.add(changes.write().budget(SHORT));
            tools.add(changes.edit().budget(SHORT));
        }
        return new FileTools(workspace, reads, changes, tools);
    }

    private static ToolDefinition tool(Class<? extends ToolInput<?>> type, OutputBudget budget) {
        return ToolDefinition.of(type).budget(budget);
    }

    private static String quoted(Json arguments, String field) {
        return arguments.get(field).map(Json::text).orElse("the workspace");
    }

    private static String path(Json arguments) {
        return arguments.get(PATH).filter(path -> !path.isNull()).map(Json::asString).orElse(".");
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    /**
     * Puts the path into its one spelling (the names from the root, links followed), and an edit into its one form, so that rules, preview, digest and body
     * see the same, and binds the call to this workspace; a change is bound to the file's content too.
     */
    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        Workspace.Place place = workspace.resolve(path(call.arguments()));
        Map<String, Json> spelled = new LinkedHashMap<>(call.arguments().fields());
        spelled.put(PATH, Json.string(place.shown()));
        Json arguments = changes.inOneForm(call.definition(), Json.object(spelled));
        Json frozen = changes.handles(call.definition())
                ? changes.prepare(call.definition(), arguments, place)
                : Json.object(Map.of("root", Json.string(workspace.root())));
        return (arguments.equals(call.arguments()) ? call.unchanged() : call.replace(arguments))
                .freeze(frozen);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        String root = call.payload().flatMap(frozen -> frozen.get("root")).map(Json::asString).orElse("");
        Workspace.Place place = workspace.prepared(path(call.arguments()), root);
        return switch (call.input()) {
            case FileCalls.ReadFile in -> reads.read(in, place, call.context());
            case FileCalls.ListDir in -> reads.list(place);
            case FileCalls.Glob in -> reads.glob(in, place, call.context());
            case FileCalls.Grep in -> reads.grep(in, place, call.context());
            default -> changes.execute(call, place);
        };
    }
}
