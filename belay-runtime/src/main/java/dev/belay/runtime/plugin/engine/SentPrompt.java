package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What plugins have done to one question, as its round records it; pinned by a golden file.
 *
 * @param prompt what stands around the conversation, or null for nothing
 * @param hidden names of tools that were left out
 * @param view what views have made of the conversation since the last compaction, or null for nothing
 * @param searched how tools could be searched, or null for not
 */
public record SentPrompt(@Nullable Prompt prompt, Set<String> hidden, @Nullable Json view,
        @Nullable Searched searched) {

    /**
     * That the search of tools was offered.
     *
     * @param only names of the tools that were offered, if others were left out because of their size; else empty
     */
    public record Searched(Set<String> only) {}

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
                out.name("hidden").value(names(hidden));
            }
            if (view != null) {
                out.name("view").value(view);
            }
            if (searched != null) {
                out.name("searched").value(names(searched.only()));
            }
            out.endObject();
        });
    }

    /** The same of a record; null for none. */
    public static @Nullable SentPrompt of(@Nullable Json recorded, @Nullable String before) {
        if (recorded == null) {
            return null;
        }
        return new SentPrompt(recorded.get("prompt").map(prompt -> Prompt.of(prompt, before)).orElse(null),
                names(RecordReader.items(recorded, "hidden")), recorded.get("view").orElse(null),
                recorded.get("searched").map(only -> new Searched(names(only.items()))).orElse(null));
    }

    /** Texts and views of plugins that were left out, with the reason. */
    public List<String> failed() {
        List<String> failed = new ArrayList<>(prompt == null ? List.of() : prompt.failed());
        if (view != null) {
            RecordReader.items(view, "failed").forEach(one -> failed.add(one.asString()));
        }
        return failed;
    }

    private static Json names(Set<String> names) {
        return Json.array(names.stream().map(Json::string).toList());
    }

    private static Set<String> names(List<Json> recorded) {
        Set<String> names = new LinkedHashSet<>();
        recorded.forEach(name -> names.add(name.asString()));
        return names;
    }
}
