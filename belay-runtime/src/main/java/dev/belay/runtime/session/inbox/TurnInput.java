package dev.belay.runtime.session.inbox;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.MessageJson;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.schema.Wording;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input as a session keeps it.
 *
 * @param message what the model reads
 * @param settings how models are to be asked in the turn that it starts
 * @param with values for plugins, by the plugin's id; an empty object for none
 * @param at when it was given; equal inputs may differ in it
 * @param loop null for the loop of the runtime, otherwise the name of the program's loop, empty if it has none
 * @param settles the key of a wait that is settled with the turn's result just before it commits, or null
 * @param call the name of the call with which the turn is stopped; null if no call stops it
 */
public record TurnInput(UserMessage message, TurnSettings settings, @Nullable String loop, Json with,
        Instant at,
        @Nullable String settles, @Nullable String call) {

    /** An input that settles no wait and that no call stops. */
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

    /** Whether its record reads back equal: text alone, without an unpaired surrogate, which is replaced when it is written. */
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
        return RecordReader.read("input of a turn", recorded, () -> {
            if (!(MessageJson
                    .message(RecordReader.field(recorded, "message")) instanceof UserMessage message)) {
                throw new IllegalArgumentException("an input is a user's message");
            }
            return new TurnInput(message, TurnSettings.of(recorded),
                    RecordReader.optionalText(recorded, TurnScope.LOOP),
                    recorded.get("with").orElse(Json.EMPTY_OBJECT),
                    Instant.parse(RecordReader.text(recorded, "at")),
                    RecordReader.optionalText(recorded, "notify"),
                    RecordReader.optionalText(recorded, "call"));
        });
    }
}
