package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.ModelResponse;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.Environment;
import dev.belay.model.http.HttpSettings;
import dev.belay.model.http.HttpTimeouts;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.model.openai.Gemini;
import dev.belay.model.openai.OpenAiApi;
import dev.belay.model.openai.OpenAiModel;
import dev.belay.tool.option.RetryPolicy;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The code of {@code docs/models.md}, {@code docs/local-models.md} and {@code docs/provider-tools.md}. */
final class HttpModelSnippets {

    private HttpModelSnippets() {}

    static Model discover() {
        // region discover
        Model model = ModelDiscovery.start().find();
        // endregion
        return model;
    }

    static Model builder(String key) {
        // region builder
        Model model = OpenAiModel.builder("gpt-5-mini")
                .apiKey(key)
                .api(OpenAiApi.RESPONSES)
                .cacheKey("support-desk")
                .build();
        // endregion
        return model;
    }

    static Model http() {
        // region http
        HttpSettings http = HttpSettings.DEFAULT
                .withTimeouts(HttpTimeouts.DEFAULT.withFirstByte(Duration.ofMinutes(15)))
                .withRetries(RetryPolicy.attempts(5))
                .withProxy(InetSocketAddress.createUnresolved("proxy.example", 3128));
        Model model = OpenAiModel.builder("qwen3:8b")
                .baseUrl("http://gpu.example:8000/v1")
                .http(http)
                .build();
        // endregion
        return model;
    }

    static Model providerTools(String key) {
        // region providerTools
        Model model = OpenAiModel.builder("gpt-5-mini")
                .apiKey(key)
                .api(OpenAiApi.RESPONSES)
                .providerTools(Json.of("{\"type\":\"web_search\"}"))
                .build();
        // endregion
        return model;
    }

    static void details(ModelResponse response) {
        // region details
        AnswerDetails details = OpenAiModel.details(response.message());
        for (AnswerDetails.Citation citation : details.citations()) {
            System.out.println(citation.title() + " " + citation.source());
        }
        // endregion
    }

    static Model gemini(String key) {
        // region gemini
        Model model = OpenAiModel.gemini("gemini-3-flash-preview")
                .apiKey(key)
                .gemini(Gemini.DEFAULT.withThoughts()
                        .withSafety("HARM_CATEGORY_DANGEROUS_CONTENT", "BLOCK_ONLY_HIGH"))
                .build();
        // endregion
        return model;
    }

    static Model local(Environment environment) {
        // region local
        Model model = ModelDiscovery.start().model("qwen3:8b").environment(environment).find();
        // endregion
        return model;
    }

    static Model address() {
        // region address
        Model model = OpenAiModel.builder("qwen3:8b").baseUrl("http://127.0.0.1:11434/v1").build();
        // endregion
        return model;
    }
}
