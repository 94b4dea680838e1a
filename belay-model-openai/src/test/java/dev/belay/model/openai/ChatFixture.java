package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.testkit.model.ClientSetup;
import dev.belay.testkit.model.ModelFixture;
import dev.belay.testkit.model.WireAnswer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Chat Completions as servers write it. */
class ChatFixture implements ModelFixture {

    @Override
    public Model model(ClientSetup setup) {
        return Clients.openAi(setup, OpenAiApi.CHAT_COMPLETIONS);
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.allOf(Feature.class);
    }

    @Override
    public Set<FinishReason> finishReasons() {
        return Set.of(FinishReason.STOP, FinishReason.LENGTH, FinishReason.TOOL_CALLS,
                FinishReason.CONTENT_FILTER);
    }

    @Override
    public Usage reportable(Usage usage) {
        return new Usage(usage.input(), usage.output(), usage.cacheRead(), OptionalLong.empty(),
                usage.reasoning());
    }

    @Override
    public List<List<String>> recorded() {
        return RecordedStreams.chat();
    }

    @Override
    public List<String> stream(List<ModelEvent> events) {
        List<String> sent = new ArrayList<>();
        String id = "";
        String model = "";
        for (ModelEvent event : events) {
            if (event instanceof Started started) {
                id = started.responseId();
                model = started.model();
                sent.add(chunk(id, model,
                        delta -> delta.name("role").value("assistant").name("content").nullValue(), null));
            } else if (event instanceof UsageReported(Usage usage)) {
                sent.add(usageChunk(id, model, usage));
            } else if (event instanceof Finished finished) {
                // the usage comes after the reason, as OpenAI sends it
                sent.add(sent.size() - 1, chunk(id, model, delta -> {}, reason(finished.reason())));
                sent.add("data: [DONE]\n\n");
            } else {
                sent.add(chunk(id, model, delta -> delta(delta, event), null));
            }
        }
        return sent;
    }

    private static void delta(JsonWriter out, ModelEvent event) {
        switch (event) {
            case TextDelta(String text) -> out.name("content").value(text);
            case ReasoningDelta(String text) -> out.name("reasoning_content").value(text);
            case RefusalDelta(String text) -> out.name("refusal").value(text);
            case CallStarted(int index, String id, String name) -> {
                out.name("tool_calls").beginArray().beginObject().name("index").value(index);
                if (!id.isEmpty()) {
                    out.name("id").value(id);
                }
                out.name("type")
                        .value("function")
                        .name("function")
                        .beginObject()
                        .name("name")
                        .value(name)
                        .name("arguments")
                        .value("")
                        .endObject()
                        .endObject()
                        .endArray();
            }
            case CallArguments(int index, String chunk) -> out.name("tool_calls")
                    .beginArray()
                    .beginObject()
                    .name("index")
                    .value(index)
                    .name("function")
                    .beginObject()
                    .name("arguments")
                    .value(chunk)
                    .endObject()
                    .endObject()
                    .endArray();
            default -> throw new IllegalArgumentException("no delta: " + event);
        }
    }

    private static String chunk(String id, String model, Consumer<JsonWriter> delta,
            @Nullable String reason) {
        return event(Json.write(out -> {
            head(out, id, model, "chat.completion.chunk");
            out.name("choices").beginArray().beginObject().name("index").value(0).name("delta").beginObject();
            delta.accept(out);
            out.endObject().name("finish_reason");
            if (reason == null) {
                out.nullValue();
            } else {
                out.value(reason);
            }
            out.endObject().endArray().endObject();
        }));
    }

    private static String usageChunk(String id, String model, Usage usage) {
        return event(Json.write(out -> {
            head(out, id, model, "chat.completion.chunk");
            out.name("choices").beginArray().endArray().name("usage").value(usage(usage)).endObject();
        }));
    }

    private static void head(JsonWriter out, String id, String model, String object) {
        out.beginObject()
                .name("id")
                .value(id)
                .name("object")
                .value(object)
                .name("created")
                .value(1763000000L)
                .name("model")
                .value(model);
    }

    private static Json usage(Usage usage) {
        return Json.write(out -> {
            out.beginObject();
            usage.input().ifPresent(count -> out.name("prompt_tokens").value(count));
            usage.output().ifPresent(count -> out.name("completion_tokens").value(count));
            usage.cacheRead()
                    .ifPresent(count -> out.name("prompt_tokens_details")
                            .beginObject()
                            .name("cached_tokens")
                            .value(count)
                            .endObject());
            usage.reasoning()
                    .ifPresent(count -> out.name("completion_tokens_details")
                            .beginObject()
                            .name("reasoning_tokens")
                            .value(count)
                            .endObject());
            out.endObject();
        });
    }

    @Override
    public String whole(ModelResponse response) {
        return Json.write(out -> {
            head(out, response.responseId(), response.model(), "chat.completion");
            out.name("choices")
                    .beginArray()
                    .beginObject()
                    .name("index")
                    .value(0)
                    .name("message")
                    .beginObject()
                    .name("role")
                    .value("assistant")
                    .name("content");
            if (response.text().isEmpty()) {
                out.nullValue();
            } else {
                out.value(response.text());
            }
            if (!response.message().reasoning().isEmpty()) {
                out.name("reasoning_content").value(response.message().reasoning());
            }
            response.refusal().ifPresent(refusal -> out.name("refusal").value(refusal));
            if (!response.calls().isEmpty()) {
                out.name("tool_calls").beginArray();
                response.calls().forEach(call -> call(out, call));
                out.endArray();
            }
            out.endObject()
                    .name("finish_reason")
                    .value(reason(response.finish()))
                    .endObject()
                    .endArray()
                    .name("usage")
                    .value(usage(response.usage()))
                    .endObject();
        }).text();
    }

    private static void call(JsonWriter out, CallPart call) {
        out.beginObject()
                .name("id")
                .value(call.id())
                .name("type")
                .value("function")
                .name("function")
                .beginObject()
                .name("name")
                .value(call.name())
                .name("arguments")
                .value(call.arguments())
                .endObject()
                .endObject();
    }

    private static String reason(FinishReason reason) {
        return switch (reason) {
            case STOP, REFUSAL, OTHER -> "stop";
            case LENGTH -> "length";
            case TOOL_CALLS -> "tool_calls";
            case CONTENT_FILTER -> "content_filter";
        };
    }

    private static String event(Json data) {
        return "data: " + data.text() + "\n\n";
    }

    @Override
    public String overloadedEvent() {
        return event(
                Json.of("{\"error\":{\"message\":\"Overloaded\",\"type\":\"server_error\",\"code\":503}}"));
    }

    @Override
    public String unknownEvent() {
        return "event: weather\nid: 7\nretry: 100\ndata: {\"object\":\"chat.weather\",\"mood\":[1,2]}\n\n";
    }

    @Override
    public WireAnswer failure(Failure failure, String message) {
        return Clients.failure(failure, message);
    }

    @Override
    public List<ToolSpec> tools(Json request) {
        return items(request, "tools").stream().map(tool -> {
            Json function = tool.get("function").orElseThrow();
            return new ToolSpec(string(function, "name"),
                    function.get("description").map(Json::asString).orElse(""),
                    function.get("parameters").orElseThrow());
        }).toList();
    }

    @Override
    public Optional<ToolChoice> toolChoice(Json request) {
        return request.get("tool_choice")
                .map(choice -> choice.kind() == Json.Kind.OBJECT
                        ? ToolChoice.specific(choice.at("/function/name").orElseThrow().asString())
                        : Clients.choice(choice.asString()));
    }

    @Override
    public Optional<Json> outputSchema(Json request) {
        return request.at("/response_format/json_schema/schema");
    }

    @Override
    public List<ImagePart> images(Json request) {
        return items(request, "messages").stream()
                .flatMap(message -> parts(message).stream())
                .flatMap(part -> part.at("/image_url/url").stream())
                .map(url -> Clients.image(url.asString()))
                .toList();
    }

    @Override
    public Generation generation(Json request) {
        Generation settings = Generation.PROVIDER_DECIDES;
        if (request.get("temperature").isPresent()) {
            settings = settings.withTemperature(request.get("temperature").get().asDouble());
        }
        return request.get("max_tokens").isPresent()
                ? settings.withMaxOutputTokens(request.get("max_tokens").get().asInt())
                : settings;
    }

    @Override
    public List<String> words(Json request) {
        return items(request, "messages").stream()
                .flatMap(message -> message.get("content").stream())
                .filter(content -> content.kind() == Json.Kind.STRING)
                .map(Json::asString)
                .toList();
    }

    @Override
    public List<String> replyIds(Json request) {
        return items(request, "messages").stream()
                .filter(message -> string(message, "role").equals("tool"))
                .map(message -> string(message, "tool_call_id"))
                .toList();
    }

    @Override
    public List<String> messages(Json request) {
        return items(request, "messages").stream().map(Json::text).toList();
    }

    @Override
    public int cacheMarks(Json request) {
        return request.get("prompt_cache_key").isPresent() ? 1 : 0;
    }

    private static List<Json> parts(Json message) {
        return message.get("content")
                .filter(content -> content.kind() == Json.Kind.ARRAY)
                .map(Json::items)
                .orElse(List.of());
    }

    private static List<Json> items(Json object, String name) {
        return object.get(name).map(Json::items).orElse(List.of());
    }

    private static String string(Json object, String name) {
        return object.get(name).orElseThrow().asString();
    }
}
