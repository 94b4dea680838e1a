package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.Source;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.http.HttpSettings;
import dev.belay.model.http.HttpTimeouts;
import dev.belay.model.http.Surroundings;
import dev.belay.testkit.model.ClientSetup;
import dev.belay.testkit.model.ModelFixture;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.tool.option.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Messages as Anthropic writes it. */
final class MessagesFixture implements ModelFixture {

    @Override
    public Model model(ClientSetup setup) {
        HttpSettings settings = HttpSettings.DEFAULT
                .withTimeouts(new HttpTimeouts(setup.connect(), setup.firstByte(), setup.betweenChunks(),
                        setup.total()))
                .withRetries(
                        new RetryPolicy(setup.attempts(), Duration.ofMillis(500), 2, Duration.ofSeconds(30)))
                .withSurroundings(Surroundings.system().withSleeper(setup.sleeper()::accept));
        return AnthropicModel.builder(setup.model())
                .apiKey(setup.apiKey())
                .baseUrl(setup.server().toString())
                .streaming(setup.streaming())
                .caching(setup.caching() ? PromptCaching.FIVE_MINUTES : PromptCaching.OFF)
                .http(setup.proxy() == null ? settings : settings.withProxy(setup.proxy()))
                .build();
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.REASONING, Feature.CACHE_MARKS, Feature.IMAGE_LINKS);
    }

    @Override
    public Set<FinishReason> finishReasons() {
        return EnumSet.of(FinishReason.STOP, FinishReason.LENGTH, FinishReason.TOOL_CALLS,
                FinishReason.REFUSAL,
                FinishReason.OTHER);
    }

    @Override
    public Usage reportable(Usage usage) {
        return new Usage(usage.input(), usage.output(), usage.cacheRead(), usage.cacheWrite(),
                OptionalLong.empty());
    }

    @Override
    public List<List<String>> recorded() {
        return RecordedMessages.STREAMS;
    }

    @Override
    public List<String> stream(List<ModelEvent> events) {
        return new MessagesStream(events).written();
    }

    @Override
    public String whole(ModelResponse response) {
        return Json.write(out -> {
            out.beginObject().name("id").value(response.responseId()).name("type").value("message");
            out.name("role")
                    .value("assistant")
                    .name("model")
                    .value(response.model())
                    .name("content")
                    .beginArray();
            response.message().parts().forEach(part -> out.value(MessagesStream.block(part)));
            out.endArray().name("stop_reason").value(MessagesStream.word(response.finish()));
            out.name("stop_sequence")
                    .nullValue()
                    .name("usage")
                    .value(MessagesStream.usage(response.usage()))
                    .endObject();
        }).text();
    }

    @Override
    public String overloadedEvent() {
        return MessagesStream.event(
                Json.of("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"));
    }

    @Override
    public String unknownEvent() {
        return MessagesStream
                .event(Json.of("{\"type\":\"weather_report\",\"index\":7,\"sky\":{\"blue\":true}}"));
    }

    @Override
    public WireAnswer failure(Failure failure, String message) {
        return switch (failure) {
            case WRONG_KEY -> refusal(401, "authentication_error", "invalid x-api-key " + message);
            case FORBIDDEN -> refusal(403, "permission_error", message);
            case UNKNOWN_MODEL -> refusal(404, "not_found_error", "model: " + message);
            case CONTEXT_TOO_LONG ->
                refusal(400, "invalid_request_error",
                        "prompt is too long: 210000 tokens > 200000 maximum " + message);
            case NO_TOOLS ->
                refusal(400, "invalid_request_error", "this model does not support tools " + message);
            case INVALID -> refusal(400, "invalid_request_error", "max_tokens: " + message);
            case RATE_LIMITED -> refusal(429, "rate_limit_error", message);
            case OVERLOADED -> refusal(529, "overloaded_error", message);
        };
    }

    private static WireAnswer refusal(int status, String type, String message) {
        return WireAnswer.of(status, "application/json", Json.write(out -> out.beginObject()
                .name("type")
                .value("error")
                .name("error")
                .beginObject()
                .name("type")
                .value(type)
                .name("message")
                .value(message)
                .endObject()
                .endObject()).text());
    }

    @Override
    public List<ToolSpec> tools(Json request) {
        return items(request, "tools").stream()
                .map(tool -> new ToolSpec(text(tool, "name"), text(tool, "description"),
                        tool.get("input_schema").orElseThrow()))
                .toList();
    }

    @Override
    public Optional<ToolChoice> toolChoice(Json request) {
        return request.get("tool_choice").map(choice -> switch (text(choice, "type")) {
            case "auto" -> ToolChoice.auto();
            case "any" -> ToolChoice.any();
            case "none" -> ToolChoice.none();
            default -> ToolChoice.specific(text(choice, "name"));
        });
    }

    /** Without what the provider demands of every object and the client adds for it. */
    @Override
    public Optional<Json> outputSchema(Json request) {
        return request.at("/output_config/format/schema").map(schema -> {
            Map<String, Json> fields = new LinkedHashMap<>(schema.fields());
            if (!Json.FALSE.equals(fields.remove("additionalProperties"))) {
                throw new AssertionError("Anthropic refuses objects that allow other fields: " + schema);
            }
            return Json.object(fields);
        });
    }

    @Override
    public List<ImagePart> images(Json request) {
        List<ImagePart> images = new ArrayList<>();
        for (Json block : blocks(request)) {
            if (text(block, "type").equals("image")) {
                Json source = block.get("source").orElseThrow();
                images.add(text(source, "type").equals("url")
                        ? new ImagePart("image/*", Source.at(URI.create(text(source, "url"))))
                        : new ImagePart(text(source, "media_type"), new Source.Inline(text(source, "data"))));
            }
        }
        return images;
    }

    @Override
    public Generation generation(Json request) {
        Generation settings = Generation.PROVIDER_DECIDES;
        if (request.get("temperature").isPresent()) {
            settings = settings.withTemperature(request.get("temperature").get().asDouble());
        }
        if (request.get("top_p").isPresent()) {
            settings = settings.withTopP(request.get("top_p").get().asDouble());
        }
        return settings.withMaxOutputTokens(request.get("max_tokens").orElseThrow().asInt());
    }

    @Override
    public List<String> words(Json request) {
        List<String> words = new ArrayList<>();
        items(request, "system").forEach(block -> words.add(text(block, "text")));
        for (Json block : blocks(request)) {
            switch (text(block, "type")) {
                case "text" -> words.add(text(block, "text"));
                case "tool_result" -> words.add(text(block, "content"));
                default -> {
                }
            }
        }
        return words;
    }

    @Override
    public List<String> replyIds(Json request) {
        return blocks(request).stream()
                .filter(block -> text(block, "type").equals("tool_result"))
                .map(block -> text(block, "tool_use_id"))
                .toList();
    }

    @Override
    public List<String> messages(Json request) {
        return items(request, "messages").stream().map(Json::text).toList();
    }

    @Override
    public int cacheMarks(Json request) {
        return request.text().split("\"cache_control\"", -1).length - 1;
    }

    @Override
    public String replayed(Json payload) {
        return payload.get("content").orElseThrow().text();
    }

    static List<Json> blocks(Json request) {
        return items(request, "messages").stream()
                .flatMap(message -> items(message, "content").stream())
                .toList();
    }

    static List<Json> items(Json object, String name) {
        return object.get(name).map(Json::items).orElse(List.of());
    }

    static String text(Json object, String name) {
        return object.get(name).map(Json::asString).orElse("");
    }
}
