package dev.belay.toolset.budget;

import dev.belay.model.MessageLog;
import dev.belay.model.ModelRequest;
import dev.belay.model.OutputSpec;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;

/** Guesses what a request will spend, before it is sent. */
@FunctionalInterface
public interface UsageEstimator {

    /**
     * Four characters a token; the answer as long as the request allows, or 256 tokens. What it costs to guess does not grow with
     * the length of a {@link MessageLog}.
     */
    UsageEstimator BY_LENGTH = request -> {
        long characters = MessageLog.of(request.messages()).characters();
        for (ToolSpec tool : request.tools()) {
            characters += tool.description().length() + tool.inputSchema().text().length();
        }
        if (request.output() instanceof OutputSpec.Schema form) {
            characters += form.schema().text().length();
        }
        return Usage.of(tokens(characters), request.generation().maxOutputTokens().orElse(256));
    };

    /** Guesses input and output tokens. */
    Usage estimate(ModelRequest request);

    /** Tokens of a text of this many characters. */
    static long tokens(long characters) {
        return (characters + 3) / 4;
    }
}
