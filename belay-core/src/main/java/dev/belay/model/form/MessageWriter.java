package dev.belay.model.form;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.MessageJson;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.model.Usage;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes the form that {@link MessageJson} describes and {@link MessageReader} reads. */
public final class MessageWriter {

    /** Stands for half a character. */
    private static final char HALF = '?';
    /** The same in arguments: JSON refuses it as it refuses the half. */
    static final char HALF_OF_ARGUMENTS = '\u0001';
    /** The same in an address, where a question mark means something and this does not. */
    private static final char HALF_OF_ADDRESS = '\uFFFD';
    /** A payload nested deeper than this is written as text. Far below the limit of JSON, so that any record has room around it. */
    private static final int DEEPEST_PAYLOAD = 256;

    private MessageWriter() {}

    public static void write(JsonWriter out, Message message) {
        out.beginObject();
        switch (message) {
            case SystemMessage(String text) -> text(out, "system", text);
            case UserMessage(List<UserPart> parts) -> {
                out.name("user").beginArray();
                for (UserPart part : parts) {
                    user(out, part);
                }
                out.endArray();
            }
            case AssistantMessage(List<AssistantPart> parts, @Nullable NativePayload payload) -> {
                out.name("assistant").beginArray();
                for (AssistantPart part : parts) {
                    assistant(out, part);
                }
                out.endArray();
                if (payload != null) {
                    payload(out.name("native"), payload);
                }
            }
            case ToolMessage(List<ReplyPart> replies) -> {
                out.name("replies").beginArray();
                for (ReplyPart reply : replies) {
                    reply(out, reply);
                }
                out.endArray();
            }
        }
        out.endObject();
    }

    public static void write(JsonWriter out, ModelResponse response) {
        out.beginObject();
        write(out.name("message"), response.message());
        out.name("finish").value(EnumWords.FINISH_REASONS.of(response.finish()));
        write(out.name("usage"), response.usage());
        text(out, "model", response.model());
        if (!response.responseId().isEmpty()) {
            text(out, "id", response.responseId());
        }
        out.endObject();
    }

    public static void write(JsonWriter out, Usage usage) {
        out.beginObject();
        tokens(out, "input", usage.input());
        tokens(out, "output", usage.output());
        tokens(out, "cache_read", usage.cacheRead());
        tokens(out, "cache_write", usage.cacheWrite());
        tokens(out, "reasoning", usage.reasoning());
        out.endObject();
    }

    private static void user(JsonWriter out, UserPart part) {
        out.beginObject();
        switch (part) {
            case TextPart(String text) -> text(out, "text", text);
            case ImagePart(String mediaType, Source source) -> {
                text(out, "image", mediaType);
                source(out, source);
            }
            case FilePart(String mediaType, String name, Source source) -> {
                text(out, "file", name);
                text(out, "type", mediaType);
                source(out, source);
            }
        }
        out.endObject();
    }

    private static void source(JsonWriter out, Source source) {
        switch (source) {
            case Source.Inline(String base64) -> out.name("base64").value(base64);
            case Source.Link(URI uri) -> out.name("uri").value(uri.toString(), HALF_OF_ADDRESS);
            case Source.Uploaded(String fileId) -> text(out, "uploaded", fileId);
        }
    }

    private static void assistant(JsonWriter out, AssistantPart part) {
        out.beginObject();
        switch (part) {
            case TextPart(String text) -> text(out, "text", text);
            case ReasoningPart(String text) -> text(out, "reasoning", text);
            case RefusalPart(String text) -> text(out, "refusal", text);
            case CallPart(String id, String name, String arguments) -> {
                text(out, "call", id);
                text(out, "name", name);
                out.name("arguments").value(arguments, HALF_OF_ARGUMENTS);
            }
        }
        out.endObject();
    }

    private static void reply(JsonWriter out, ReplyPart reply) {
        out.beginObject();
        text(out, "call", reply.callId());
        text(out, "name", reply.toolName());
        out.name("status").value(EnumWords.STATUSES.of(reply.status()));
        text(out, "text", reply.text());
        out.endObject();
    }

    private static void payload(JsonWriter out, NativePayload payload) {
        out.beginObject();
        text(out, "provider", payload.provider());
        Json value = payload.payload();
        String exact = value.text();
        // white space may hold a line break, and a record around a deep payload might go over the limit
        if (value.height() <= DEEPEST_PAYLOAD && value.compact().length() == exact.length()) {
            out.name("payload").value(value);
        } else {
            out.name("text").value(exact);
        }
        out.endObject();
    }

    private static void tokens(JsonWriter out, String name, OptionalLong tokens) {
        if (tokens.isPresent()) {
            out.name(name).value(tokens.getAsLong());
        }
    }

    private static void text(JsonWriter out, String name, String text) {
        out.name(name).value(text, HALF);
    }
}
