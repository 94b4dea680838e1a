package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.http.BaseUrl;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a Gemini model is asked through Google's endpoint for Chat Completions; {@link OpenAiModel#gemini} starts such a model.
 * Immutable.
 *
 * @param thoughts whether the model shows summaries of its thoughts
 * @param safety the thresholds of Google's filters by their categories; a category that is not set has Google's default
 */
public record Gemini(boolean thoughts, Map<String, String> safety) {

    /** Google's address. */
    public static final BaseUrl URL = BaseUrl.of("https://generativelanguage.googleapis.com/v1beta/openai");

    /** Neither thoughts nor thresholds: Google decides. */
    public static final Gemini DEFAULT = new Gemini(false, Map.of());

    /** Copies the thresholds. */
    public Gemini {
        safety = Collections.unmodifiableMap(new LinkedHashMap<>(safety));
    }

    /** The same with summaries of the model's thoughts, told as reasoning. */
    public Gemini withThoughts() {
        return new Gemini(true, safety);
    }

    /**
     * The same with a threshold.
     *
     * @param category in Google's words, such as {@code HARM_CATEGORY_DANGEROUS_CONTENT}
     * @param threshold in Google's words, such as {@code BLOCK_ONLY_HIGH}
     */
    public Gemini withSafety(String category, String threshold) {
        Map<String, String> more = new LinkedHashMap<>(safety);
        more.put(category, threshold);
        return new Gemini(thoughts, more);
    }

    /** The thresholds as Google reads them. */
    Json safetySettings() {
        return Json.array(safety.entrySet()
                .stream()
                .map(entry -> Json.write(out -> out.beginObject()
                        .name("category")
                        .value(entry.getKey())
                        .name("threshold")
                        .value(entry.getValue())
                        .endObject()))
                .toList());
    }
}
