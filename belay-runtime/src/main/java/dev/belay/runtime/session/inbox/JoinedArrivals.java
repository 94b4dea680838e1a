package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.ArrayList;
import java.util.List;

/** The arrivals that a round takes into its turn, as the record of the round holds them; pinned by a golden file. */
public final class JoinedArrivals {

    private static final String FIELD = "joined";

    private JoinedArrivals() {}

    /**
     * What a turn that is under way takes in: commands, notices, and inputs up to the first that gets a turn of its own. No input
     * overtakes that one.
     *
     * @param waiting what is in no turn, in the order in which it arrived
     */
    public static List<Arrival> joining(List<Arrival> waiting) {
        boolean queued = false;
        List<Arrival> joining = new ArrayList<>(waiting.size());
        for (Arrival arrival : waiting) {
            queued |= TurnInput.queues(arrival);
            if (!queued || arrival.kind() != Arrival.Kind.INPUT) {
                joining.add(arrival);
            }
        }
        return joining;
    }

    /** Writes them into the record of a round. */
    public static void write(JsonWriter out, List<Arrival> joined) {
        if (joined.isEmpty()) {
            return;
        }
        out.name(FIELD).beginArray();
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

    /** Reads them from the record of a round. */
    public static List<Arrival> of(Json round) {
        return RecordReader.read("round", round,
                () -> RecordReader.items(round, FIELD).stream().map(JoinedArrivals::arrival).toList());
    }

    private static Arrival arrival(Json joined) {
        return new Arrival(RecordReader.text(joined, "id"),
                Arrival.Kind.valueOf(RecordReader.text(joined, "kind")),
                RecordReader.text(joined, "hash"), RecordReader.field(joined, "content"));
    }

    /** The messages that they add to the conversation before the model is asked. */
    public static List<Message> messages(List<Arrival> joined) {
        var messages = new ArrayList<Message>();
        for (Arrival arrival : joined) {
            switch (arrival.kind()) {
                case INPUT -> messages.addAll(TurnInput.of(arrival.content()).said());
                case NOTICE -> messages.add(Message.user(notice(arrival.content())));
                case COMMAND -> {
                }
            }
        }
        return messages;
    }

    private static String notice(Json content) {
        return RecordReader.read("notice", content, () -> RecordReader.text(content, "text"));
    }
}
