package dev.belay.toolbox;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Shown;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.Scheduling;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes of a model: {@code session_note_append} and {@code session_note_search}. The host sets their file; no argument of a call
 * can choose another. Thread-safe.
 */
public final class NoteTools implements ToolProvider {

    private static final OutputBudget FOUND = new OutputBudget(16 << 10, 400, OutputBudget.Keep.HEAD);

    private final StaticToolProvider tools;

    @Tool(effect = ToolEffect.IDEMPOTENT, scheduling = Scheduling.SERIAL, tags = "note")
    @Description("Appends a note to the session's notes. One call is one note, whatever line breaks it has.")
    record SessionNoteAppend(@Description("the note") @Length(min = 1, max = 8000) String note)
            implements
                ToolInput<String> {}

    @Tool(effect = ToolEffect.READ, tags = "note")
    @Description("Finds notes of the session that contain a text. Answers with the notes, oldest first.")
    record SessionNoteSearch(
            @Description("the text to look for, letter case counts") @Length(max = 1000) String query)
            implements
                ToolInput<String> {}

    private NoteTools(NoteFile file) {
        tools = StaticToolProvider.builder()
                .tool(ToolDefinition.of(SessionNoteAppend.class)
                        .preview(in -> "notes " + in.get("note").orElseThrow().asString()),
                        SessionNoteAppend.class, (in, context) -> {
                            file.append(in.note(), context.idempotencyKey());
                            return "note appended";
                        })
                .tool(ToolDefinition.of(SessionNoteSearch.class)
                        .budget(FOUND)
                        .preview(in -> "looks for notes with " + in.get("query").orElseThrow().text()),
                        SessionNoteSearch.class, (in, context) -> Shown.output(file.search(in.query())))
                .build();
    }

    /** Notes in a file, which is created at the first note. */
    public static NoteTools in(Path file, Clock clock) {
        return new NoteTools(new NoteFile(file, clock));
    }

    @Override
    public List<ToolDefinition> definitions() {
        return tools.definitions();
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return tools.execute(call);
    }
}
