package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions beside a journal. What an implementer promises ({@code SessionStoreContract} in the test kit checks it):
 *
 * <ul>
 * <li>All that {@link Journal} promises of its writes holds for those here: atomic, durable when the method returns, alone in
 * success and failure, not stopped by an interrupt; a {@link dev.belay.runtime.store.journal.JournalProbe} hears each of them by its name.
 * <li>What a method does to a session and to the scope of a turn it does in one transaction.
 * <li>A session has at most one active turn. Turn n is accepted when n − 1 is the last one committed, and only its commit makes
 * it the last one.
 * <li>An arrival is in at most one turn.
 * <li>The cost of accepting and of committing a turn does not grow with the number of turns or messages before.
 * </ul>
 *
 * Times are given by the caller. Thread-safe.
 */
public interface SessionStore extends AutoCloseable {

    /** The journal in which turns are recorded. Closed with this. */
    Journal journal();

    /** Processes, in the same transactions where that matters. */
    ProcessStore processes();

    /** What operators see and do, in the same store. */
    OperatorStore operators();

    /**
     * Accepts something durably. Makes the session if there is none. An input starts a turn if none is active: its scope, named
     * and described by {@link TurnScope}, is submitted in the same write. Otherwise the arrival waits. One that is known is
     * told so, whatever place is expected.
     *
     * @param session which
     * @param ifNew the incarnation of the session if it is made now; one that no other session has
     * @param arrival what arrived
     * @param expectedPlace the place of the last arrival that the sender knows of, or -1 if that does not matter
     * @param take whether to own the turn at once
     */
    Acceptance accept(SessionId session, Incarnation ifNew, Arrival arrival, long expectedPlace, boolean take,
            Instant at);

    /** Arrivals that are in no turn, in their order. */
    List<Arrived> waiting(SessionId session);

    /** What is kept of an arrival. */
    Optional<Arrived> arrival(SessionId session, String id);

    /**
     * Says something else about a session, which counts from the next turn on. One that is closed takes no inputs.
     *
     * @param change pure: a store may apply it several times
     * @return what was said before; empty if there is no such session
     */
    Optional<SessionProfile> profile(SessionId session, UnaryOperator<SessionProfile> change);

    /** Takes back an arrival that waits, as if it had never come; false if it is in a turn, or unknown. */
    boolean withdraw(SessionId session, String id, Instant at);

    /**
     * Commits a turn: appends its messages, replaces the state, marks what it has taken, moves the revision, ends its scope. If
     * an input still waits, the next turn is started for the oldest one, as {@link #accept} would. An arrival that was withdrawn
     * meanwhile is passed over.
     *
     * <p>Refused in this order: {@link Committed.Fenced} if there is no such session, or the claim is one of a session of the
     * same name that was deleted; {@link Committed.Already} or {@link Committed.Diverged} if that turn is not the active one;
     * {@link Committed.Fenced} if the claim does not hold.
     *
     * @param claim the right to run the turn's scope
     * @param take whether to own the next turn at once
     */
    Committed commit(Claim claim, TurnCommit commit, boolean take, Instant at);

    /** Commits a turn whose scope is stuck; {@link Committed.Fenced} if it is not stuck. Otherwise like {@link #commit}. */
    Committed abandon(TurnCommit commit, boolean take, Instant at);

    /** How a session stands; empty if there is none. */
    Optional<SessionHead> head(SessionId session);

    /** Sessions in {@link SessionId#ORDER}; {@code after} need not exist. */
    List<SessionHead> sessions(@Nullable SessionId after, int most);

    /**
     * Active turns whose loop a program owns ({@link TurnScope#isOpen}), with how their scopes stand, in the order of their
     * sessions; {@code after} need not exist.
     */
    List<ScopeState> openTurns(@Nullable SessionId after, int most);

    /** Messages of a session, from a place on. */
    List<StoredMessage> messages(SessionId session, long from, int most);

    /** A turn; empty if there is none of that number. */
    Optional<TurnRow> turn(SessionId session, long turn);

    /** Turns of a session, from a number on. */
    List<TurnRow> turns(SessionId session, long from, int most);

    /** The ledger of a turn that was committed: one row for each of its calls, in the order of its rounds. */
    List<Json> calls(SessionId session, long turn);

    /**
     * Makes a session with a past; false if there is one of that name. The past has no scopes. What it keeps of another session
     * stays when that one is deleted.
     *
     * @throws dev.belay.BelayException {@code unknown_session} if that other session is gone
     * @throws IllegalArgumentException if another session has the incarnation
     */
    boolean create(NewSession session, Instant at);

    /**
     * Deletes a session with all that was kept of it, the scopes of its turns and its grants of processes included: they can
     * not be run, resolved or read any more. False if there is none.
     */
    default boolean delete(SessionId session, Instant at) {
        return delete(session, true, at);
    }

    /**
     * The same.
     *
     * @param evenInDoubt whether calls that may have happened do not matter; their doubts stay listed
     * @throws dev.belay.BelayException {@code session_in_doubt} if they do, and one is not settled
     */
    boolean delete(SessionId session, boolean evenInDoubt, Instant at);

    /** Closes the journal too. */
    @Override
    void close();
}
