package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.anthropic.AnthropicModel;
import dev.belay.model.anthropic.PromptCaching;
import dev.belay.model.anthropic.Thinking;

/** The code that the documents show of {@code belay-model-anthropic}. */
final class AnthropicSnippets {

    private AnthropicSnippets() {}

    static Model environment() {
        // region environment
        Model model = AnthropicModel.fromEnvironment(); // ANTHROPIC_API_KEY
        // endregion
        return model;
    }

    static Model builder(String key) {
        // region builder
        Model model = AnthropicModel.builder("claude-sonnet-4-6")
                .apiKey(key)
                .maxOutputTokens(8_000) // when a request sets none; default 32,000
                .caching(PromptCaching.ONE_HOUR) // default five minutes
                .thinking(Thinking.ADAPTIVE) // BUDGET for models up to 4.5
                .field("metadata", Json.of("{\"user_id\":\"u-1\"}"))
                .build();
        // endregion
        return model;
    }
}
