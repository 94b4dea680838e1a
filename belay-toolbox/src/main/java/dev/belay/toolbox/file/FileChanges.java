package dev.belay.toolbox.file;

import dev.belay.json.Json;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.call.PreparedCall;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The bodies of the tools that change files, and the values that are frozen before an approval. Thread-safe. */
final class FileChanges {

    private final FileChange change;
    private final int largest;
    private final ToolDefinition write = ToolDefinition.of(FileCalls.WriteFile.class)
            .preview(in -> preview(in, this::written,
                    () -> LineDiff.created(text(in, "path"), text(in, "content"))));
    private final ToolDefinition edit = ToolDefinition.of(FileCalls.EditFile.class)
            .preview(in -> preview(in, this::edited,
                    () -> (in.get("all").filter(Json.TRUE::equals).isPresent() ? "every occurrence\n" : "")
                            + LineDiff.of(text(in, "path"), text(in, "find"), text(in, "replace"))));

    FileChanges(Workspace workspace, FileRules rules) {
        largest = rules.largestEdit();
        change = new FileChange(workspace, rules);
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
        return isWrite(definition) || definition.id().equals(edit.id());
    }

    /** The arguments of a change in their one form. */
    Json inOneForm(ToolDefinition definition, Json arguments) throws Exception {
        if (!definition.id().equals(edit.id())) {
            return arguments;
        }
        String path = text(arguments, "path");
        Optional<String> patch = EditForm.patch(arguments);
        if (patch.isEmpty()) {
            return EditForm.of(path, arguments);
        }
        UnifiedPatch read = UnifiedPatch.of(path, patch.get());
        FileChange.Texts texts = change
                .texts(path, before -> read.apply(FileChange.text(path, Objects.requireNonNull(before)))
                        .getBytes(StandardCharsets.UTF_8))
                .orElseThrow(() -> FileRefusal.missing(path));
        return EditForm.of(path, arguments, texts.before(), texts.after());
    }

    /** What is frozen of a change. */
    Json prepare(ToolDefinition definition, Json arguments, Workspace.Place place) throws Exception {
        return change.prepare(place, content(definition, arguments));
    }

    String execute(PreparedCall call, Workspace.Place place) throws Exception {
        int bytes = change.apply(place, content(call.definition(), call.arguments()),
                call.payload().orElseThrow(), call.context().idempotencyKey());
        return (isWrite(call.definition()) ? "written: " : "edited: ") + Shown.name(place.text()) + ", "
                + bytes
                + " bytes";
    }

    private boolean isWrite(ToolDefinition definition) {
        return definition.id().equals(write.id());
    }

    private FileChange.Content content(ToolDefinition definition, Json in) {
        return isWrite(definition) ? written(in) : edited(in);
    }

    private FileChange.Content written(Json in) {
        return before -> {
            byte[] content = text(in, "content").getBytes(StandardCharsets.UTF_8);
            if (content.length > largest) {
                throw FileRefusal.tooMuch(text(in, "path"), content.length, largest);
            }
            return content;
        };
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

    private byte[] edited(String path, byte @Nullable [] before, String find, String replace,
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
        // counted before it is built: a short file may become a huge one
        long size = before.length + (long) count * (bytes(replace) - bytes(find));
        if (size > largest) {
            throw FileRefusal.tooMuch(path, size, largest);
        }
        return text.replace(find, replace).getBytes(StandardCharsets.UTF_8);
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
