package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import dev.belay.model.http.wire.WireFields;

/** Reads the tokens of an answer. The two protocols name the counts differently. Stateless. */
final class TokenUsage {

    private TokenUsage() {}

    /**
     * The counts of Chat Completions. Some servers leave the thoughts out of the tokens that the model wrote; the total has them.
     */
    static Usage chat(Json usage) {
        Usage told = of(usage, "prompt_tokens", "completion_tokens");
        long total = WireFields.count(usage, "total_tokens").orElse(0);
        long hidden = total - told.total().orElse(total);
        if (hidden <= 0 || told.input().isEmpty() || told.output().isEmpty()) {
            return told;
        }
        Usage whole = told.withOutput(total - told.input().getAsLong());
        return whole.reasoning().isPresent() ? whole : whole.withReasoning(hidden);
    }

    /** The counts under these names; a count that is missing is not reported. */
    static Usage of(Json usage, String input, String output) {
        Json read = WireFields.field(usage, input + "_details").orElse(Json.EMPTY_OBJECT);
        Json written = WireFields.field(usage, output + "_details").orElse(Json.EMPTY_OBJECT);
        return new Usage(WireFields.count(usage, input), WireFields.count(usage, output),
                WireFields.count(read, "cached_tokens"), WireFields.count(read, "cache_write_tokens"),
                WireFields.count(written, "reasoning_tokens"));
    }
}
