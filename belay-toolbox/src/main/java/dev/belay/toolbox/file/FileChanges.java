package dev.belay.toolbox.file;

import dev.belay.json.Json;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The bodies of the tools that change files, and the values that are frozen before an approval. Thread-safe. */
final class FileChanges {

    private final FileChange change;
    private final ToolDefinition write = ToolDefinition.of(FileCalls.WriteFile.class)
            .preview(in -> preview(in, this::written,
                    () -> LineDiff.created(text(in, "path"), text(in, "content"))));
    private final ToolDefinition edit = ToolDefinition.of(FileCalls.EditFile.class)
            .preview(in -> preview(in, this::edited,
                    () -> (in.get("all").filter(Json.TRUE::equals).isPresent() ? "every occurrence\n" : "")
                            + LineDiff.of(text(in, "path"), text(in, "find"), text(in, "replace"))));

    FileChanges(Workspace workspace, FileRules rules) {
        change = new FileChange(workspace, rules.largestEdit());
    }

    private static String text(Json arguments, String field) {
        return arguments.get(field).orElseThrow().asString();
    }

    ToolDefinition write() {
        return write;
    }

    ToolDefinition edit() {
        return edit;
    }

    boolean handles(ToolDefinition definition) {
        return isWrite(definition.id()) || isEdit(definition.id());
    }

    private boolean isWrite(ToolId id) {
        return id.equals(write.id());
    }

    private boolean isEdit(ToolId id) {
        return id.equals(edit.id());
    }

    PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        if (!handles(call.definition())) {
            return call.unchanged();
        }
        String path = text(call.arguments(), "path");
        return call.freeze(change.prepare(path, content(call.definition(), call.arguments())));
    }

    String execute(PreparedCall call) throws Exception {
        String path = text(call.arguments(), "path");
        int bytes = change.apply(path, content(call.definition(), call.arguments()), call.payload(),
                call.context().idempotencyKey());
        return (isWrite(call.definition().id()) ? "written: " : "edited: ") + Shown.name(path) + ", " + bytes
                + " bytes";
    }

    private FileChange.Content content(ToolDefinition definition, Json in) {
        return isWrite(definition.id()) ? written(in) : edited(in);
    }

    private FileChange.Content written(Json in) {
        return before -> text(in, "content").getBytes(StandardCharsets.UTF_8);
    }

    private FileChange.Content edited(Json in) {
        boolean all = in.get("all").filter(Json.TRUE::equals).isPresent();
        return before -> edited(text(in, "path"), before, text(in, "find"), text(in, "replace"), all);
    }

    /** The difference between a file and what it becomes; of a file that is not there or cannot be changed so, what the arguments say. */
    private String preview(Json in, Function<Json, FileChange.Content> content, Supplier<String> arguments) {
        String path = text(in, "path");
        try {
            return change.texts(path, content.apply(in))
                    .map(texts -> LineDiff.unified(path, texts.before(), texts.after()))
                    .orElseGet(arguments);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return arguments.get();
        } catch (Exception refused) { // as the call itself will be, in its own words
            return arguments.get();
        }
    }

    private static byte[] edited(String path, byte @Nullable [] before, String find, String replace,
            boolean all) {
        if (before == null) {
            throw FileRefusal.missing(path);
        }
        String text = FileChange.text(path, before);
        int count = 0;
        for (int at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length())) {
            count++;
        }
        if (count == 0) {
            boolean ends = text.contains("\r\n") && find.contains("\n") && !find.contains("\r\n");
            throw FileRefusal.noMatch(path, ends
                    ? "; the lines of this file end with \\r\\n"
                    : find.contains("<U+")
                            ? "; a character that is shown as <U+000C> must be sent as \\u000c, itself"
                            : "");
        }
        if (count > 1 && !all) {
            throw FileRefusal.manyMatches(path, count);
        }
        return text.replace(find, replace).getBytes(StandardCharsets.UTF_8);
    }
}
