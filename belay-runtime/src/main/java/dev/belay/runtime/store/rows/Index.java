package dev.belay.runtime.store.rows;

import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.ProcessRows.Event;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.ProcessRows.ProcessHead;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.ScopeRows.WaitKey;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows.Content;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows by something else than their key. It holds only those of which its function gives a place, so that a look for work
 * reads that work alone. Immutable.
 *
 * @param <R> the rows
 */
public final class Index<R> {

    /** Scopes that are ready, the longest first. */
    public static final Index<Scope> READY = new Index<>("scope_ready", ScopeRows.SCOPES,
            s -> s.status() == Status.READY ? new Place("", s.since()) : null);
    /** Scopes that are ready, by their kinds, the longest first. */
    public static final Index<Scope> READY_OF_KIND = new Index<>("scope_ready_kind", ScopeRows.SCOPES,
            s -> s.status() == Status.READY ? new Place(s.kind(), s.since()) : null);
    /** Scopes that are ready, in the order of their kinds: the first behind a kind has the next one. */
    public static final Index<Scope> READY_KINDS = new Index<>("scope_ready_kind", ScopeRows.SCOPES,
            s -> s.status() == Status.READY ? new Place("", s.kind()) : null);
    /** Scopes that run, by their owners. */
    public static final Index<Scope> OWNED = new Index<>("scope_owner", ScopeRows.SCOPES,
            s -> s.owner() == null ? null : new Place(s.owner(), s.since()));
    /** Parked scopes that go on by themselves, by the time. */
    public static final Index<Scope> WAKING = new Index<>("scope_wake", ScopeRows.SCOPES,
            s -> s.wakeAt() == null ? null : new Place("", s.wakeAt()));
    /** Scopes that are stuck, the longest first. */
    public static final Index<Scope> STUCK = new Index<>("scope_stuck", ScopeRows.SCOPES,
            s -> s.status() == Status.STUCK ? new Place("", s.since()) : null);
    /** Scopes that are stuck, by their names. */
    public static final Index<Scope> STUCK_NAMES = new Index<>("scope_stuck_id", ScopeRows.SCOPES,
            s -> s.status() == Status.STUCK ? new Place("", s.id()) : null);
    /** Scopes that have ended and still have records that no doubt keeps, by the time of their ends. */
    public static final Index<Scope> ENDED = new Index<>("scope_ended", ScopeRows.SCOPES,
            s -> s.status() == Status.ENDED && !s.collected() ? new Place("", s.since()) : null);
    /** Waits that are open, by their scopes. */
    public static final Index<Wait> OPEN = new Index<>("wait_open", ScopeRows.WAITS,
            w -> w.isSettled() ? null : new Place(w.scope(), w.name()));
    /** Waits that are open, by their deadlines. */
    public static final Index<Wait> DUE = new Index<>("wait_due", ScopeRows.WAITS,
            w -> w.isSettled() || w.deadline() == null ? null : new Place("", w.deadline()));
    /** Keys of waits that are open, the longest first. */
    public static final Index<WaitKey> PENDING = new Index<>("wait_key_place", ScopeRows.KEYS,
            k -> k.place() == null ? null : new Place("", k.place()));
    /** Keys of waits by their public names. */
    public static final Index<WaitKey> KEY_ID = new Index<>("wait_key_id", ScopeRows.KEYS,
            k -> new Place(k.id(), k.name()));
    /** Arrivals that are in no turn, by their sessions, in their order. */
    public static final Index<Arrived> WAITING = new Index<>("arrival_waiting", SessionRows.ARRIVALS,
            a -> a.turn() != null ? null : new Place(a.session(), a.place()));
    /** Inputs that are in no turn, by their sessions, in their order. */
    public static final Index<Arrived> INPUTS = new Index<>("arrival_input", SessionRows.ARRIVALS,
            a -> a.turn() != null || a.arrival().kind() != Arrival.Kind.INPUT
                    ? null
                    : new Place(a.session(), a.place()));
    /** Sessions of whose active turn a program owns the loop. */
    public static final Index<Session> OPEN_LOOPS = new Index<>("session_open", SessionRows.SESSIONS,
            s -> s.openLoop() ? new Place("", s.id()) : null);
    /** Processes in the order of their starts. */
    public static final Index<ProcessHead> STARTED = new Index<>("process_place", ProcessRows.PROCESSES,
            p -> new Place("", p.place()));
    /** Processes of a session, in the order of their starts. */
    public static final Index<Grant> GRANTED = new Index<>("process_grant_session", ProcessRows.GRANTS,
            g -> new Place(g.session(), g.place()));
    /** Events of a process, in their order. */
    public static final Index<Event> TOLD = new Index<>("process_event_place", ProcessRows.EVENTS,
            e -> new Place(e.process(), e.event().place()));
    /** Contents that no row refers to, by the time of the last reference. */
    public static final Index<Content> UNUSED = new Index<>("content_age", StoreRows.CONTENTS,
            c -> new Place("", c.writtenAt()));

    /** Doubts that are open, in the order in which they arose. */
    public static final Index<DoubtRow> DOUBTS = new Index<>("doubt_open", OperatorRows.DOUBTS,
            d -> d.isOpen() ? new Place("", d.place()) : null);
    /** Doubts that are open, by the calls that would do the same again. */
    public static final Index<DoubtRow> DOUBTED_CALLS = new Index<>("doubt_guard", OperatorRows.DOUBTS,
            d -> d.isOpen() ? new Place(d.guard(), d.place()) : null);
    /** Doubts that are open, by the resources that they held. */
    public static final Index<DoubtRow> DOUBTED_RESOURCES = new Index<>("doubt_resource", OperatorRows.DOUBTS,
            d -> d.isOpen() && d.resource() != null ? new Place(d.resource(), d.place()) : null);
    /** Doubts that are open, by the waits that may still answer them. */
    public static final Index<DoubtRow> DOUBTED_WAITS = new Index<>("doubt_answers", OperatorRows.DOUBTS,
            d -> d.isOpen() && d.answers() != null ? new Place(d.answers(), d.place()) : null);
    /** Doubts that are open, by their sessions. */
    public static final Index<DoubtRow> DOUBTED_SESSIONS = new Index<>("doubt_session", OperatorRows.DOUBTS,
            d -> d.isOpen() && d.session() != null ? new Place(d.session(), d.place()) : null);

    /** Doubts that are open, by the scopes of their records. */
    public static final Index<DoubtRow> DOUBTED_SCOPES = new Index<>("doubt_scope", OperatorRows.DOUBTS,
            d -> d.isOpen() ? new Place(d.scope(), d.place()) : null);

    /** All of them. */
    public static final List<Index<?>> ALL = List.of(READY, READY_OF_KIND, READY_KINDS, OWNED, WAKING, STUCK,
            STUCK_NAMES,
            ENDED, OPEN,
            DUE, PENDING, KEY_ID, WAITING,
            INPUTS,
            OPEN_LOOPS, STARTED, GRANTED, TOLD, UNUSED, DOUBTS, DOUBTED_CALLS, DOUBTED_RESOURCES,
            DOUBTED_WAITS,
            DOUBTED_SESSIONS, DOUBTED_SCOPES);

    /**
     * Where a row stands in an index.
     *
     * @param group such as the scope of a wait; empty if the index has one group
     * @param at its place in the group: an {@link java.time.Instant}, {@link Long} or {@link String}
     */
    public record Place(String group, Comparable<?> at) {}

    private final String name;
    private final Table<R> table;
    private final Function<R, @Nullable Place> place;

    private Index(String name, Table<R> table, Function<R, @Nullable Place> place) {
        this.name = name;
        this.table = table;
        this.place = place;
    }

    /** Its name in the schema. */
    public String name() {
        return name;
    }

    /** Whose rows it finds. */
    public Table<R> table() {
        return table;
    }

    /** Where a row stands in it; null if it does not. */
    public @Nullable Place place(R row) {
        return place.apply(row);
    }

    @Override
    public String toString() {
        return name;
    }
}
