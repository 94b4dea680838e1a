package dev.belay.model.form;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.FinishReason;
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
import dev.belay.schema.Wording;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the form that {@link MessageJson} describes and {@link MessageWriter} writes. Everything else, an unknown field included,
 * ends in {@code invalid_message} with the place as a JSON pointer.
 */
public final class MessageReader {

    private static final int LONGEST_SHOWN = 80;

    private MessageReader() {}

    public static Message message(Json json, String at) {
        return checked(json, at, MessageReader::anyMessage);
    }

    public static ModelResponse response(Json json, String at) {
        Fields response = Fields.of(json, at).only("message", "finish", "usage", "model", "id");
        if (!(message(response.required("message"), at + "/message") instanceof AssistantMessage message)) {
            throw invalid(at + "/message", "a response holds an assistant message, found another", null);
        }
        return new ModelResponse(message, finishReason(response.required("finish"), at + "/finish"),
                usage(response.required("usage"), at + "/usage"), response.string("model"),
                response.optional("id").map(id -> string(id, at + "/id")).orElse(""));
    }

    public static Usage usage(Json json, String at) {
        return checked(json, at, (value, place) -> {
            Fields usage = Fields.of(value, place)
                    .only("input", "output", "cache_read", "cache_write", "reasoning");
            return new Usage(usage.tokens("input"), usage.tokens("output"), usage.tokens("cache_read"),
                    usage.tokens("cache_write"), usage.tokens("reasoning"));
        });
    }

    public static FinishReason finishReason(Json json, String at) {
        return word(json, at, EnumWords.FINISH_REASONS);
    }

    private static Message anyMessage(Json json, String at) {
        Fields message = Fields.of(json, at);
        return switch (message.variant("user", "assistant", "replies", "system")) {
            case "user" -> new UserMessage(message.only("user").items("user", MessageReader::userPart));
            case "assistant" -> new AssistantMessage(
                    message.only("assistant", "native").items("assistant", MessageReader::assistantPart),
                    message.optional("native")
                            .map(payload -> checked(payload, at + "/native", MessageReader::payload))
                            .orElse(null));
            case "replies" -> new ToolMessage(message.only("replies").items("replies", MessageReader::reply));
            default -> new SystemMessage(message.only("system").string("system"));
        };
    }

    private static UserPart userPart(Json json, String at) {
        Fields part = Fields.of(json, at);
        return switch (part.variant("text", "image", "file")) {
            case "text" -> new TextPart(part.only("text").string("text"));
            case "image" -> new ImagePart(part.string("image"), source(part, "image"));
            default -> new FilePart(part.string("type"), part.string("file"), source(part, "file", "type"));
        };
    }

    /** The one field that says where the bytes are, beside the others that the part has. */
    private static Source source(Fields part, String... others) {
        String kind = part.variant("base64", "uri", "uploaded");
        List<String> known = new ArrayList<>(List.of(others));
        known.add(kind);
        String where = part.only(known.toArray(String[]::new)).string(kind);
        return switch (kind) {
            case "base64" -> new Source.Inline(where);
            case "uri" -> new Source.Link(URI.create(where));
            default -> new Source.Uploaded(where);
        };
    }

    private static AssistantPart assistantPart(Json json, String at) {
        Fields part = Fields.of(json, at);
        return switch (part.variant("text", "call", "reasoning", "refusal")) {
            case "text" -> new TextPart(part.only("text").string("text"));
            case "call" -> new CallPart(part.only("call", "name", "arguments").string("call"),
                    part.string("name"), part.string("arguments"));
            case "reasoning" -> new ReasoningPart(part.only("reasoning").string("reasoning"));
            default -> new RefusalPart(part.only("refusal").string("refusal"));
        };
    }

    private static ReplyPart reply(Json json, String at) {
        Fields reply = Fields.of(json, at).only("call", "name", "status", "text");
        return new ReplyPart(reply.string("call"), reply.string("name"),
                word(reply.required("status"), at + "/status", EnumWords.STATUSES), reply.string("text"));
    }

    private static NativePayload payload(Json json, String at) {
        Fields payload = Fields.of(json, at);
        String kind = payload.only("provider", payload.variant("payload", "text")).variant("payload", "text");
        return new NativePayload(payload.string("provider"),
                kind.equals("payload") ? payload.required(kind) : Json.of(payload.string(kind)));
    }

    private static <E extends Enum<E>> E word(Json json, String at, EnumWords<E> words) {
        String word = string(json, at);
        return words.find(word)
                .orElseThrow(() -> invalid(at,
                        "expected one of " + words.all() + ", found \"" + shown(word) + "\"", null));
    }

    private static String string(Json json, String at) {
        expect(Json.Kind.STRING, json, at);
        return json.asString();
    }

    private static void expect(Json.Kind kind, Json json, String at) {
        if (json.kind() != kind) {
            throw invalid(at, "expected " + phrase(kind) + ", found " + phrase(json.kind()), null);
        }
    }

    private static String phrase(Json.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private interface Reading<T> {
        T read(Json json, String at);
    }

    /** Reads a value, and says where it stands if it refuses itself. */
    private static <T> T checked(Json json, String at, Reading<T> reading) {
        try {
            return reading.read(json, at);
        } catch (IllegalArgumentException | JsonException e) {
            throw invalid(at, String.valueOf(e.getMessage()), e);
        }
    }

    private static BelayException invalid(String at, String problem, @Nullable Throwable cause) {
        return new BelayException("invalid_message",
                "this is no message of Belay, at \"" + at + "\": " + problem,
                cause);
    }

    private static String shown(String text) {
        return Wording.shown(text, LONGEST_SHOWN);
    }

    /** The fields of an object and where it stands. */
    private record Fields(Map<String, Json> values, String at) {

        static Fields of(Json json, String at) {
            expect(Json.Kind.OBJECT, json, at);
            return new Fields(json.fields(), at);
        }

        /** The first of these names that there is a field of. */
        String variant(String... names) {
            for (String name : names) {
                if (values.containsKey(name)) {
                    return name;
                }
            }
            throw invalid(at,
                    "expected a field of " + List.of(names) + ", found " + shown(values.keySet().toString()),
                    null);
        }

        /** Refuses every other field. */
        Fields only(String... names) {
            List<String> known = List.of(names);
            for (String name : values.keySet()) {
                if (!known.contains(name)) {
                    throw invalid(at + "/" + shown(name).replace("~", "~0").replace("/", "~1"),
                            "unknown field \"" + shown(name) + "\", known here are " + known
                                    + "; it is damaged, or a later version wrote it",
                            null);
                }
            }
            return this;
        }

        Optional<Json> optional(String name) {
            return Optional.ofNullable(values.get(name));
        }

        Json required(String name) {
            return optional(name)
                    .orElseThrow(() -> invalid(at, "the field \"" + name + "\" is missing", null));
        }

        String string(String name) {
            return MessageReader.string(required(name), at + "/" + name);
        }

        OptionalLong tokens(String name) {
            Json value = values.get(name);
            if (value == null) {
                return OptionalLong.empty();
            }
            return OptionalLong.of(checked(value, at + "/" + name, (tokens, place) -> tokens.asLong()));
        }

        <T> List<T> items(String name, Reading<T> reading) {
            Json array = required(name);
            expect(Json.Kind.ARRAY, array, at + "/" + name);
            List<T> read = new ArrayList<>(array.items().size());
            for (Json item : array.items()) {
                read.add(checked(item, at + "/" + name + "/" + read.size(), reading));
            }
            return read;
        }
    }
}
