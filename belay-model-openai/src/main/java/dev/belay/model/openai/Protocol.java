package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
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
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.http.AnswerReader;
import dev.belay.model.http.wire.ReplyIds;
import dev.belay.model.http.wire.Sendable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One of OpenAI's two protocols. Requests of both have the same outline, which is written here; a subclass writes the objects in
 * which they differ. Thread-safe: immutable.
 */
abstract class Protocol {

    private static final int LONGEST_NAME = 64;

    final OpenAiOptions options;

    Protocol(OpenAiOptions options) {
        this.options = options;
    }

    /** Where requests go, below the base URL. */
    abstract String path();

    /** Makes the reader of one answer. */
    abstract AnswerReader reader();

    /** Writes a request; throws {@link dev.belay.model.ModelException} if this protocol cannot express it. */
    final Json write(ModelRequest request) {
        return options.extras().in(Json.write(out -> {
            out.beginObject().name("model").value(options.model()).name(historyField()).beginArray();
            ReplyIds ids = new ReplyIds();
            request.messages().forEach(message -> message(out, message, ids, request));
            out.endArray();
            if (!request.tools().isEmpty() || !options.extras().tools().isEmpty()) {
                out.name("tools").beginArray();
                request.tools().forEach(tool -> tool(out, tool));
                options.extras().tools().forEach(out::value);
                out.endArray();
                toolChoice(out, request.toolChoice());
            }
            if (request.output() instanceof OutputSpec.Schema schema) {
                output(out, schema);
            }
            Generation settings = request.generation();
            settings.temperature().ifPresent(value -> out.name("temperature").value(value));
            settings.topP().ifPresent(value -> out.name("top_p").value(value));
            generation(out, settings);
            if (options.cacheKey() != null) {
                out.name("prompt_cache_key").value(options.cacheKey());
            }
            delivery(out);
            out.endObject();
        }));
    }

    /** The field that holds the messages. */
    abstract String historyField();

    /** Writes one part of a user's message that is not text alone. */
    abstract void userPart(JsonWriter out, UserPart part);

    /** The name of this protocol in a {@link NativePayload}. */
    abstract String name();

    /** What is sent back of an answer in the form of this protocol; throws {@link JsonException} if it is spoiled. */
    abstract OwnForm ownForm(Json payload);

    /** Writes what the model said to another provider. */
    abstract void assistant(JsonWriter out, AssistantMessage message);

    /** Writes the reply to the call that was sent under this id. */
    abstract void reply(JsonWriter out, String id, String text, List<ImagePart> pictures);

    /** Writes the pictures of replies behind all of them, where a reply has no place for them. */
    abstract void behindReplies(JsonWriter out, ToolMessage message, List<List<ImagePart>> pictures);

    /** Writes the definition of a tool. */
    abstract void tool(JsonWriter out, ToolSpec tool);

    /** Writes the object that makes the model call this tool, after its type. */
    abstract void chosenTool(JsonWriter out, String name);

    /** Writes the schema of the answer. */
    abstract void output(JsonWriter out, OutputSpec.Schema output);

    /** Writes the settings that this protocol has besides temperature and top-p. */
    abstract void generation(JsonWriter out, Generation settings);

    /** Writes how the answer is to be delivered. */
    abstract void delivery(JsonWriter out);

    /**
     * An answer in the form of this protocol.
     *
     * @param items what is sent back
     * @param callIds the ids of its calls, in order
     */
    record OwnForm(List<Json> items, List<String> callIds) {}

    private void message(JsonWriter out, Message message, ReplyIds ids, ModelRequest request) {
        switch (message) {
            case SystemMessage(String text) -> said(out, "system", text);
            case UserMessage user when user.parts().stream().allMatch(TextPart.class::isInstance) ->
                said(out, "user", user.text()); // small servers read nothing but plain text here
            case UserMessage(List<UserPart> parts) -> {
                out.beginObject().name("role").value("user").name("content").beginArray();
                parts.forEach(part -> userPart(out, part));
                out.endArray().endObject();
            }
            case AssistantMessage assistant -> assistant(out, assistant, ids);
            case ToolMessage replies -> replies(out, replies, ids, request);
        }
    }

    private void replies(JsonWriter out, ToolMessage message, ReplyIds ids, ModelRequest request) {
        List<List<ImagePart>> pictures = options.pictures() ? request.shown(message) : List.of();
        int at = 0;
        for (ReplyPart reply : message.replies()) {
            reply(out, Sendable.text(ids.of(reply)), Sendable.text(reply.text()),
                    pictures.isEmpty() ? List.of() : pictures.get(at++));
        }
        behindReplies(out, message, pictures);
    }

    private void assistant(JsonWriter out, AssistantMessage message, ReplyIds ids) {
        Optional<OwnForm> own = own(message.nativePayload());
        ids.after(message, own.map(OwnForm::callIds).orElse(List.of()));
        if (own.isPresent()) {
            own.get().items().forEach(out::value);
        } else {
            assistant(out, message);
        }
    }

    /** The provider's own form; empty if there is none, or if it is spoiled: one odd answer must not end a conversation. */
    private Optional<OwnForm> own(@Nullable NativePayload payload) {
        if (payload == null || !payload.provider().equals(name())) {
            return Optional.empty();
        }
        try {
            return Optional.of(ownForm(payload.payload()))
                    .filter(form -> form.items().stream().allMatch(Sendable::fits));
        } catch (JsonException spoiled) {
            return Optional.empty();
        }
    }

    /** Writes a message of plain text. */
    static void said(JsonWriter out, String role, String text) {
        out.beginObject()
                .name("role")
                .value(role)
                .name("content")
                .value(Sendable.text(text))
                .endObject();
    }

    /** The name of a call as OpenAI accepts it. */
    static String callName(String name) {
        return Sendable.name(name, LONGEST_NAME);
    }

    /** Writes name, description and parameters of a tool. */
    static void declaration(JsonWriter out, ToolSpec tool) {
        out.name("name").value(tool.name());
        if (!tool.description().isEmpty()) {
            out.name("description").value(Sendable.text(tool.description()));
        }
        out.name("parameters").value(tool.inputSchema());
    }

    private void toolChoice(JsonWriter out, ToolChoice choice) {
        switch (choice) {
            case ToolChoice.Auto auto -> {
                // the default everywhere, and some servers refuse the word
            }
            case ToolChoice.Any any -> out.name("tool_choice").value("required");
            case ToolChoice.None none -> out.name("tool_choice").value("none");
            case ToolChoice.Specific(String name) -> {
                out.name("tool_choice").beginObject().name("type").value("function");
                chosenTool(out, name);
                out.endObject();
            }
        }
    }
}
