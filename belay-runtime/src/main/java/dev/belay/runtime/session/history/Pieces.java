package dev.belay.runtime.session.history;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are mostly those of a log: ranges of the log, and messages that are not in it. The form in which compactions and views are
 * recorded; pinned by a test. Immutable.
 *
 * @param all in their order
 */
public record Pieces(List<Piece> all) {

    /** Copies the list. */
    public Pieces {
        all = List.copyOf(all);
    }

    /** One of them. */
    public sealed interface Piece {

        /**
         * Messages of the log.
         *
         * @param from the first, from 0
         * @param to behind the last
         */
        record Kept(int from, int to) implements Piece {}

        /**
         * A message that is not in the log.
         *
         * @param message which
         */
        record Said(Message message) implements Piece {}
    }

    /**
     * Messages as pieces. Of equal messages the latest is taken: what is older than all pieces need not be read to send them.
     *
     * @param messages to be recorded
     * @param known messages that may be in the log
     * @param places their places in the log, less than 0 for those that are not
     */
    static Pieces of(List<Message> messages, List<Message> known, int[] places) {
        Map<Message, List<Integer>> found = HashMap.newHashMap(known.size());
        for (int i = 0; i < known.size(); i++) {
            if (places[i] >= 0) {
                found.computeIfAbsent(known.get(i), unused -> new ArrayList<>(1)).add(places[i]);
            }
        }
        Deque<Piece> pieces = new ArrayDeque<>();
        int next = Integer.MAX_VALUE;
        for (Message message : messages.reversed()) {
            int place = last(found.get(message), next);
            if (place < 0) {
                pieces.addFirst(new Piece.Said(message));
                continue;
            }
            if (pieces.peekFirst() instanceof Piece.Kept(int from, int to) && from == place + 1) {
                pieces.removeFirst();
                pieces.addFirst(new Piece.Kept(place, to));
            } else {
                pieces.addFirst(new Piece.Kept(place, place + 1));
            }
            next = place;
        }
        return new Pieces(List.copyOf(pieces));
    }

    private static int last(@Nullable List<Integer> places, int before) {
        if (places != null) {
            for (int place : places.reversed()) {
                if (place < before) {
                    return place;
                }
            }
        }
        return -1;
    }

    /**
     * The messages, out of a log.
     *
     * @param first the place of the log's first message
     */
    List<Message> of(List<Message> log, int first) {
        List<Message> messages = new ArrayList<>();
        for (Piece piece : all) {
            switch (piece) {
                case Piece.Kept(int from, int to) -> messages.addAll(log.subList(from - first, to - first));
                case Piece.Said(Message message) -> messages.add(message);
            }
        }
        return messages;
    }

    /** The place of the first message of the log that is among them; the largest number there is for none. */
    int first() {
        int first = Integer.MAX_VALUE;
        for (Piece piece : all) {
            first = piece instanceof Piece.Kept(int from, int to) ? Math.min(first, from) : first;
        }
        return first;
    }

    /** For each message its place in the log, -1 for those that are not in it. */
    List<Integer> places() {
        List<Integer> places = new ArrayList<>();
        for (Piece piece : all) {
            if (piece instanceof Piece.Kept(int from, int to)) {
                for (int at = from; at < to; at++) {
                    places.add(at);
                }
            } else {
                places.add(-1);
            }
        }
        return places;
    }

    void write(JsonWriter out) {
        out.beginArray();
        for (Piece piece : all) {
            switch (piece) {
                case Piece.Kept(int from, int to) ->
                    out.beginObject().name("from").value(from).name("to").value(to).endObject();
                case Piece.Said(Message message) ->
                    out.beginObject().name("message").value(MessageJson.of(message)).endObject();
            }
        }
        out.endArray();
    }

    /** Out of a field of a record. */
    static Pieces of(Json record, String field) {
        return new Pieces(RecordReader.items(record, field)
                .stream()
                .map(one -> one.get("message")
                        .<Piece>map(message -> new Piece.Said(MessageJson.message(message)))
                        .orElseGet(() -> new Piece.Kept(RecordReader.field(one, "from").asInt(),
                                RecordReader.field(one, "to").asInt())))
                .toList());
    }
}
