package dev.belay.model.envelope;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.schema.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes a conversation with calls as text. Every call becomes a message of its own with its outcome behind it, because an
 * envelope holds one; neighbouring user messages become one, because many chat templates refuse two in a row. An earlier envelope
 * of the model goes back to it unchanged. Confined to one call.
 */
final class EnvelopeHistory {

    /** The payload of an answer: its exact text and the native payload of the inner model. */
    static final String PROVIDER = "text-envelope";

    /** A wrong answer is shown to the model once more, but not all of a long one. */
    private static final int LONGEST_SHOWN = 4_000;
    private static final String GAP = "\n\n";

    private final List<Message> messages = new ArrayList<>();

    private EnvelopeHistory() {}

    /** Whether a request needs an envelope at all: it offers tools, or calls were made before. */
    static boolean isNeeded(ModelRequest request) {
        return !request.tools().isEmpty() || request.messages()
                .stream()
                .anyMatch(message -> message instanceof AssistantMessage said && !said.calls().isEmpty());
    }

    /** The messages of a request as text, instructions first. */
    static List<Message> render(ModelRequest request) {
        EnvelopeHistory history = new EnvelopeHistory();
        List<Message> given = request.messages();
        String instructions = EnvelopePrompt.instructions(request);
        boolean led = given.getFirst() instanceof SystemMessage;
        history.messages.add(Message.system(
                given.getFirst() instanceof SystemMessage(String text)
                        ? text + GAP + instructions
                        : instructions));
        for (int i = led ? 1 : 0; i < given.size(); i++) {
            switch (given.get(i)) {
                case SystemMessage system -> history.messages.add(system);
                case UserMessage user -> history.user(user.parts());
                case AssistantMessage said -> history.assistant(said,
                        i + 1 < given.size() && given.get(i + 1) instanceof ToolMessage tool
                                ? tool.replies()
                                : List.of());
                case ToolMessage told -> {
                } // said with its calls
            }
        }
        return history.messages;
    }

    /** The same conversation with an unreadable answer and its correction. */
    static List<Message> corrected(List<Message> asked, AssistantMessage wrong, String correction) {
        EnvelopeHistory history = new EnvelopeHistory();
        history.messages.addAll(asked);
        String text = wrong.text();
        if (text.length() > LONGEST_SHOWN) {
            history.messages.add(Message.assistant(Wording.shown(text, LONGEST_SHOWN)));
        } else if (!text.isBlank()) {
            history.messages.add(wrong);
        }
        history.user(List.of(new TextPart(correction)));
        return history.messages;
    }

    /** The payload of an answer; null if the inner payload is nested too deeply to be held by another. */
    static @Nullable NativePayload payload(ModelResponse answer) {
        NativePayload inner = answer.message().nativePayload();
        try {
            return new NativePayload(PROVIDER, Json.write(out -> {
                out.beginObject().name("text").value(answer.text());
                if (inner != null) {
                    out.name("provider").value(inner.provider()).name("payload").value(inner.payload());
                }
                out.endObject();
            }));
        } catch (JsonException tooDeep) {
            return null;
        }
    }

    private void assistant(AssistantMessage said, List<ReplyPart> replies) {
        AssistantMessage verbatim = verbatim(said.nativePayload());
        if (verbatim != null) {
            messages.add(verbatim);
            replies.forEach(reply -> user(List.of(new TextPart(outcome(reply)))));
            return;
        }
        List<CallPart> calls = said.calls();
        if (calls.isEmpty()) {
            String text = said.text().isEmpty() ? said.refusal().orElse("") : said.text();
            messages.add(text.isEmpty() ? said : Message.assistant(answer(text)));
            return;
        }
        String note = said.text();
        for (CallPart call : calls) {
            messages.add(Message.assistant(call(call, note)));
            replies.stream()
                    .filter(reply -> reply.callId().equals(call.id()))
                    .forEach(reply -> user(List.of(new TextPart(outcome(reply)))));
            note = "";
        }
    }

    private static @Nullable AssistantMessage verbatim(@Nullable NativePayload payload) {
        if (payload == null || !payload.provider().equals(PROVIDER)) {
            return null;
        }
        Json kept = payload.payload();
        NativePayload inner = kept.get("payload")
                .map(own -> new NativePayload(kept.get("provider").orElseThrow().asString(), own))
                .orElse(null);
        return new AssistantMessage(List.of(new TextPart(kept.get("text").orElseThrow().asString())), inner);
    }

    private void user(List<UserPart> parts) {
        if (!(messages.getLast() instanceof UserMessage(List<UserPart> before))) {
            messages.add(new UserMessage(parts));
            return;
        }
        List<UserPart> joined = new ArrayList<>(before);
        if (joined.getLast() instanceof TextPart(String first)
                && parts.getFirst() instanceof TextPart(String next)) {
            joined.set(joined.size() - 1, new TextPart(first + GAP + next));
            joined.addAll(parts.subList(1, parts.size()));
        } else {
            joined.addAll(parts);
        }
        messages.set(messages.size() - 1, new UserMessage(joined));
    }

    private static String call(CallPart call, String note) {
        return Json.write(out -> {
            out.beginObject().name("kind").value("tool_call").name("tool_name").value(clean(call.name()));
            Json arguments = object(call.arguments());
            out.name("arguments");
            if (arguments == null) {
                out.value(clean(call.arguments())); // as wrong as it was; the reply says so
            } else {
                out.value(arguments);
            }
            if (!note.isEmpty()) {
                out.name("note").value(clean(note));
            }
            out.endObject();
        }).text();
    }

    private static @Nullable Json object(String arguments) {
        if (arguments.isBlank()) {
            return Json.EMPTY_OBJECT;
        }
        try {
            Json json = Json.of(arguments, JsonLimits.ARGUMENTS);
            return json.kind() == Json.Kind.OBJECT ? json : null;
        } catch (JsonException malformed) {
            return null;
        }
    }

    private static String answer(String text) {
        return "{\"kind\":\"final\",\"content\":" + string(text) + "}";
    }

    private static String outcome(ReplyPart reply) {
        return "{\"kind\":\"tool_result\",\"tool_name\":" + string(reply.toolName()) + ",\"status\":"
                + string(reply.status().name().toLowerCase(Locale.ROOT)) + ",\"content\":"
                + string(reply.text()) + "}";
    }

    private static Json string(String text) {
        return Json.string(clean(text));
    }

    /** Lone surrogates cannot be written as JSON. */
    private static String clean(String text) {
        return Wording.shown(text, Integer.MAX_VALUE);
    }
}
