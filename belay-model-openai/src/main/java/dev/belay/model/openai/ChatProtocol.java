package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.model.ToolSpec;
import dev.belay.model.http.AnswerReader;
import dev.belay.model.http.wire.Sendable;
import dev.belay.model.http.wire.WireFields;
import java.util.List;

/** Chat Completions, as OpenAI and most servers speak it. Thread-safe: immutable. */
class ChatProtocol extends Protocol {

    /** The name of this protocol in a {@link NativePayload}. */
    static final String NAME = "openai-chat";

    ChatProtocol(OpenAiOptions options) {
        super(options);
    }

    @Override
    String path() {
        return "/chat/completions";
    }

    @Override
    AnswerReader reader() {
        return new ChatReader(options.model(), name());
    }

    @Override
    String historyField() {
        return "messages";
    }

    @Override
    void userPart(JsonWriter out, UserPart part) {
        UserContent.chat(out, part);
    }

    @Override
    String name() {
        return NAME;
    }

    @Override
    OwnForm ownForm(Json payload) {
        Json message = NativeHistory.message(payload);
        return new OwnForm(
                NativeHistory.saysNothing(message) && Sendable.fits(message) ? List.of() : List.of(message),
                WireFields.items(payload, "tool_calls")
                        .stream()
                        .map(call -> WireFields.text(call, "id"))
                        .toList());
    }

    @Override
    void assistant(JsonWriter out, AssistantMessage message) {
        out.beginObject().name("role").value("assistant").name("content");
        if (message.text().isEmpty() && !message.calls().isEmpty()) {
            out.nullValue();
        } else {
            out.value(Sendable.text(message.text()));
        }
        message.refusal().ifPresent(refusal -> out.name("refusal").value(Sendable.text(refusal)));
        if (!message.calls().isEmpty()) {
            out.name("tool_calls").beginArray();
            for (int i = 0; i < message.calls().size(); i++) {
                call(out, message.calls().get(i), i == 0);
            }
            out.endArray();
        }
        out.endObject();
    }

    private void call(JsonWriter out, CallPart call, boolean first) {
        out.beginObject()
                .name("id")
                .value(Sendable.text(call.id()))
                .name("type")
                .value("function")
                .name("function")
                .beginObject()
                .name("name")
                .value(callName(call.name()))
                .name("arguments")
                .value(Sendable.text(call.arguments()))
                .endObject();
        callExtras(out, first);
        out.endObject();
    }

    /** Writes what a server wants of a call that it has not made itself. */
    void callExtras(JsonWriter out, boolean first) {}

    @Override
    void reply(JsonWriter out, String id, String text, List<ImagePart> pictures) {
        out.beginObject()
                .name("role")
                .value("tool")
                .name("tool_call_id")
                .value(id)
                .name("content")
                .value(text)
                .endObject();
    }

    /** A tool message of this protocol is text. A user's message shows the pictures, and says whose they are. */
    @Override
    void behindReplies(JsonWriter out, ToolMessage message, List<List<ImagePart>> pictures) {
        if (pictures.stream().allMatch(List::isEmpty)) {
            return;
        }
        out.beginObject().name("role").value("user").name("content").beginArray();
        for (int i = 0; i < pictures.size(); i++) {
            if (!pictures.get(i).isEmpty()) {
                userPart(out, new TextPart("Shown by the tool " + message.replies().get(i).toolName() + ":"));
                pictures.get(i).forEach(picture -> userPart(out, picture));
            }
        }
        out.endArray().endObject();
    }

    @Override
    void tool(JsonWriter out, ToolSpec tool) {
        out.beginObject().name("type").value("function").name("function").beginObject();
        declaration(out, tool);
        strict(out);
        out.endObject().endObject();
    }

    @Override
    void chosenTool(JsonWriter out, String name) {
        out.name("function").beginObject().name("name").value(name).endObject();
    }

    @Override
    void output(JsonWriter out, OutputSpec.Schema output) {
        out.name("response_format")
                .beginObject()
                .name("type")
                .value("json_schema")
                .name("json_schema")
                .beginObject()
                .name("name")
                .value(output.name())
                .name("schema")
                .value(output.schema());
        strict(out);
        out.endObject().endObject();
    }

    private void strict(JsonWriter out) {
        if (options.strict()) {
            out.name("strict").value(true);
        }
    }

    @Override
    void generation(JsonWriter out, Generation settings) {
        settings.maxOutputTokens()
                .ifPresent(
                        value -> out.name(options.newFields() ? "max_completion_tokens" : "max_tokens")
                                .value(value));
        settings.seed().ifPresent(value -> out.name("seed").value(value));
        effort(out, settings);
        if (!settings.stop().isEmpty()) {
            out.name("stop").beginArray();
            settings.stop().forEach(out::value);
            out.endArray();
        }
    }

    /** Writes how much the model should think. */
    void effort(JsonWriter out, Generation settings) {
        settings.effort().ifPresent(value -> out.name("reasoning_effort").value(options.word(value)));
    }

    @Override
    void delivery(JsonWriter out) {
        out.name("stream").value(options.streaming());
        if (options.streaming()) {
            out.name("stream_options").beginObject().name("include_usage").value(true).endObject();
        }
    }
}
