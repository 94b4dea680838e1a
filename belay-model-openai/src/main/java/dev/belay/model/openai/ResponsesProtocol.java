package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelException;
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

/**
 * The Responses API. The provider stores nothing: every request carries the whole history, with reasoning in the encrypted form
 * that the provider returned. Thread-safe: immutable.
 */
final class ResponsesProtocol extends Protocol {

    /** The name of this protocol in a {@link NativePayload}, which holds the list of output items. */
    static final String NAME = "openai-responses";

    ResponsesProtocol(OpenAiOptions options) {
        super(options);
    }

    @Override
    String path() {
        return "/responses";
    }

    @Override
    AnswerReader reader() {
        return new ResponsesReader(options.model());
    }

    @Override
    String historyField() {
        return "input";
    }

    @Override
    void userPart(JsonWriter out, UserPart part) {
        UserContent.responses(out, part);
    }

    @Override
    String name() {
        return NAME;
    }

    @Override
    OwnForm ownForm(Json payload) {
        return new OwnForm(NativeHistory.items(payload.items()), payload.items()
                .stream()
                .filter(item -> WireFields.type(item).equals("function_call"))
                .map(item -> WireFields.text(item, "call_id"))
                .toList());
    }

    @Override
    void assistant(JsonWriter out, AssistantMessage message) {
        String words = message.text() + message.refusal().orElse("");
        if (!words.isEmpty()) {
            said(out, "assistant", words);
        }
        for (CallPart call : message.calls()) {
            out.beginObject()
                    .name("type")
                    .value("function_call")
                    .name("call_id")
                    .value(Sendable.text(call.id()))
                    .name("name")
                    .value(callName(call.name()))
                    .name("arguments")
                    .value(Sendable.text(call.arguments()))
                    .endObject();
        }
    }

    @Override
    void reply(JsonWriter out, String id, String text, List<ImagePart> pictures) {
        out.beginObject()
                .name("type")
                .value("function_call_output")
                .name("call_id")
                .value(id)
                .name("output");
        if (pictures.isEmpty()) {
            out.value(text);
        } else {
            out.beginArray();
            UserContent.responses(out, new TextPart(text));
            pictures.forEach(picture -> UserContent.responses(out, picture));
            out.endArray();
        }
        out.endObject();
    }

    @Override
    void behindReplies(JsonWriter out, ToolMessage message, List<List<ImagePart>> pictures) {}

    @Override
    void tool(JsonWriter out, ToolSpec tool) {
        out.beginObject().name("type").value("function");
        declaration(out, tool);
        // always written: without it the API assumes true and refuses most schemas
        out.name("strict").value(options.strict()).endObject();
    }

    @Override
    void chosenTool(JsonWriter out, String name) {
        out.name("name").value(name);
    }

    @Override
    void output(JsonWriter out, OutputSpec.Schema output) {
        out.name("text")
                .beginObject()
                .name("format")
                .beginObject()
                .name("type")
                .value("json_schema")
                .name("name")
                .value(output.name())
                .name("schema")
                .value(output.schema())
                .name("strict")
                .value(options.strict())
                .endObject()
                .endObject();
    }

    @Override
    void generation(JsonWriter out, Generation settings) {
        if (!settings.stop().isEmpty()) {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST,
                    "the Responses API has no texts that end an answer, but the request sets stop to "
                            + settings.stop()
                            + "; leave it out or ask through Chat Completions");
        }
        settings.maxOutputTokens().ifPresent(value -> out.name("max_output_tokens").value(value));
        settings.effort()
                .ifPresent(value -> out.name("reasoning")
                        .beginObject()
                        .name("effort")
                        .value(options.word(value))
                        .endObject());
    }

    @Override
    void delivery(JsonWriter out) {
        out.name("store").value(false);
        if (options.keepsReasoning()) {
            out.name("include").beginArray().value("reasoning.encrypted_content").endArray();
        }
        out.name("stream").value(options.streaming());
    }
}
