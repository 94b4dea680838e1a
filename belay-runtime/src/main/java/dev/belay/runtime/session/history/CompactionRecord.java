package dev.belay.runtime.session.history;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one compaction decided; pinned by a test.
 *
 * @param decided for people
 * @param upTo how many messages of the conversation the pieces stand for
 * @param pieces what is sent in their place; null if no compactor gave anything that can be sent
 * @param spent what models were asked for it, in the form of the turn's spending
 * @param unrecorded whether a process that died may have asked a model for it without a record
 * @param commands ids of the commands that asked for it
 */
record CompactionRecord(Compaction decided, int upTo, @Nullable Pieces pieces, List<Json> spent,
        boolean unrecorded, List<String> commands) {

    CompactionRecord {
        spent = List.copyOf(spent);
        commands = List.copyOf(commands);
    }

    Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            write(out.name("decided"), decided);
            out.name("upTo").value(upTo);
            if (pieces != null) {
                pieces.write(out.name("pieces"));
            }
            if (!spent.isEmpty()) {
                out.name("spent").value(Json.array(spent));
            }
            if (unrecorded) {
                out.name("unrecorded").value(true);
            }
            if (!commands.isEmpty()) {
                out.name("commands").value(strings(commands));
            }
            out.endObject();
        });
    }

    static CompactionRecord of(Json recorded) {
        return RecordReader.versioned("compaction", recorded,
                () -> new CompactionRecord(decided(RecordReader.field(recorded, "decided")),
                        RecordReader.field(recorded, "upTo").asInt(),
                        recorded.get("pieces").isPresent() ? Pieces.of(recorded, "pieces") : null,
                        RecordReader.items(recorded, "spent"),
                        recorded.get("unrecorded").map(Json::asBoolean).orElse(false),
                        texts(recorded, "commands")));
    }

    static void write(JsonWriter out, Compaction decided) {
        out.beginObject().name("turn").value(decided.turn()).name("round").value(decided.round());
        out.name("reason").value(decided.reason().name()).name("plugin").value(decided.plugin());
        out.name("before").value(decided.tokensBefore()).name("after").value(decided.tokensAfter());
        out.name("kept").value(decided.kept()).name("shortened").value(decided.shortened());
        out.name("dropped").value(decided.dropped()).name("added").value(decided.added());
        if (!decided.models().isEmpty()) {
            out.name("models").value(strings(decided.models()));
        }
        if (!decided.failed().isEmpty()) {
            out.name("failed").value(strings(decided.failed()));
        }
        out.endObject();
    }

    static Compaction decided(Json recorded) {
        return new Compaction(RecordReader.field(recorded, "turn").asLong(), number(recorded, "round"),
                HistoryHook.Reason.valueOf(RecordReader.text(recorded, "reason")),
                RecordReader.text(recorded, "plugin"), RecordReader.field(recorded, "before").asLong(),
                RecordReader.field(recorded, "after").asLong(), number(recorded, "kept"),
                number(recorded, "shortened"), number(recorded, "dropped"), number(recorded, "added"),
                texts(recorded, "models"), texts(recorded, "failed"));
    }

    private static int number(Json recorded, String name) {
        return RecordReader.field(recorded, name).asInt();
    }

    private static Json strings(List<String> texts) {
        return Json.array(texts.stream().map(Json::string).toList());
    }

    private static List<String> texts(Json recorded, String name) {
        return RecordReader.items(recorded, name).stream().map(Json::asString).toList();
    }
}
