package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The arrivals that a round takes into its turn, as the record of the round holds them; pinned by a golden file. */
public final class JoinedArrivals {

    /** More of them wait for the next round: a model reads them all. */
    private static final int MOST_NOTICES = 50;

    private static final String FIELD = "joined";

    private JoinedArrivals() {}

    /**
     * What a turn that is under way takes in: commands, actions, notices, and inputs up to the first that gets a turn of its own. No
     * other input overtakes that one.
     *
     * @param waiting what is in no committed turn, in the order in which it arrived
     * @param taken what the turn has taken in before
     */
    public static List<Arrival> joining(List<Arrived> waiting, Set<String> taken) {
        boolean queued = false;
        int notices = 0;
        List<Arrival> joining = new ArrayList<>(waiting.size());
        for (Arrived arrived : waiting) {
            Arrival arrival = arrived.arrival();
            if (taken.contains(arrival.id())) {
                continue;
            }
            queued |= TurnInput.queues(arrival);
            boolean joins = switch (arrival.kind()) {
                case INPUT -> !queued || TurnInput.isAction(arrival);
                case COMMAND -> true;
                case NOTICE -> ++notices <= MOST_NOTICES;
            };
            if (joins) {
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

    /** The messages that they add to the conversation before the model is asked, in a list of the caller's own. */
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
