package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
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

/** Chat Completions. Thread-safe: immutable. */
final class ChatProtocol implements Protocol {

    /** The name of this protocol in a {@link NativePayload}. */
    static final String NAME = "openai-chat";

    private final OpenAiOptions options;

    ChatProtocol(OpenAiOptions options) {
        this.options = options;
    }

    @Override
    public String path() {
        return "/chat/completions";
    }

    @Override
    public AnswerReader reader() {
        return new ChatReader(options.model());
    }

    @Override
    public Json write(ModelRequest request) {
        return Json.write(out -> {
            out.beginObject().name("model").value(options.model()).name("messages").beginArray();
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
            out.name("stream").value(options.streaming());
            if (options.streaming()) {
                out.name("stream_options").beginObject().name("include_usage").value(true).endObject();
            }
            out.endObject();
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
                    .name("role")
                    .value("tool")
                    .name("tool_call_id")
                    .value(ids.of(reply))
                    .name("content")
                    .value(Sendable.text(reply.text()))
                    .endObject());
        }
    }

    private static void user(JsonWriter out, UserMessage user) {
        out.beginObject().name("role").value("user").name("content");
        if (user.parts().stream().allMatch(TextPart.class::isInstance)) {
            out.value(Sendable.text(user.text())); // small servers read nothing but plain text here
        } else {
            out.beginArray();
            user.parts().forEach(part -> UserContent.chat(out, part));
            out.endArray();
        }
        out.endObject();
    }

    private static void assistant(JsonWriter out, AssistantMessage message, ReplyIds ids) {
        NativePayload payload = message.nativePayload();
        if (payload != null && payload.provider().equals(NAME)) {
            out.value(Sendable.message(payload.payload()));
            ids.after(message, Fields.items(payload.payload(), "tool_calls")
                    .stream()
                    .map(call -> Fields.text(call, "id"))
                    .toList());
            return;
        }
        ids.after(message, List.of());
        out.beginObject().name("role").value("assistant").name("content");
        if (message.text().isEmpty() && !message.calls().isEmpty()) {
            out.nullValue();
        } else {
            out.value(Sendable.text(message.text()));
        }
        message.refusal().ifPresent(refusal -> out.name("refusal").value(Sendable.text(refusal)));
        if (!message.calls().isEmpty()) {
            out.name("tool_calls").beginArray();
            message.calls().forEach(call -> call(out, call));
            out.endArray();
        }
        out.endObject();
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
                .value(Sendable.name(call.name()))
                .name("arguments")
                .value(Sendable.text(call.arguments()))
                .endObject()
                .endObject();
    }

    private void tools(JsonWriter out, List<ToolSpec> tools) {
        out.name("tools").beginArray();
        for (ToolSpec tool : tools) {
            out.beginObject()
                    .name("type")
                    .value("function")
                    .name("function")
                    .beginObject()
                    .name("name")
                    .value(tool.name());
            if (!tool.description().isEmpty()) {
                out.name("description").value(Sendable.text(tool.description()));
            }
            out.name("parameters").value(tool.inputSchema());
            strict(out);
            out.endObject().endObject();
        }
        out.endArray();
    }

    private static void toolChoice(JsonWriter out, ToolChoice choice) {
        switch (choice) {
            case ToolChoice.Auto auto -> {
                // the default everywhere, and some servers refuse the word
            }
            case ToolChoice.Any any -> out.name("tool_choice").value("required");
            case ToolChoice.None none -> out.name("tool_choice").value("none");
            case ToolChoice.Specific(String name) -> out.name("tool_choice")
                    .beginObject()
                    .name("type")
                    .value("function")
                    .name("function")
                    .beginObject()
                    .name("name")
                    .value(name)
                    .endObject()
                    .endObject();
        }
    }

    private void output(JsonWriter out, OutputSpec output) {
        if (output instanceof OutputSpec.Schema(String name, Json schema)) {
            out.name("response_format")
                    .beginObject()
                    .name("type")
                    .value("json_schema")
                    .name("json_schema")
                    .beginObject()
                    .name("name")
                    .value(name)
                    .name("schema")
                    .value(schema);
            strict(out);
            out.endObject().endObject();
        }
    }

    private void strict(JsonWriter out) {
        if (options.strict()) {
            out.name("strict").value(true);
        }
    }

    private void generation(JsonWriter out, Generation settings) {
        settings.temperature().ifPresent(value -> out.name("temperature").value(value));
        settings.topP().ifPresent(value -> out.name("top_p").value(value));
        settings.maxOutputTokens()
                .ifPresent(
                        value -> out.name(options.newFields() ? "max_completion_tokens" : "max_tokens")
                                .value(value));
        settings.seed().ifPresent(value -> out.name("seed").value(value));
        settings.effort()
                .ifPresent(
                        value -> out.name("reasoning_effort").value(value.name().toLowerCase(Locale.ROOT)));
        if (!settings.stop().isEmpty()) {
            out.name("stop").beginArray();
            settings.stop().forEach(out::value);
            out.endArray();
        }
    }
}
