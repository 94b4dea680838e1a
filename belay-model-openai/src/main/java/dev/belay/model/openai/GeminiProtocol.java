package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;

/**
 * Chat Completions as Google's endpoint for Gemini speaks it. Google signs the thoughts behind a call, and Gemini 3 refuses a
 * history in which the first call of a message has no signature. An answer of Gemini is sent back with its signatures; calls of
 * another provider get the mark with which Google lets them pass. Thread-safe: immutable.
 */
final class GeminiProtocol extends ChatProtocol {

    /** The name of this protocol in a native payload. Answers of other servers have no signatures, so they are foreign. */
    static final String NAME = "gemini-chat";

    /** Google's own mark for a call that Gemini has not made. */
    private static final Json UNSIGNED = Json
            .of("{\"google\":{\"thought_signature\":\"skip_thought_signature_validator\"}}");

    private final Gemini gemini;

    GeminiProtocol(OpenAiOptions options, Gemini gemini) {
        super(options);
        this.gemini = gemini;
    }

    @Override
    String name() {
        return NAME;
    }

    @Override
    void callExtras(JsonWriter out, boolean first) {
        if (first) {
            out.name("extra_content").value(UNSIGNED);
        }
    }

    /** Google refuses an effort beside settings of thoughts, so one of the two carries it. */
    @Override
    void effort(JsonWriter out, Generation settings) {
        if (!gemini.thoughts()) {
            super.effort(out, settings);
        }
        if (!gemini.thoughts() && gemini.safety().isEmpty()) {
            return;
        }
        out.name("extra_body").beginObject().name("google").beginObject();
        if (gemini.thoughts()) {
            out.name("thinking_config").beginObject().name("include_thoughts").value(true);
            settings.effort().ifPresent(effort -> level(out, effort));
            out.endObject();
        }
        if (!gemini.safety().isEmpty()) {
            out.name("safety_settings").value(gemini.safetySettings());
        }
        out.endObject().endObject();
    }

    /** Models before Gemini 3 count tokens instead of levels. */
    private void level(JsonWriter out, Effort effort) {
        if (options.model().contains("gemini-2")) {
            out.name("thinking_budget").value(switch (effort) {
                case NONE -> 0;
                case MINIMAL, LOW -> 1_024;
                case MEDIUM -> 8_192;
                case HIGH -> 24_576;
            });
        } else {
            out.name("thinking_level").value(effort == Effort.NONE ? "minimal" : options.word(effort));
        }
    }
}
