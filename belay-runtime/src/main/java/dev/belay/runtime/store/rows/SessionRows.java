package dev.belay.runtime.store.rows;

import dev.belay.json.Json;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rows of sessions: a head for each, its state, arrivals, turns, messages and the ledger of its calls. */
public final class SessionRows {

    /** Heads of sessions. */
    public static final Table<Session> SESSIONS = Table.single("session",
            "id text, incarnation text, revision number, active number, open_loop number, state_turn number,"
                    + " messages number, waiting number, last_place number, calls number,"
                    + " created_at moment, changed_at moment",
            Session::id,
            s -> new Object[]{s.id, s.incarnation, s.revision, s.active, s.openLoop, s.stateTurn, s.messages,
                s.waiting, s.lastPlace, s.calls, s.createdAt, s.changedAt},
            v -> new Session(v.text(), v.incarnation(), v.number(), v.numberOrNull(), v.flag(), v.number(),
                    v.number(), v.count(), v.number(), v.number(), v.moment(), v.moment()));

    /** Which session has an incarnation. */
    public static final Table<Named> INCARNATIONS = Table.single("incarnation",
            "incarnation text, session text",
            n -> n.incarnation.toString(), n -> new Object[]{n.incarnation, n.session},
            v -> new Named(v.incarnation(), v.text()));

    /** What sessions that were made with a past began with. */
    public static final Table<Past> PASTS = Table.single("session_past",
            "session text, origin json, state json",
            Past::session, s -> new Object[]{s.session, s.origin, s.state},
            v -> new Past(v.text(), v.json(), v.json()));

    /** What is said about sessions; one of the agent {@code default}, open and without labels, has no row. */
    public static final Table<Profile> PROFILES = Table.single("session_profile",
            "session text, agent text, closed_at moment, labels json", Profile::session,
            p -> new Object[]{p.session, p.value.agent(), p.value.closedAt(), p.value.labelsJson()},
            v -> new Profile(v.text(), SessionProfile.of(v.text(), v.momentOrNull(), v.json())));

    /** Arrivals. */
    public static final Table<Arrived> ARRIVALS = Table.of("arrival",
            "session text, id text, place number, kind text, hash text, content json, turn number, at moment",
            Arrived::session, a -> a.arrival.id(),
            a -> new Object[]{a.session, a.arrival.id(), a.place, a.arrival.kind(), a.arrival.hash(),
                a.arrival.content(), a.turn, a.at},
            Arrived::read);

    /** Turns. */
    public static final Table<Turn> TURNS = Table.of("turn",
            "session text, turn number, input text, accepted_at moment, has_scope number, receipt text,"
                    + " result json, output text, state json, first_message number, messages number, first_call number,"
                    + " calls number, ended_at moment",
            Turn::session, Turn::turn, Turn::values, Turn::read);

    /** Messages. */
    public static final Table<Message> MESSAGES = Table.of("message",
            "session text, place number, turn number, value json", Message::session, Message::place,
            m -> new Object[]{m.session, m.place, m.turn, m.value},
            v -> new Message(v.text(), v.number(), v.number(), v.json()));

    /** The ledger: one row for each call. */
    public static final Table<Call> CALLS = Table.of("ledger",
            "session text, place number, turn number, value json, output text", Call::session, Call::place,
            c -> new Object[]{c.session, c.place, c.turn, c.value, c.output},
            v -> new Call(v.text(), v.number(), v.number(), v.jsonOrNull(), v.textOrNull()));

    private SessionRows() {}

    /**
     * The head of a session.
     *
     * @param id which
     * @param incarnation its random bits
     * @param revision the last turn that was committed
     * @param active the turn that was accepted and is not committed, or null
     * @param openLoop whether a program owns the loop of the active turn
     * @param stateTurn the turn that left the present state; 0 for what the session began with
     * @param messages how many messages it has
     * @param waiting how many arrivals are in no turn
     * @param lastPlace the place of the last arrival
     * @param calls how many rows its ledger has
     * @param createdAt when it was made
     * @param changedAt when it was last written
     */
    public record Session(String id, Incarnation incarnation, long revision, @Nullable Long active,
            boolean openLoop, long stateTurn, long messages, int waiting, long lastPlace, long calls,
            Instant createdAt, Instant changedAt) {

        /** A session without a past. */
        public static Session empty(String id, Incarnation incarnation, Instant at) {
            return new Session(id, incarnation, 0, null, false, 0, 0, 0, 0, 0, at, at);
        }

        /** The session with an active turn, for an arrival that waited. */
        public Session begun(long turn, boolean open, Instant at) {
            return new Session(id, incarnation, revision, turn, open, stateTurn, messages,
                    waiting - 1, lastPlace, calls, createdAt, at);
        }

        /** The session with one more arrival, which waits. */
        public Session arrived(Instant at) {
            return new Session(id, incarnation, revision, active, openLoop, stateTurn, messages,
                    waiting + 1, lastPlace + 1, calls, createdAt, at);
        }

        /** The session without an arrival that waited. */
        public Session withdrawn(Instant at) {
            return new Session(id, incarnation, revision, active, openLoop, stateTurn, messages,
                    waiting - 1, lastPlace, calls, createdAt, at);
        }

        /** The session after its active turn. */
        public Session committed(boolean newState, int newMessages, int newCalls, int taken, Instant at) {
            return new Session(id, incarnation, revision + 1, null, false,
                    newState ? revision + 1 : stateTurn, messages + newMessages, waiting - taken,
                    lastPlace, calls + newCalls, createdAt, at);
        }
    }

    /**
     * What is said about a session.
     *
     * @param session which
     * @param value its agent, its labels, and whether it is closed
     */
    public record Profile(String session, SessionProfile value) {}

    /**
     * Which session has an incarnation.
     *
     * @param incarnation its random bits
     * @param session which
     */
    public record Named(Incarnation incarnation, String session) {}

    /**
     * What a session began with.
     *
     * @param session whose
     * @param origin where it comes from
     * @param state before its first turn of its own
     */
    public record Past(String session, Json origin, Json state) {}

    /**
     * An arrival.
     *
     * @param session where
     * @param arrival what
     * @param place among the arrivals of its session
     * @param turn which has it, or null while it waits. A negative number is the turn during which it was asked back: it does not wait, and
     *        only that turn may still have it
     * @param at when
     */
    public record Arrived(String session, Arrival arrival, long place, @Nullable Long turn, Instant at) {

        /** The arrival in a turn. */
        public Arrived taken(long by) {
            return new Arrived(session, arrival, place, by, at);
        }

        /** The arrival, asked back during a turn. */
        public Arrived askedBack(long during) {
            return new Arrived(session, arrival, place, -during, at);
        }

        /** Whether it was asked back. */
        public boolean isAskedBack() {
            return turn != null && turn < 0;
        }

        /** Whether it was asked back, and no turn can have it any more. */
        public boolean isGone(Session head) {
            return turn != null && turn < 0 && head.revision() >= -turn;
        }

        private static Arrived read(Values v) {
            String session = v.text();
            String id = v.text();
            long place = v.number();
            return new Arrived(session,
                    new Arrival(id, v.word(Arrival.Kind.class), v.text(), v.json()), place, v.numberOrNull(),
                    v.moment());
        }
    }

    /**
     * A turn.
     *
     * @param session whose
     * @param turn its number
     * @param input the id of the arrival that started it
     * @param acceptedAt when
     * @param hasScope whether its result stands in its scope; a turn of a past has none
     * @param end how it ended, or null
     */
    public record Turn(String session, long turn, String input, Instant acceptedAt, boolean hasScope,
            @Nullable End end) {

        private @Nullable Object[] values() {
            End e = end;
            return e == null
                    ? new @Nullable Object[]{session, turn, input, acceptedAt, hasScope, null, null, null,
                        null, null, null, null, null, null}
                    : new @Nullable Object[]{session, turn, input, acceptedAt, hasScope, e.receipt, e.result,
                        e.output, e.state, e.firstMessage, e.messages, e.firstCall, e.calls, e.at};
        }

        private static Turn read(Values v) {
            String session = v.text();
            long turn = v.number();
            String input = v.text();
            Instant accepted = v.moment();
            boolean scope = v.flag();
            String receipt = v.textOrNull();
            return new Turn(session, turn, input, accepted, scope,
                    receipt == null
                            ? null
                            : new End(receipt, v.jsonOrNull(), v.textOrNull(), v.jsonOrNull(), v.number(),
                                    v.count(),
                                    v.number(), v.count(), v.moment()));
        }
    }

    /**
     * The end of a turn.
     *
     * @param receipt of its commit
     * @param result of a turn without a scope; otherwise null, because it stands with the scope
     * @param output the hash of that result if it is kept by content, or null
     * @param state the session's state after it, or null if it did not change
     * @param firstMessage the place of its first message
     * @param messages how many it added
     * @param firstCall the place of its first call in the ledger
     * @param calls how many it made
     * @param at when
     */
    public record End(String receipt, @Nullable Json result, @Nullable String output, @Nullable Json state,
            long firstMessage,
            int messages, long firstCall, int calls, Instant at) {}

    /**
     * A message.
     *
     * @param session whose
     * @param place from 0
     * @param turn which added it
     * @param value what it says
     */
    public record Message(String session, long place, long turn, Json value) {}

    /**
     * A call in the ledger.
     *
     * @param session whose
     * @param place from 0
     * @param turn which made it
     * @param value what is known of it, or null if that is kept by content
     * @param output the hash of that content, or null
     */
    public record Call(String session, long place, long turn, @Nullable Json value,
            @Nullable String output) {}
}
