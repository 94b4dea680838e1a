package dev.belay.model.openai;

import dev.belay.json.Json;
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
import dev.belay.model.Part.ImagePart;
import dev.belay.model.ResponseReducer;
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
import java.util.stream.Collectors;

/**
 * The Responses API as OpenAI writes it: reasoning, message and calls are items of one list.
 */
final class ResponsesFixture implements ModelFixture {

    @Override
    public Model model(ClientSetup setup) {
        return Clients.openAi(setup, OpenAiApi.RESPONSES);
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.allOf(Feature.class);
    }

    @Override
    public Set<FinishReason> finishReasons() {
        return Set.of(FinishReason.STOP, FinishReason.LENGTH, FinishReason.CONTENT_FILTER);
    }

    @Override
    public Usage reportable(Usage usage) {
        return new Usage(usage.input(), usage.output(), usage.cacheRead(), OptionalLong.empty(),
                usage.reasoning());
    }

    @Override
    public List<List<String>> recorded() {
        return RecordedStreams.responses();
    }

    @Override
    public List<String> stream(List<ModelEvent> events) {
        List<String> sent = new ArrayList<>();
        int message = events.stream().anyMatch(ReasoningDelta.class::isInstance) ? 1 : 0;
        int calls = message + (events.stream().anyMatch(TextDelta.class::isInstance) ? 1 : 0);
        for (ModelEvent event : events) {
            switch (event) {
                case Started(String model, String id) -> {
                    String response = "\"response\":{\"id\":" + quoted(id)
                            + ",\"object\":\"response\",\"status\":\"in_progress\",\"model\":"
                            + quoted(model) + ",\"output\":[],\"usage\":null,\"error\":null}";
                    sent.add(event("response.created", response));
                    sent.add(event("response.in_progress", response));
                }
                case TextDelta(String text) -> sent.add(delta("output_text", message, text));
                case RefusalDelta(String text) -> sent.add(delta("refusal", message, text));
                case ReasoningDelta(String text) ->
                    sent.add(delta("reasoning_summary_text", 0, text));
                case CallStarted call -> sent.add(event("response.output_item.added",
                        "\"output_index\":" + (calls + call.index()) + ",\"item\":"
                                + call(call.index(), call.id(), call.name(), "")));
                case CallArguments(int index, String chunk) ->
                    sent.add(delta("function_call_arguments", calls + index, chunk));
                case UsageReported usage -> {
                    // told with the last event
                }
                case Finished finished -> {
                    ModelResponse response = ResponseReducer.reduce(events);
                    boolean cut = finished.reason() == FinishReason.LENGTH
                            || finished.reason() == FinishReason.CONTENT_FILTER;
                    sent.add(event(cut ? "response.incomplete" : "response.completed",
                            "\"response\":" + whole(response)));
                }
            }
        }
        return sent;
    }

    private static String delta(String kind, int place, String text) {
        return event("response." + kind + ".delta",
                "\"item_id\":\"item_" + place + "\",\"output_index\":" + place
                        + ",\"content_index\":0,\"delta\":" + quoted(text));
    }

    private static String event(String type, String fields) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\",\"sequence_number\":1," + fields
                + "}\n\n";
    }

    private static String call(int index, String id, String name, String arguments) {
        return "{\"type\":\"function_call\",\"id\":\"fc_" + index + "\",\"status\":\"completed\""
                + (id.isEmpty() ? "" : ",\"call_id\":" + quoted(id)) + ",\"name\":" + quoted(name)
                + ",\"arguments\":"
                + quoted(arguments) + "}";
    }

    @Override
    public String whole(ModelResponse response) {
        List<String> output = new ArrayList<>();
        if (!response.message().reasoning().isEmpty()) {
            output.add(
                    "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"gAAAA==\",\"summary\":[{\"type\":\"summary_text\",\"text\":"
                            + quoted(response.message().reasoning()) + "}]}");
        }
        if (!response.text().isEmpty()) {
            output.add(
                    "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"annotations\":[],\"text\":"
                            + quoted(response.text()) + "}]}");
        }
        response.refusal()
                .ifPresent(refusal -> output.add(
                        "{\"type\":\"message\",\"id\":\"msg_2\",\"role\":\"assistant\",\"content\":[{\"type\":\"refusal\",\"refusal\":"
                                + quoted(refusal) + "}]}"));
        for (int i = 0; i < response.calls().size(); i++) {
            var call = response.calls().get(i);
            output.add(call(i, call.id(), call.name(), call.arguments()));
        }
        String why = switch (response.finish()) {
            case LENGTH -> "{\"reason\":\"max_output_tokens\"}";
            case CONTENT_FILTER -> "{\"reason\":\"content_filter\"}";
            default -> "null";
        };
        return "{\"id\":" + quoted(response.responseId()) + ",\"object\":\"response\",\"status\":\""
                + (why.equals("null") ? "completed" : "incomplete")
                + "\",\"error\":null,\"incomplete_details\":" + why
                + ",\"model\":" + quoted(response.model()) + ",\"output\":[" + String.join(",", output)
                + "],\"usage\":"
                + usage(response.usage()) + "}";
    }

    private static String usage(Usage usage) {
        return Json.write(out -> {
            out.beginObject();
            usage.input().ifPresent(count -> out.name("input_tokens").value(count));
            usage.output().ifPresent(count -> out.name("output_tokens").value(count));
            usage.cacheRead()
                    .ifPresent(count -> out.name("input_tokens_details")
                            .beginObject()
                            .name("cached_tokens")
                            .value(count)
                            .endObject());
            usage.reasoning()
                    .ifPresent(count -> out.name("output_tokens_details")
                            .beginObject()
                            .name("reasoning_tokens")
                            .value(count)
                            .endObject());
            out.endObject();
        }).text();
    }

    @Override
    public String overloadedEvent() {
        return event("response.failed",
                "\"response\":{\"id\":\"answer-1\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"Overloaded\"}}");
    }

    @Override
    public String unknownEvent() {
        return event("response.weather.delta", "\"output_index\":3,\"delta\":{\"mood\":1}");
    }

    @Override
    public WireAnswer failure(Failure failure, String message) {
        return Clients.failure(failure, message);
    }

    @Override
    public List<ToolSpec> tools(Json request) {
        return items(request, "tools").stream()
                .map(tool -> new ToolSpec(string(tool, "name"),
                        tool.get("description").map(Json::asString).orElse(""),
                        tool.get("parameters").orElseThrow()))
                .toList();
    }

    @Override
    public Optional<ToolChoice> toolChoice(Json request) {
        return request.get("tool_choice")
                .map(choice -> choice.kind() == Json.Kind.OBJECT
                        ? ToolChoice.specific(string(choice, "name"))
                        : Clients.choice(choice.asString()));
    }

    @Override
    public Optional<Json> outputSchema(Json request) {
        return request.at("/text/format/schema");
    }

    @Override
    public List<ImagePart> images(Json request) {
        return items(request, "input").stream()
                .flatMap(item -> item.get("content").stream())
                .filter(content -> content.kind() == Json.Kind.ARRAY)
                .flatMap(content -> content.items().stream())
                .flatMap(part -> part.get("image_url").stream())
                .map(url -> Clients.image(url.asString()))
                .toList();
    }

    @Override
    public Generation generation(Json request) {
        Generation settings = Generation.PROVIDER_DECIDES;
        if (request.get("temperature").isPresent()) {
            settings = settings.withTemperature(request.get("temperature").get().asDouble());
        }
        return request.get("max_output_tokens").isPresent()
                ? settings.withMaxOutputTokens(request.get("max_output_tokens").get().asInt())
                : settings;
    }

    @Override
    public List<String> words(Json request) {
        return items(request, "input").stream().flatMap(item -> {
            Optional<Json> said = item.get("content").or(() -> item.get("output"));
            return said.stream()
                    .flatMap(value -> value.kind() == Json.Kind.ARRAY
                            ? value.items().stream().flatMap(part -> part.get("text").stream())
                            : said.stream());
        }).map(Json::asString).toList();
    }

    @Override
    public List<String> replyIds(Json request) {
        return items(request, "input").stream()
                .filter(item -> item.get("output").isPresent())
                .map(item -> string(item, "call_id"))
                .toList();
    }

    @Override
    public List<String> messages(Json request) {
        return items(request, "input").stream().map(Json::text).toList();
    }

    @Override
    public int cacheMarks(Json request) {
        return request.get("prompt_cache_key").isPresent() ? 1 : 0;
    }

    /** Items stand among the others, without the brackets of their list. */
    @Override
    public String replayed(Json payload) {
        return payload.items().stream().map(Json::text).collect(Collectors.joining(","));
    }

    private static String quoted(String text) {
        return Json.string(text).text();
    }

    private static List<Json> items(Json object, String name) {
        return object.get(name).map(Json::items).orElse(List.of());
    }

    private static String string(Json object, String name) {
        return object.get(name).orElseThrow().asString();
    }
}
