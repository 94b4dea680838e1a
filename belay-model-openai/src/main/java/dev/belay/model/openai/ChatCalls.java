package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.http.ArrivingAnswer;
import dev.belay.model.http.wire.WireFields;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Assigns the pieces of a stream to their calls. A piece carries the index of its call. Some servers leave it out, or send the
 * index 0 for every call; there a new call is recognised by its id and name, which only its first piece has, and by complete
 * arguments of the call before. A call is told when its name is known. Confined to one answer.
 */
final class ChatCalls {

    private static final class Call {

        private String id = "";
        private String name = "";
        private boolean told;
        /** Whether it may be a repetition of the previous call's name instead of a call. */
        private boolean doubtful;
        private final ArrivingArguments arguments = new ArrivingArguments();
        private int heard;
    }

    private final SortedMap<Integer, Call> calls = new TreeMap<>();
    /** The slot that pieces of an index belong to now; it changes on servers that send 0 for every call. */
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final MergedMessage message;
    private int latest = -1;

    ChatCalls(MergedMessage message) {
        this.message = message;
    }

    /** Takes a piece of a stream. */
    void add(Json piece, ArrivingAnswer answer) {
        add(slot(WireFields.index(piece, "index"), Piece.of(piece)), piece, answer);
    }

    /** Takes a call of a whole message; its index and id do not matter. */
    void addWhole(Json call, ArrivingAnswer answer) {
        add(next(), call, answer);
    }

    private void add(int slot, Json json, ArrivingAnswer answer) {
        Piece piece = Piece.of(json);
        latest = slot;
        message.addCall(slot, json);
        Call call = calls.computeIfAbsent(slot, index -> new Call());
        if (call.id.isEmpty()) {
            call.id = piece.id;
        }
        if (call.name.isEmpty()) {
            call.name = piece.name;
        }
        call.arguments.add(piece.arguments);
        call.doubtful = call.doubtful && piece.arguments.isBlank();
        if (!call.name.isEmpty() && !call.doubtful) {
            tell(slot, call, answer);
        }
    }

    /** Tells the calls whose name never arrived. */
    void end(ArrivingAnswer answer) {
        calls.forEach((slot, call) -> {
            if (call.doubtful) {
                message.dropCall(slot);
            } else if (!call.told) {
                tell(slot, call, answer);
            }
        });
    }

    private record Piece(String id, String name, String arguments) {

        static Piece of(Json json) {
            Json function = WireFields.field(json, "function").orElse(Json.EMPTY_OBJECT);
            return new Piece(WireFields.text(json, "id"), WireFields.text(function, "name"),
                    ChatCalls.arguments(function));
        }
    }

    /** Arguments are text; some servers send the object itself. */
    private static String arguments(Json function) {
        return WireFields.field(function, "arguments")
                .map(value -> value.kind() == Json.Kind.STRING ? value.asString() : value.compact())
                .orElse("");
    }

    private static void tell(int slot, Call call, ArrivingAnswer answer) {
        if (!call.told) {
            call.told = true;
            answer.tell(new CallStarted(slot, call.id, call.name));
        }
        String unheard = call.arguments.from(call.heard);
        if (!unheard.isEmpty()) {
            answer.tell(new CallArguments(slot, unheard));
            call.heard += unheard.length();
        }
    }

    private int slot(OptionalInt index, Piece piece) {
        if (index.isEmpty()) {
            Call before = calls.get(latest);
            boolean named = !piece.id.isEmpty() && before != null && !before.id.isEmpty();
            boolean same = before != null && (named ? piece.id.equals(before.id) : piece.name.isEmpty());
            return same ? latest : next();
        }
        Integer open = slots.get(index.getAsInt());
        Call known = open == null ? null : calls.get(open);
        if (open != null && known != null && !isAnother(known, piece)) {
            return open;
        }
        int slot = calls.containsKey(index.getAsInt()) ? next() : index.getAsInt();
        slots.put(index.getAsInt(), slot);
        Call begun = new Call();
        begun.doubtful = known != null && !haveIds(known, piece) && piece.name.equals(known.name)
                && piece.arguments.isBlank();
        calls.put(slot, begun);
        return slot;
    }

    /** Whether a piece begins a new call although it has the index of a known one. */
    private static boolean isAnother(Call known, Piece piece) {
        if (piece.name.isEmpty()) {
            return false;
        }
        if (haveIds(known, piece)) {
            return !piece.id.equals(known.id);
        }
        if (known.name.isEmpty()) {
            return false;
        }
        // a call that is sent twice counts once: running a call twice is worse than refusing one
        return !piece.name.equals(known.name)
                || (known.arguments.isWhole() && !known.arguments.are(piece.arguments));
    }

    private static boolean haveIds(Call known, Piece piece) {
        return !piece.id.isEmpty() && !known.id.isEmpty();
    }

    private int next() {
        return calls.isEmpty() ? 0 : calls.lastKey() + 1;
    }
}
