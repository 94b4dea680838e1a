package dev.belay.runtime.session.inbox;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.MessageJson;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.body.CallChildren;
import dev.belay.runtime.session.turn.Recorded;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.TurnScope;
import dev.belay.schema.Wording;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a program says to a session, as it is kept.
 *
 * @param message what the model reads
 * @param settings how models are to be asked in the turn that it starts
 * @param with values for plugins, by the plugin's id; an empty object for none
 * @param at when it was said; not part of what makes two inputs equal
 * @param loop whose loop the turn has: null for the runtime's, otherwise the name of a program's, empty if it has none
 * @param settles the key of a wait that is settled with the turn's result just before it commits, or null
 * @param call the {@link CallChildren#name call} that the turn ends with, if that is stopped; null if it ends with none
 */
public record TurnInput(UserMessage message, TurnSettings settings, @Nullable String loop, Json with,
        Instant at,
        @Nullable String settles, @Nullable String call) {

    /** What a body does not say. */
    public TurnInput(UserMessage message, TurnSettings settings, @Nullable String loop, Json with,
            Instant at) {
        this(message, settings, loop, with, at, null, null);
    }

    public TurnInput {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(with, "with");
    }

    /** As it reaches its session under an id. */
    public Arrival arrival(String id) {
        Json said = MessageJson.of(message);
        return new Arrival(id, Arrival.Kind.INPUT, hash(said), toJson(said));
    }

    /** Whether it is read as it is: text alone, and no half of a character, in whose place another one is written. */
    public boolean isReadAsIs() {
        for (UserPart part : message.parts()) {
            if (!(part instanceof TextPart(String text)) || !Wording.isWhole(text)) {
                return false;
            }
        }
        return true;
    }

    /** Identifies the content: equal inputs have equal hashes, whenever they are given. */
    public String hash() {
        return hash(MessageJson.of(message));
    }

    private String hash(Json said) {
        var hash = new FramedHash().add(said.canonical())
                .add(Objects.requireNonNullElse(settings.model(), ""))
                .add(with.canonical());
        if (loop != null) {
            hash.add(loop);
        }
        var rest = new TurnSettings(null, settings.variant(), settings.generation(),
                settings.maxContextTokens());
        if (!rest.equals(TurnSettings.NONE)) { // which came later
            hash.add("settings").add(rest.toJson().canonical());
        }
        return hash.hex();
    }

    public Json toJson() {
        return toJson(MessageJson.of(message));
    }

    private Json toJson(Json said) {
        return Json.write(out -> {
            out.beginObject().name("message").value(said);
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
            out.name("at").value(at.toString()).endObject();
        });
    }

    public static TurnInput of(Json recorded) {
        return Recorded.read("input of a turn", recorded, () -> {
            if (!(MessageJson.message(Recorded.field(recorded, "message")) instanceof UserMessage message)) {
                throw new IllegalArgumentException("an input is a user's message");
            }
            return new TurnInput(message, TurnSettings.of(recorded),
                    Recorded.optionalText(recorded, TurnScope.LOOP),
                    recorded.get("with").orElse(Json.EMPTY_OBJECT),
                    Instant.parse(Recorded.text(recorded, "at")), Recorded.optionalText(recorded, "notify"),
                    Recorded.optionalText(recorded, "call"));
        });
    }
}
