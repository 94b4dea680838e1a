package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.Source;
import dev.belay.model.ToolChoice;
import dev.belay.model.http.HttpSettings;
import dev.belay.model.http.HttpTimeouts;
import dev.belay.model.http.Surroundings;
import dev.belay.testkit.model.ClientSetup;
import dev.belay.testkit.model.ModelFixture.Failure;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.tool.option.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;

/** What the fixtures of both protocols share. */
final class Clients {

    private Clients() {}

    static Model openAi(ClientSetup setup, OpenAiApi api) {
        return model(setup, OpenAiModel.builder(setup.model()).api(api));
    }

    static Model model(ClientSetup setup, OpenAiModel.Builder builder) {
        HttpSettings settings = HttpSettings.DEFAULT
                .withTimeouts(new HttpTimeouts(setup.connect(), setup.firstByte(), setup.betweenChunks(),
                        setup.total()))
                .withRetries(
                        new RetryPolicy(setup.attempts(), Duration.ofMillis(500), 2, Duration.ofSeconds(30)))
                .withSurroundings(Surroundings.system().withSleeper(setup.sleeper()::accept));
        if (setup.proxy() != null) {
            settings = settings.withProxy(setup.proxy());
        }
        builder.baseUrl(setup.server() + "/v1")
                .apiKey(setup.apiKey())
                .streaming(setup.streaming())
                .keepReasoning(true)
                .http(settings);
        return (setup.caching() ? builder.cacheKey("contract") : builder).build();
    }

    /** OpenAI's own words, and Ollama's where OpenAI has none. */
    static WireAnswer failure(Failure failure, String message) {
        return switch (failure) {
            case WRONG_KEY -> error(401, "invalid_request_error", "invalid_api_key",
                    "Incorrect API key provided. " + message);
            case FORBIDDEN ->
                error(403, "invalid_request_error", "unsupported_country_region_territory", message);
            case UNKNOWN_MODEL ->
                error(404, "invalid_request_error", "model_not_found",
                        "The model does not exist. " + message);
            case CONTEXT_TOO_LONG -> error(400, "invalid_request_error", "context_length_exceeded",
                    "This model's maximum context length is 8192 tokens. " + message);
            case NO_TOOLS -> error(400, "api_error", "", "contract-model does not support tools. " + message);
            case INVALID -> error(400, "invalid_request_error", "", "Unknown parameter. " + message);
            case RATE_LIMITED ->
                error(429, "requests", "rate_limit_exceeded", "Rate limit reached. " + message);
            case OVERLOADED -> error(503, "server_error", "", "The server is overloaded. " + message);
        };
    }

    private static WireAnswer error(int status, String type, String code, String message) {
        return WireAnswer.of(status, "application/json",
                Json.write(out -> out.beginObject()
                        .name("error")
                        .beginObject()
                        .name("message")
                        .value(message)
                        .name("type")
                        .value(type)
                        .name("param")
                        .nullValue()
                        .name("code")
                        .value(code)
                        .endObject()
                        .endObject()).text());
    }

    static ToolChoice choice(String word) {
        return switch (word) {
            case "auto" -> ToolChoice.auto();
            case "required" -> ToolChoice.any();
            case "none" -> ToolChoice.none();
            default -> throw new IllegalArgumentException(word);
        };
    }

    static ImagePart image(String url) {
        if (!url.startsWith("data:")) {
            return new ImagePart("image/*", Source.at(URI.create(url)));
        }
        int semicolon = url.indexOf(';');
        return new ImagePart(url.substring("data:".length(), semicolon),
                Source.of(Base64.getDecoder().decode(url.substring(url.indexOf(',') + 1))));
    }
}
