package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Usage;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.store.Arrival;
import dev.belay.toolset.loop.LoopHost;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one round decided. When a turn is entered again none of it is computed anew: what was offered, what joined,
 * what the model said. The form is pinned by a golden file.
 *
 * @param before what became of the round before, in a loop that is not the runtime's; otherwise null
 * @param joined arrivals that were taken into the turn before the model was asked
 * @param late results that came after their calls were settled, in records of an earlier version; they are notices now
 * @param asked who was asked and what was offered, or null if nobody was
 * @param reply what the model said, or null
 * @param lost what failed requests of this round have cost
 * @param unrecorded whether the model may have been asked before by a process that died with the answer
 * @param end how the round ends the turn, or null if the turn goes on
 */
public record RoundRecord(@Nullable Before before, List<Arrival> joined, List<LateNote> late,
        @Nullable Asked asked,
        @Nullable ModelResponse reply, Usage lost, boolean unrecorded, @Nullable TurnEnd end) {

    /**
     * What became of a round in a loop of somebody's own, who may answer calls without running them and drop answers.
     *
     * @param kept whether its message is in the conversation
     * @param replies what the model was told of its calls; none if it had none
     */
    public record Before(boolean kept, List<LoopHost.Told> replies) {

        public Before {
            replies = List.copyOf(replies);
        }
    }

    /**
     * A request.
     *
     * @param model the name under which the model was found
     * @param variant the name of the way in which it was asked
     * @param generation of the catalog that was offered
     * @param offered hash of the names and fingerprints that were offered
     * @param request hash of the messages that were sent
     * @param cost what all requests of the round have cost, or null if the model had no price
     */
    public record Asked(String model, String variant, long generation, String offered, String request,
            @Nullable BigDecimal cost) {}

    /**
     * A result that came too late.
     *
     * @param key of the effect
     * @param text what the model reads
     */
    public record LateNote(String key, String text) {}

    public RoundRecord {
        joined = List.copyOf(joined);
        late = List.copyOf(late);
    }

    /** A round that asked nobody, because something else ends the turn. */
    static RoundRecord ended(@Nullable Before before, boolean unrecorded, TurnEnd end) {
        return new RoundRecord(before, List.of(), List.of(), null, null, Usage.NONE, unrecorded,
                end);
    }

    /** What all requests of the round have cost. */
    public Usage usage() {
        return reply == null ? lost : lost.plus(reply.usage());
    }

    /** The messages that a round adds before the model is asked. */
    public static List<Message> added(List<Arrival> joined, List<LateNote> late) {
        var messages = new ArrayList<Message>();
        for (Arrival arrival : joined) {
            switch (arrival.kind()) {
                case INPUT -> messages.add(TurnInput.of(arrival.content()).message());
                case NOTICE -> messages.add(Message.user(notice(arrival.content())));
                case COMMAND -> {
                }
            }
        }
        late.forEach(note -> messages.add(Message.user(note.text())));
        return messages;
    }

    private static String notice(Json content) {
        return Recorded.read("notice", content, () -> Recorded.text(content, "text"));
    }

    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(Recorded.VERSION);
            if (before != null) {
                out.name("before").beginObject().name("kept").value(before.kept());
                out.name("replies").beginArray();
                before.replies()
                        .forEach(told -> out.beginObject()
                                .name("status")
                                .value(told.status().name())
                                .name("text")
                                .value(told.text())
                                .endObject());
                out.endArray().endObject();
            }
            if (!joined.isEmpty()) {
                out.name("joined").beginArray();
                joined.forEach(one -> out.beginObject()
                        .name("id")
                        .value(one.id())
                        .name("kind")
                        .value(one.kind().name())
                        .name("hash")
                        .value(one.hash())
                        .name("content")
                        .value(one.content())
                        .endObject());
                out.endArray();
            }
            if (!late.isEmpty()) {
                out.name("late").beginArray();
                late.forEach(note -> out.beginObject()
                        .name("key")
                        .value(note.key())
                        .name("text")
                        .value(note.text())
                        .endObject());
                out.endArray();
            }
            if (asked != null) {
                write(out.name("asked"), asked);
            }
            if (reply != null) {
                MessageJson.write(out.name("reply"), reply);
            }
            if (!lost.equals(Usage.NONE)) {
                MessageJson.write(out.name("lost"), lost);
            }
            if (unrecorded) {
                out.name("unrecorded").value(true);
            }
            if (end != null) {
                TurnEnds.write(out.name("end"), end);
            }
            out.endObject();
        });
    }

    private static void write(JsonWriter out, Asked asked) {
        out.beginObject().name("model").value(asked.model());
        if (!asked.variant().equals(Models.DEFAULT)) {
            out.name("variant").value(asked.variant());
        }
        out.name("generation").value(asked.generation()).name("offered").value(asked.offered());
        out.name("request").value(asked.request());
        if (asked.cost() != null) {
            out.name("cost").value(asked.cost());
        }
        out.endObject();
    }

    public static RoundRecord of(Json recorded) {
        return Recorded.read("round", recorded, () -> {
            Recorded.version("round", recorded);
            return new RoundRecord(recorded.get("before").map(RoundRecord::before).orElse(null),
                    Recorded.items(recorded, "joined").stream().map(RoundRecord::arrival).toList(),
                    Recorded.items(recorded, "late")
                            .stream()
                            .map(note -> new LateNote(Recorded.text(note, "key"),
                                    Recorded.text(note, "text")))
                            .toList(),
                    recorded.get("asked").map(RoundRecord::asked).orElse(null),
                    recorded.get("reply").map(MessageJson::response).orElse(null),
                    recorded.get("lost").map(MessageJson::usage).orElse(Usage.NONE),
                    recorded.get("unrecorded").map(Json::asBoolean).orElse(false),
                    recorded.get("end").map(TurnEnd::of).orElse(null));
        });
    }

    private static Before before(Json recorded) {
        return new Before(Recorded.field(recorded, "kept").asBoolean(), Recorded.items(recorded, "replies")
                .stream()
                .map(told -> new LoopHost.Told(ReplyPart.Status.valueOf(Recorded.text(told, "status")),
                        Recorded.text(told, "text")))
                .toList());
    }

    private static Arrival arrival(Json joined) {
        return new Arrival(Recorded.text(joined, "id"), Arrival.Kind.valueOf(Recorded.text(joined, "kind")),
                Recorded.text(joined, "hash"), Recorded.field(joined, "content"));
    }

    private static Asked asked(Json asked) {
        return new Asked(Recorded.text(asked, "model"),
                asked.get("variant").map(Json::asString).orElse(Models.DEFAULT),
                Recorded.field(asked, "generation").asLong(), Recorded.text(asked, "offered"),
                Recorded.text(asked, "request"), asked.get("cost").map(Json::asBigDecimal).orElse(null));
    }
}
