package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.http.AnswerReader;
import java.util.List;
import java.util.Locale;

/**
 * The Responses API. Nothing is stored at the provider: the whole history is sent each time, reasoning in the encrypted form that
 * the provider gave out. Thread-safe: immutable.
 */
final class ResponsesProtocol implements Protocol {

    /** The name of this protocol in a {@link NativePayload}, which holds the list of output items. */
    static final String NAME = "openai-responses";

    private final OpenAiOptions options;

    ResponsesProtocol(OpenAiOptions options) {
        this.options = options;
    }

    @Override
    public String path() {
        return "/responses";
    }

    @Override
    public AnswerReader reader() {
        return new ResponsesReader(options.model());
    }

    @Override
    public Json write(ModelRequest request) {
        return Json.write(out -> {
            out.beginObject().name("model").value(options.model()).name("input").beginArray();
            ReplyIds ids = new ReplyIds();
            request.messages().forEach(message -> message(out, message, ids));
            out.endArray();
            if (!request.tools().isEmpty()) {
                tools(out, request.tools());
                toolChoice(out, request.toolChoice());
            }
            output(out, request.output());
            generation(out, request.generation());
            if (options.cacheKey() != null) {
                out.name("prompt_cache_key").value(options.cacheKey());
            }
            out.name("store").value(false);
            if (options.keepsReasoning()) {
                out.name("include").beginArray().value("reasoning.encrypted_content").endArray();
            }
            out.name("stream").value(options.streaming()).endObject();
        });
    }

    private static void message(JsonWriter out, Message message, ReplyIds ids) {
        switch (message) {
            case SystemMessage(String text) ->
                out.beginObject()
                        .name("role")
                        .value("system")
                        .name("content")
                        .value(Sendable.text(text))
                        .endObject();
            case UserMessage user -> user(out, user);
            case AssistantMessage assistant -> assistant(out, assistant, ids);
            case ToolMessage(List<ReplyPart> replies) -> replies.forEach(reply -> out.beginObject()
                    .name("type")
                    .value("function_call_output")
                    .name("call_id")
                    .value(ids.of(reply))
                    .name("output")
                    .value(Sendable.text(reply.text()))
                    .endObject());
        }
    }

    private static void user(JsonWriter out, UserMessage user) {
        out.beginObject().name("role").value("user").name("content");
        if (user.parts().stream().allMatch(TextPart.class::isInstance)) {
            out.value(Sendable.text(user.text()));
        } else {
            out.beginArray();
            user.parts().forEach(part -> UserContent.responses(out, part));
            out.endArray();
        }
        out.endObject();
    }

    private static void assistant(JsonWriter out, AssistantMessage message, ReplyIds ids) {
        NativePayload payload = message.nativePayload();
        if (payload != null && payload.provider().equals(NAME)) {
            List<Json> items = payload.payload().items();
            Sendable.items(items).forEach(out::value);
            ids.after(message,
                    items.stream()
                            .filter(item -> Fields.text(item, "type").equals("function_call"))
                            .map(item -> Fields.text(item, "call_id"))
                            .toList());
            return;
        }
        ids.after(message, List.of());
        String words = message.text() + message.refusal().orElse("");
        if (!words.isEmpty()) {
            out.beginObject()
                    .name("role")
                    .value("assistant")
                    .name("content")
                    .value(Sendable.text(words))
                    .endObject();
        }
        for (CallPart call : message.calls()) {
            out.beginObject()
                    .name("type")
                    .value("function_call")
                    .name("call_id")
                    .value(call.id())
                    .name("name")
                    .value(Sendable.name(call.name()))
                    .name("arguments")
                    .value(Sendable.text(call.arguments()))
                    .endObject();
        }
    }

    private void tools(JsonWriter out, List<ToolSpec> tools) {
        out.name("tools").beginArray();
        for (ToolSpec tool : tools) {
            out.beginObject().name("type").value("function").name("name").value(tool.name());
            if (!tool.description().isEmpty()) {
                out.name("description").value(Sendable.text(tool.description()));
            }
            // said either way: left out it means true here, and most schemas would be refused
            out.name("parameters")
                    .value(tool.inputSchema())
                    .name("strict")
                    .value(options.strict())
                    .endObject();
        }
        out.endArray();
    }

    private static void toolChoice(JsonWriter out, ToolChoice choice) {
        switch (choice) {
            case ToolChoice.Auto auto -> {
                // the default
            }
            case ToolChoice.Any any -> out.name("tool_choice").value("required");
            case ToolChoice.None none -> out.name("tool_choice").value("none");
            case ToolChoice.Specific(String name) -> out.name("tool_choice")
                    .beginObject()
                    .name("type")
                    .value("function")
                    .name("name")
                    .value(name)
                    .endObject();
        }
    }

    private void output(JsonWriter out, OutputSpec output) {
        if (output instanceof OutputSpec.Schema(String name, Json schema)) {
            out.name("text")
                    .beginObject()
                    .name("format")
                    .beginObject()
                    .name("type")
                    .value("json_schema")
                    .name("name")
                    .value(name)
                    .name("schema")
                    .value(schema)
                    .name("strict")
                    .value(options.strict())
                    .endObject()
                    .endObject();
        }
    }

    private static void generation(JsonWriter out, Generation settings) {
        if (!settings.stop().isEmpty()) {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST,
                    "the Responses API has no texts that end an answer, but the request sets stop to "
                            + settings.stop()
                            + "; leave it out or ask through Chat Completions");
        }
        settings.temperature().ifPresent(value -> out.name("temperature").value(value));
        settings.topP().ifPresent(value -> out.name("top_p").value(value));
        settings.maxOutputTokens().ifPresent(value -> out.name("max_output_tokens").value(value));
        settings.effort()
                .ifPresent(value -> out.name("reasoning")
                        .beginObject()
                        .name("effort")
                        .value(value.name().toLowerCase(Locale.ROOT))
                        .endObject());
    }
}
