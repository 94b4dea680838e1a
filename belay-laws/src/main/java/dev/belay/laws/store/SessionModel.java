package dev.belay.laws.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A session store in its simplest form: texts and lists, no transactions, no threads, no code shared with real stores. Computes the
 * expected answer of each call and the state after it. Confined to one thread.
 */
final class SessionModel {

    /** An arrival. */
    static final class Row {
        final String id;
        final String kind;
        final String content;
        final long place;
        @Nullable
        Long turn;

        Row(String id, String kind, String content, long place) {
            this.id = id;
            this.kind = kind;
            this.content = content;
            this.place = place;
        }

        String words() {
            return id + " " + kind + " " + content + " at " + place + " in " + turn;
        }
    }

    /** A turn and its scope; {@code owner} is the number of a store, or -1. */
    static final class Turn {
        String input = "";
        @Nullable
        String receipt;
        @Nullable
        String end;
        String scope = "none";
        int owner = -1;
        long fence;
    }

    /** A session. */
    static final class Kept {
        final long incarnation;
        final List<Turn> turns = new ArrayList<>();
        final List<String> messages = new ArrayList<>();
        final Map<String, Row> arrivals = new LinkedHashMap<>();
        long lastPlace;
        String state = "null";

        Kept(long incarnation) {
            this.incarnation = incarnation;
        }

        @Nullable
        Turn active() {
            return turns.isEmpty() || turns.getLast().receipt != null ? null : turns.getLast();
        }

        String words() {
            Turn active = active();
            return "incarnation " + incarnation + " revision " + (turns.size() - (active == null ? 0 : 1))
                    + " active " + (active == null ? null : turns.size()) + " messages " + messages.size()
                    + " last " + lastPlace + " state " + state;
        }
    }

    private final Map<String, Kept> sessions = new TreeMap<>();

    @Nullable
    Kept session(String name) {
        return sessions.get(name);
    }

    String accept(String session, long incarnation, Row arrival, long expected, int owner) {
        Kept kept = sessions.get(session);
        Row known = kept == null ? null : kept.arrivals.get(arrival.id);
        if (known != null) {
            boolean same = known.kind.equals(arrival.kind) && known.content.equals(arrival.content);
            return (same ? "known " : "conflict ") + known.words();
        }
        if (expected >= 0 && expected != (kept == null ? 0 : kept.lastPlace)) {
            return "overtaken";
        }
        if (kept == null) {
            kept = new Kept(incarnation);
            sessions.put(session, kept);
        }
        kept.lastPlace++;
        var row = new Row(arrival.id, arrival.kind, arrival.content, kept.lastPlace);
        kept.arrivals.put(row.id, row);
        if (row.kind.equals("COMMAND") || kept.active() != null) {
            return "waits " + row.place;
        }
        return "started " + begin(kept, row, owner);
    }

    private static String begin(Kept kept, Row first, int owner) {
        var turn = new Turn();
        turn.input = first.id;
        turn.scope = owner < 0 ? "READY" : "RUNNING";
        turn.owner = owner;
        turn.fence = owner < 0 ? 0 : 1;
        kept.turns.add(turn);
        first.turn = (long) kept.turns.size();
        return kept.turns.size() + (owner < 0 ? " free" : " fence 1");
    }

    boolean withdraw(String session, String id) {
        Kept kept = sessions.get(session);
        Row row = kept == null ? null : kept.arrivals.get(id);
        boolean waits = row != null && row.turn == null;
        if (kept != null && waits) {
            kept.arrivals.remove(id);
        }
        return waits;
    }

    /** A commit by a store with a claim of a turn of an incarnation. */
    String commit(SessionPlayer.Held held, int store, Ending ending, int nextOwner) {
        Kept kept = sessions.get(ending.session());
        if (kept == null || kept.incarnation != held.incarnation()) {
            return "fenced";
        }
        String refused = refusal(kept, ending);
        if (refused != null) {
            return refused;
        }
        Turn turn = kept.turns.get((int) ending.turn() - 1);
        boolean holds = held.turn() == ending.turn() && turn.scope.equals("RUNNING") && turn.owner == store
                && turn.fence == held.claim().fence();
        return holds ? end(kept, turn, ending, nextOwner) : "fenced";
    }

    String abandon(Ending ending, int nextOwner) {
        Kept kept = sessions.get(ending.session());
        if (kept == null) {
            return "fenced";
        }
        String refused = refusal(kept, ending);
        if (refused != null) {
            return refused;
        }
        Turn turn = kept.turns.get((int) ending.turn() - 1);
        return turn.scope.equals("STUCK") ? end(kept, turn, ending, nextOwner) : "fenced";
    }

    private static @Nullable String refusal(Kept kept, Ending ending) {
        if (ending.turn() < 1 || ending.turn() > kept.turns.size()) {
            return "diverged " + kept.words();
        }
        Turn turn = kept.turns.get((int) ending.turn() - 1);
        if (turn.receipt == null) {
            return null;
        }
        return turn.receipt.equals(ending.receipt()) ? "already " + turn.end : "diverged " + kept.words();
    }

    private static String end(Kept kept, Turn turn, Ending ending, int nextOwner) {
        turn.receipt = ending.receipt();
        turn.scope = "ENDED";
        turn.owner = -1;
        turn.end = ending.receipt() + " " + ending.result() + " state " + ending.state() + " messages "
                + kept.messages.size() + "+" + ending.messages().size();
        ending.messages().forEach(message -> kept.messages.add(ending.turn() + " " + message));
        if (ending.state() != null) {
            kept.state = ending.state();
        }
        for (String id : ending.taken()) {
            Row row = kept.arrivals.get(id);
            if (row != null && row.turn == null) {
                row.turn = ending.turn();
            }
        }
        for (Row row : kept.arrivals.values()) {
            if (row.turn == null && row.kind.equals("INPUT")) {
                return "done " + begin(kept, row, nextOwner);
            }
        }
        return "done 0 free";
    }

    boolean create(String session, long incarnation, List<String> messages, String state) {
        if (sessions.containsKey(session)) {
            return false;
        }
        var kept = new Kept(incarnation);
        for (int i = 0; i < messages.size(); i++) {
            var turn = new Turn();
            turn.input = "past";
            turn.receipt = "past " + (i + 1);
            turn.end = turn.receipt + " past state null messages " + i + "+1";
            kept.turns.add(turn);
            kept.messages.add((i + 1) + " " + messages.get(i));
        }
        kept.state = state;
        sessions.put(session, kept);
        return true;
    }

    boolean delete(String session) {
        return sessions.remove(session) != null;
    }

    /** A commit as text. */
    record Ending(String session, long turn, String receipt, List<String> messages, @Nullable String state,
            String result, List<String> taken) {}

    String picture(String session) {
        Kept kept = sessions.get(session);
        if (kept == null) {
            return "not there";
        }
        List<String> lines = new ArrayList<>();
        lines.add(kept.words());
        for (Turn turn : kept.turns) {
            lines.add("turn " + turn.input + " " + turn.end + " scope " + turn.scope + " " + turn.fence);
        }
        lines.addAll(kept.messages);
        kept.arrivals.values()
                .stream()
                .filter(row -> row.turn == null)
                .forEach(row -> lines.add("waits "
                        + row.words()));
        return String.join("\n", lines);
    }
}
