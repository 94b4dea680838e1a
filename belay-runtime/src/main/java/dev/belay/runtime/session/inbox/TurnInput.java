package dev.belay.runtime.session.inbox;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.MessageJson;
import dev.belay.model.OutputSpec.Schema;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.runtime.plugin.engine.ActionCall;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.schema.Wording;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An input as a session keeps it.
 *
 * @param message what the model reads; null if the last turn is tried once more without a new message, or an action is asked for
 * @param settings how models are to be asked in the turn that it starts
 * @param with values for plugins, by the plugin's id; an empty object for none
 * @param at when it was given; equal inputs may differ in it
 * @param loop null for the loop of the runtime, otherwise the name of the program's loop, empty if it has none
 * @param settles the key of a wait that is settled with the turn's result just before it commits, or null
 * @param call the name of the call with which the turn is stopped; null if no call stops it
 * @param manner how it is taken and answered
 */
public record TurnInput(@Nullable UserMessage message, TurnSettings settings, @Nullable String loop,
        Json with,
        Instant at, @Nullable String settles, @Nullable String call, Manner manner) {

    private static final String AGAIN = "again";
    private static final String ANSWER = "answer";
    private static final String CONTEXT = "context";
    /** Text, so that it is found without reading all of an input. */
    private static final String TURN = "turn";
    private static final String OWN = "own";
    private static final String ACTION = "action";
    private static final String GIVEN = "given";

    /**
     * How an input is taken and answered.
     *
     * @param queues whether it gets a turn of its own rather than join one that is under way
     * @param answer the form of the answer, or null for text
     * @param context of the caller, by the names that its carriers gave; no part of what the input says
     * @param action asked of a plugin, without a question to a model; null for none
     */
    public record Manner(boolean queues, @Nullable Schema answer, Map<String, String> context,
            @Nullable ActionCall action) {

        /** Joins, is answered with text, and carries nothing. */
        public static final Manner PLAIN = new Manner(false, null, Map.of());

        /** Asks no action of a plugin. */
        public Manner(boolean queues, @Nullable Schema answer, Map<String, String> context) {
            this(queues, answer, context, null);
        }

        /** Copies the map. */
        public Manner {
            context = Map.copyOf(context);
        }
    }

    /** An input that settles no wait and that no call stops. */
    public TurnInput(UserMessage message, TurnSettings settings, @Nullable String loop, Json with,
            Instant at) {
        this(message, settings, loop, with, at, null, null);
    }

    /** An input without a manner of its own. */
    public TurnInput(UserMessage message, TurnSettings settings, @Nullable String loop, Json with,
            Instant at, @Nullable String settles, @Nullable String call) {
        this(message, settings, loop, with, at, settles, call, Manner.PLAIN);
    }

    public TurnInput {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(with, "with");
        Objects.requireNonNull(manner, "manner");
    }

    /** The same, taken and answered in another manner. */
    public TurnInput in(Manner other) {
        return new TurnInput(message, settings, loop, with, at, settles, call, other);
    }

    /** The same with the context of its caller. */
    public TurnInput within(Map<String, String> context) {
        return in(new Manner(manner.queues, manner.answer, context, manner.action));
    }

    /** An input that asks an action of a plugin. */
    public static TurnInput action(ActionCall call, Instant at) {
        return new TurnInput(null, TurnSettings.NONE, null, Json.EMPTY_OBJECT, at, null, null,
                new Manner(false, null, Map.of(), call));
    }

    /** Whether an arrival asks an action of a plugin. */
    static boolean isAction(Arrival arrival) {
        return arrival.kind() == Arrival.Kind.INPUT && arrival.content().peekText(ACTION) != null;
    }

    /** What it adds to the conversation. */
    public List<Message> said() {
        return message == null ? List.of() : List.of(message);
    }

    /** Whether an arrival is an input that gets a turn of its own. */
    static boolean queues(Arrival arrival) {
        return arrival.kind() == Arrival.Kind.INPUT && arrival.content().peekText(TURN) != null;
    }

    /** As it reaches its session under an id. */
    public Arrival arrival(String id) {
        Json text = text();
        return new Arrival(id, Arrival.Kind.INPUT, hash(text), toJson(text));
    }

    private Json text() {
        ActionCall action = manner.action;
        if (action != null) {
            return Json.write(out -> out.beginObject()
                    .name(ACTION)
                    .value(action.action())
                    .name(GIVEN)
                    .value(action.given())
                    .endObject());
        }
        return message == null ? Json.string(AGAIN) : MessageJson.of(message);
    }

    /** Whether its record reads back equal: text alone, without an unpaired surrogate, which is replaced when it is written. */
    public boolean isReadAsIs() {
        for (UserPart part : message == null ? List.<UserPart>of() : message.parts()) {
            if (!(part instanceof TextPart(String text)) || !Wording.isWhole(text)) {
                return false;
            }
        }
        return (manner.context.isEmpty() || manner.context.values().stream().allMatch(Wording::isWhole))
                && (manner.action == null || Wording.isWhole(manner.action.given().text()));
    }

    /** Identifies the content: equal inputs have equal hashes, whenever and in whatever context they are given. */
    public String hash() {
        return hash(text());
    }

    private String hash(Json said) {
        var hash = new FramedHash().add(said)
                .add(Objects.requireNonNullElse(settings.model(), ""))
                .add(with);
        if (loop != null) {
            hash.add(loop);
        }
        var rest = new TurnSettings(null, settings.variant(), settings.generation(),
                settings.maxContextTokens(), settings.instructions(), settings.modelPatience());
        if (!rest.equals(TurnSettings.NONE)) {
            hash.add("settings").add(rest.toJson());
        }
        if (manner.queues) {
            hash.add(TURN).add(OWN);
        }
        if (manner.answer != null) {
            hash.add(ANSWER).add(manner.answer.name()).add(manner.answer.schema());
        }
        return hash.hex();
    }

    public Json toJson() {
        return toJson(text());
    }

    private Json toJson(Json said) {
        return Json.write(out -> {
            out.beginObject();
            if (manner.action != null) {
                said.fields().forEach((name, value) -> out.name(name).value(value));
            } else if (message == null) {
                out.name(AGAIN).value(true);
            } else {
                out.name("message").value(said);
            }
            settings.write(out);
            if (loop != null) {
                out.name(TurnScope.LOOP).value(loop);
            }
            if (!with.fields().isEmpty()) {
                out.name("with").value(with);
            }
            if (settles != null) {
                out.name("notify").value(settles);
            }
            if (call != null) {
                out.name("call").value(call);
            }
            write(out, manner);
            out.name("at").value(at.toString()).endObject();
        });
    }

    private static void write(JsonWriter out, Manner manner) {
        if (manner.queues) {
            out.name(TURN).value(OWN);
        }
        if (manner.answer != null) {
            out.name(ANSWER).beginObject().name("name").value(manner.answer.name());
            out.name("schema").value(manner.answer.schema()).endObject();
        }
        if (!manner.context.isEmpty()) {
            out.name(CONTEXT).beginObject();
            new TreeMap<>(manner.context)
                    .forEach((name, text) -> out.name(name).value(text, RecordReader.HALF));
            out.endObject();
        }
    }

    public static TurnInput of(Json recorded) {
        return RecordReader.read("input of a turn", recorded, () -> {
            UserMessage message = null;
            if (recorded.get(AGAIN).isEmpty() && recorded.get(ACTION).isEmpty()) {
                if (!(MessageJson
                        .message(RecordReader.field(recorded, "message")) instanceof UserMessage said)) {
                    throw new IllegalArgumentException("an input is a user's message");
                }
                message = said;
            }
            return new TurnInput(message, TurnSettings.of(recorded),
                    RecordReader.optionalText(recorded, TurnScope.LOOP),
                    recorded.get("with").orElse(Json.EMPTY_OBJECT),
                    Instant.parse(RecordReader.text(recorded, "at")),
                    RecordReader.optionalText(recorded, "notify"),
                    RecordReader.optionalText(recorded, "call"), manner(recorded));
        });
    }

    private static Manner manner(Json recorded) {
        Map<String, String> context = new TreeMap<>();
        recorded.get(CONTEXT)
                .ifPresent(kept -> kept.fields().forEach((name, text) -> context.put(name, text.asString())));
        return new Manner(recorded.get(TURN).isPresent(),
                recorded.get(ANSWER)
                        .map(form -> new Schema(RecordReader.text(form, "name"),
                                RecordReader.field(form, "schema")))
                        .orElse(null),
                context, recorded.get(ACTION)
                        .map(action -> new ActionCall(action.asString(), RecordReader.field(recorded, GIVEN)))
                        .orElse(null));
    }
}
