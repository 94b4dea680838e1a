package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
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
 * Puts the pieces of calls where they belong. A piece says its index; servers that leave it out, or give every call the index 0,
 * are understood by the id and the name that only the first piece of a call has, and by arguments that are whole: nothing can
 * follow them. A call is told when its name is known. Confined to one answer.
 */
final class ChatCalls {

    private static final class Call {

        private String id = "";
        private String name = "";
        private boolean told;
        /** Whether it may be no call at all, but the name of the one before said once more. */
        private boolean doubtful;
        private final StringBuilder arguments = new StringBuilder();
        private int heard;

        private boolean isWhole() {
            try {
                return Json.of(arguments.toString()).kind() == Json.Kind.OBJECT;
            } catch (JsonException notYet) {
                return false;
            }
        }
    }

    private final SortedMap<Integer, Call> calls = new TreeMap<>();
    /** The call that pieces of an index belong to now; a server that says 0 for every call goes from one to the next. */
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final MergedMessage message;
    private int latest = -1;

    ChatCalls(MergedMessage message) {
        this.message = message;
    }

    /** Takes a piece of a stream. */
    void add(Json piece, ArrivingAnswer answer) {
        add(slot(WireFields.number(piece, "index"), Piece.of(piece)), piece, answer);
    }

    /** Takes a call of a message in one piece: each is one, whatever index and id it has. */
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
        call.arguments.append(piece.arguments);
        call.doubtful = call.doubtful && call.arguments.toString().isBlank();
        if (!call.name.isEmpty() && !call.doubtful) {
            tell(slot, call, answer);
        }
    }

    /** Tells the calls whose name never came. */
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
        if (call.heard < call.arguments.length()) {
            answer.tell(new CallArguments(slot, call.arguments.substring(call.heard)));
            call.heard = call.arguments.length();
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

    /** Whether a piece begins a call of its own although it has the index of one that is known. */
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
        // the same call sent once more is not taken for two: a call that happens twice is worse than one that is refused
        return !piece.name.equals(known.name)
                || (known.isWhole() && !piece.arguments.contentEquals(known.arguments));
    }

    private static boolean haveIds(Call known, Piece piece) {
        return !piece.id.isEmpty() && !known.id.isEmpty();
    }

    private int next() {
        return calls.isEmpty() ? 0 : calls.lastKey() + 1;
    }
}
