package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.http.Answer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Puts the pieces of calls where they belong. A piece says its index; servers that leave it out, or give every call the index 0,
 * are understood by the id and the name that only the first piece of a call has. A call is told when its name is known. Confined
 * to one answer.
 */
final class ChatCalls {

    private static final class Call {

        private String id = "";
        private String name = "";
        private boolean told;
        private final StringBuilder waiting = new StringBuilder();
    }

    private final SortedMap<Integer, Call> calls = new TreeMap<>();
    /** The call that pieces of an index belong to now; a server that says 0 for every call goes from one to the next. */
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final MergedMessage message;
    private int latest = -1;

    ChatCalls(MergedMessage message) {
        this.message = message;
    }

    void add(Json piece, Answer answer) {
        Json function = Fields.field(piece, "function").orElse(Json.EMPTY_OBJECT);
        String id = Fields.text(piece, "id");
        String name = Fields.text(function, "name");
        int slot = slot(Fields.number(piece, "index"), id, name);
        latest = slot;
        message.addCall(slot, piece);
        Call call = calls.computeIfAbsent(slot, index -> new Call());
        if (call.id.isEmpty()) {
            call.id = id;
        }
        if (call.name.isEmpty()) {
            call.name = name;
        }
        call.waiting.append(arguments(function));
        if (!call.name.isEmpty()) {
            tell(slot, call, answer);
        }
    }

    /** Tells the calls whose name never came. */
    void end(Answer answer) {
        calls.forEach((slot, call) -> {
            if (!call.told) {
                tell(slot, call, answer);
            }
        });
    }

    /** Arguments are text; some servers send the object itself. */
    private static String arguments(Json function) {
        return Fields.field(function, "arguments")
                .map(value -> value.kind() == Json.Kind.STRING ? value.asString() : value.compact())
                .orElse("");
    }

    private static void tell(int slot, Call call, Answer answer) {
        if (!call.told) {
            call.told = true;
            answer.tell(new CallStarted(slot, call.id, call.name));
        }
        if (!call.waiting.isEmpty()) {
            answer.tell(new CallArguments(slot, call.waiting.toString()));
            call.waiting.setLength(0);
        }
    }

    private int slot(OptionalInt index, String id, String name) {
        if (index.isEmpty()) {
            Call before = calls.get(latest);
            boolean named = !id.isEmpty() && before != null && !before.id.isEmpty();
            boolean same = before != null && (named ? id.equals(before.id) : name.isEmpty());
            return same ? latest : next();
        }
        Integer open = slots.get(index.getAsInt());
        Call known = open == null ? null : calls.get(open);
        boolean another = known == null || (!name.isEmpty() && !id.isEmpty() && !known.id.isEmpty()
                && !id.equals(known.id));
        int slot = !another && open != null
                ? open
                : calls.containsKey(index.getAsInt()) ? next() : index.getAsInt();
        slots.put(index.getAsInt(), slot);
        return slot;
    }

    private int next() {
        return calls.isEmpty() ? 0 : calls.lastKey() + 1;
    }
}
