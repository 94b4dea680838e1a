package dev.belay.runtime.store.memory;

import dev.belay.json.Json;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One session in memory. What it appends is never copied: a write costs what it adds.
 *
 * <p>Concurrency: see {@link SharedMemory}. Recovery: each change tells its transaction how it is taken back.
 */
final class MemorySession {

    private final SessionId id;
    private final Incarnation incarnation;
    private final Json origin;
    private final Instant createdAt;
    /** Turn n stands at n - 1; only the last one may be without an end. */
    private final List<TurnRow> turns;
    private final List<StoredMessage> messages;
    private final Map<String, Arrived> arrivals = new HashMap<>();
    private final TreeMap<Long, Arrived> waiting = new TreeMap<>();
    private Json state;
    private long lastPlace;
    private Instant changedAt;

    private MemorySession(NewSession past, Instant at) {
        id = past.id();
        incarnation = past.incarnation();
        origin = past.origin();
        turns = new ArrayList<>(past.turns());
        messages = new ArrayList<>(past.messages());
        state = past.state();
        createdAt = at;
        changedAt = at;
    }

    static MemorySession of(NewSession past, Instant at) {
        return new MemorySession(past, at);
    }

    static MemorySession empty(SessionId id, Incarnation incarnation, Instant at) {
        return of(new NewSession(id, incarnation, Json.NULL, List.of(), List.of(), Json.NULL), at);
    }

    SessionId id() {
        return id;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    SessionHead head() {
        return new SessionHead(id, incarnation, revision(), active(), messages.size(), lastPlace, state,
                origin, createdAt, changedAt);
    }

    private long revision() {
        return active() == null ? turns.size() : turns.size() - 1L;
    }

    @Nullable
    Long active() {
        return turns.isEmpty() || turns.getLast().end() != null ? null : (long) turns.size();
    }

    long lastPlace() {
        return lastPlace;
    }

    @Nullable
    Arrived arrival(String input) {
        return arrivals.get(input);
    }

    List<Arrived> waiting() {
        return List.copyOf(waiting.values());
    }

    /** The oldest input that waits. */
    Optional<Arrived> waitingInput() {
        for (Arrived one : waiting.values()) {
            if (one.arrival().kind() == Arrival.Kind.INPUT) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    @Nullable
    TurnRow turn(long turn) {
        return turn < 1 || turn > turns.size() ? null : turns.get((int) turn - 1);
    }

    List<TurnRow> turns(long from, int most) {
        return part(turns, from - 1, most);
    }

    List<StoredMessage> messages(long from, int most) {
        return part(messages, from, most);
    }

    private static <T> List<T> part(List<T> all, long from, int most) {
        long first = Math.clamp(from, 0, all.size());
        long last = Math.clamp(first + most, first, all.size());
        return List.copyOf(all.subList((int) first, (int) last));
    }

    /** Keeps an arrival that waits. */
    Arrived arrive(MemoryTransaction tx, Arrival arrival, Instant at) {
        change(tx, at);
        lastPlace++;
        var row = new Arrived(arrival, lastPlace, null, at);
        put(tx, row);
        return row;
    }

    /** Forgets an arrival that waits. */
    void withdraw(MemoryTransaction tx, Arrived row, Instant at) {
        change(tx, at);
        drop(row);
        tx.undo(() -> put(row));
    }

    /** Begins the next turn for an arrival that waits; its number. */
    long begin(MemoryTransaction tx, Arrived first, Instant at) {
        change(tx, at);
        long turn = turns.size() + 1L;
        take(tx, first.arrival().id(), turn);
        turns.add(new TurnRow(id, turn, first.arrival().id(), at, null));
        tx.undo(turns::removeLast);
        return turn;
    }

    /** Ends the active turn. */
    void end(MemoryTransaction tx, TurnCommit commit, Instant at) {
        change(tx, at);
        commit.taken().forEach(input -> take(tx, input, commit.turn()));
        int first = messages.size();
        for (Json message : commit.messages()) {
            messages.add(new StoredMessage(messages.size(), commit.turn(), message));
        }
        tx.undo(() -> messages.subList(first, messages.size()).clear());
        state = commit.state() == null ? state : commit.state();
        TurnRow open = turns.getLast();
        turns.set(turns.size() - 1, new TurnRow(id, open.turn(), open.input(), open.acceptedAt(),
                new TurnRow.End(commit.receipt(), commit.result(), commit.state(), first,
                        commit.messages().size(), at)));
        tx.undo(() -> turns.set(turns.size() - 1, open));
    }

    /** Marks an arrival, if it waits. */
    private void take(MemoryTransaction tx, String input, long turn) {
        Arrived row = arrivals.get(input);
        if (row != null && row.turn() == null) {
            put(tx, new Arrived(row.arrival(), row.place(), turn, row.at()));
        }
    }

    private void put(MemoryTransaction tx, Arrived row) {
        Arrived old = arrivals.get(row.arrival().id());
        put(row);
        tx.undo(() -> {
            drop(row);
            if (old != null) {
                put(old);
            }
        });
    }

    private void put(Arrived row) {
        arrivals.put(row.arrival().id(), row);
        if (row.turn() == null) {
            waiting.put(row.place(), row);
        } else {
            waiting.remove(row.place());
        }
    }

    private void drop(Arrived row) {
        arrivals.remove(row.arrival().id());
        waiting.remove(row.place());
    }

    /** Notes the time of a change, and how what is neither appended nor kept by a key is taken back. */
    private void change(MemoryTransaction tx, Instant at) {
        Json stateBefore = state;
        long placeBefore = lastPlace;
        Instant timeBefore = changedAt;
        tx.undo(() -> {
            state = stateBefore;
            lastPlace = placeBefore;
            changedAt = timeBefore;
        });
        changedAt = at;
    }
}
