package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.model.http.wire.ReplyIds;
import dev.belay.model.http.wire.Sendable;
import dev.belay.model.http.wire.WireFields;
import dev.belay.tool.call.FoundTools;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A history in the form of Messages: instructions apart, then turns of the user and the assistant. An answer of this protocol is
 * sent back exactly as it arrived. Instructions after the first turn are sent in place as text of the user, because the protocol
 * has no instructions there. Confined to one request.
 */
final class Conversation {

    /** The name of this protocol in native payloads. */
    static final String PROVIDER = "anthropic-messages";

    /** The field that holds arguments that are no JSON object; the provider requires an object. */
    static final String NOT_JSON = "INVALID_JSON";

    /** The fields of a message that a native payload keeps. */
    static final String CONTENT = "content";
    static final String CONTAINER = "container";
    static final String STOP_DETAILS = "stop_details";
    static final String ITERATIONS = "iterations";

    private static final int LONGEST_NAME = 128;
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");

    private final List<Json> system = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private final ReplyIds ids = new ReplyIds();
    private @Nullable Json container;

    /**
     * A turn.
     *
     * @param isUser whether the user speaks
     * @param content an array of blocks
     */
    record Turn(boolean isUser, Json content) {}

    /**
     * The conversation of a request.
     *
     * @param pictures whether pictures that replies name are shown
     * @param found tools that are loaded where the reply of a search refers to them
     */
    static Conversation of(ModelRequest request, boolean pictures, Set<String> found) {
        Conversation out = new Conversation();
        for (Message message : request.messages()) {
            switch (message) {
                case SystemMessage(String text) when out.turns.isEmpty() -> add(out.system, text);
                case SystemMessage(String text) when text.isBlank() -> {
                } // the provider refuses blank text
                case SystemMessage(String text) -> out.user(List.of(Blocks.text(text)));
                case UserMessage(List<UserPart> parts) -> out.user(parts.stream().map(Blocks::user).toList());
                case AssistantMessage said -> out.assistant(said);
                case ToolMessage replies -> out.replies(replies,
                        pictures ? request.shown(replies) : List.of(), found);
            }
        }
        return out;
    }

    /** The blocks of the instructions before the first turn. */
    List<Json> system() {
        return system;
    }

    List<Turn> turns() {
        return turns;
    }

    /**
     * The id of the container that the model worked in last, unless it has expired: the provider would refuse it.
     *
     * @param now when the request is made
     */
    Optional<Json> container(Instant now) {
        return Optional.ofNullable(container)
                .filter(known -> !isExpired(known, now))
                .flatMap(known -> known.get("id"))
                .filter(id -> id.kind() == Json.Kind.STRING);
    }

    private static boolean isExpired(Json container, Instant now) {
        try {
            String time = WireFields.text(container, "expires_at");
            return !time.isEmpty() && OffsetDateTime.parse(time).toInstant().isBefore(now);
        } catch (JsonException | DateTimeException unknownForm) {
            return false;
        }
    }

    /**
     * The native payload of an answer; null if there is nothing to keep. Only the blocks are sent back, so that a refusal without
     * any is no words of the model.
     *
     * @param notes what else is kept of the answer, under the names of these fields
     */
    static @Nullable NativePayload payload(List<Json> blocks, Map<String, Json> notes) {
        if (blocks.isEmpty() && notes.isEmpty()) {
            return null;
        }
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put(CONTENT, Json.array(blocks));
        fields.putAll(notes);
        return new NativePayload(PROVIDER, Json.object(fields));
    }

    private void replies(ToolMessage message, List<List<ImagePart>> pictures, Set<String> found) {
        List<Json> blocks = new ArrayList<>();
        for (ReplyPart reply : message.replies()) {
            List<String> references = found.isEmpty()
                    ? List.of()
                    : FoundTools.names(reply).stream().filter(found::contains).toList();
            blocks.add(references.isEmpty()
                    ? Blocks.result(reply, ids.of(reply),
                            pictures.isEmpty() ? List.of() : pictures.get(blocks.size()))
                    : Blocks.references(ids.of(reply), references));
        }
        user(blocks);
    }

    private void user(List<Json> blocks) {
        turns.add(new Turn(true, Json.array(blocks)));
    }

    private void assistant(AssistantMessage said) {
        NativePayload payload = said.nativePayload();
        if (payload == null || !payload.provider().equals(PROVIDER) || !own(said, payload.payload())) {
            foreign(said);
        }
    }

    /** Adds an answer as it came; false if it is spoiled: one odd answer must not end a conversation. */
    private boolean own(AssistantMessage said, Json payload) {
        try {
            Json content = payload.get(CONTENT).filter(Sendable::fits).orElse(Json.NULL);
            List<String> sent = content.items()
                    .stream()
                    .filter(block -> WireFields.type(block).equals("tool_use"))
                    .map(block -> WireFields.text(block, "id"))
                    .toList();
            if (!content.items().isEmpty()) {
                turns.add(new Turn(false, sendable(content)));
            }
            ids.after(said, sent);
            container = WireFields.field(payload, CONTAINER).orElse(container);
            return true;
        } catch (JsonException spoiled) {
            return false;
        }
    }

    private void foreign(AssistantMessage said) {
        List<Json> blocks = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        for (AssistantPart part : said.parts()) {
            switch (part) {
                case TextPart(String text) -> add(blocks, text);
                case RefusalPart(String text) -> add(blocks, text);
                case ReasoningPart foreign -> {
                } // no provider takes reasoning back without its signature
                case CallPart call -> {
                    sent.add(ID.matcher(call.id()).matches()
                            ? call.id()
                            : call.id().replaceAll("[^a-zA-Z0-9_-]", "_") + "_" + sent.size());
                    blocks.add(Blocks.call(sent.getLast(), Sendable.name(call.name(), LONGEST_NAME),
                            input(call.arguments())));
                }
            }
        }
        ids.after(said, sent);
        if (!blocks.isEmpty()) {
            turns.add(new Turn(false, Json.array(blocks)));
        }
    }

    /** Adds a text unless it is blank: other models write blank texts before a call, and this provider refuses them. */
    private static void add(List<Json> blocks, String text) {
        if (!text.isBlank()) {
            blocks.add(Blocks.text(text));
        }
    }

    /** The blocks of an answer as they arrived, without blank texts: the provider writes them but does not take them back. */
    private static Json sendable(Json blocks) {
        List<Json> kept = blocks.items().stream().filter(block -> !isBlankText(block)).toList();
        return kept.isEmpty() || kept.size() == blocks.items().size() ? blocks : Json.array(kept);
    }

    private static boolean isBlankText(Json block) {
        return WireFields.type(block).equals("text")
                && block.get("text")
                        .filter(text -> text.kind() == Json.Kind.STRING && text.asString().isBlank())
                        .isPresent();
    }

    /** The arguments as an object; other arguments are shown to the model as text in an object. */
    static Json input(String arguments) {
        if (arguments.isBlank()) {
            return Json.EMPTY_OBJECT;
        }
        try {
            Json json = Json.of(arguments, JsonLimits.DEFAULT);
            if (json.kind() == Json.Kind.OBJECT && Sendable.fits(json)) {
                return json;
            }
        } catch (JsonException malformed) {
            // shown below, like JSON that is no object or too deep
        }
        return Json
                .write(out -> out.beginObject().name(NOT_JSON).value(Sendable.text(arguments)).endObject());
    }
}
