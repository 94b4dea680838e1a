package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What plugins have done to one question, as its round records it; pinned by a golden file.
 *
 * @param prompt what stands around the conversation, or null for nothing
 * @param hidden names of tools that were left out
 * @param view what views have made of the conversation since the last compaction, or null for nothing
 */
public record SentPrompt(@Nullable Prompt prompt, Set<String> hidden, @Nullable Json view) {

    /**
     * Its record.
     *
     * @param before the system text of the round before, which is not repeated
     */
    public Json toJson(@Nullable String before) {
        return Json.write(out -> {
            out.beginObject();
            if (prompt != null) {
                out.name("prompt").value(prompt.toJson(before));
            }
            if (!hidden.isEmpty()) {
                out.name("hidden").value(Json.array(hidden.stream().map(Json::string).toList()));
            }
            if (view != null) {
                out.name("view").value(view);
            }
            out.endObject();
        });
    }

    /** The same of a record; null for none. */
    public static @Nullable SentPrompt of(@Nullable Json recorded, @Nullable String before) {
        if (recorded == null) {
            return null;
        }
        Set<String> hidden = new LinkedHashSet<>();
        RecordReader.items(recorded, "hidden").forEach(name -> hidden.add(name.asString()));
        return new SentPrompt(recorded.get("prompt").map(prompt -> Prompt.of(prompt, before)).orElse(null),
                hidden, recorded.get("view").orElse(null));
    }
}
