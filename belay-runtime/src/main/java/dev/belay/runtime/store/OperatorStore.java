package dev.belay.runtime.store;

import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What operators see and do: a part of a {@link SessionStore}. Thread-safe. */
public interface OperatorStore {

    /** What became of an input that is taken back. */
    enum Withdrawing {
        /** It is gone, as if it had never come. */
        DONE,
        /** There is no such input. */
        UNKNOWN,
        /** It is in a turn. */
        IN_TURN,
        /** A turn of its session runs in another process: its next checkpoint does not take it. A round that has shown it before keeps it. */
        ASKED,
        /** It was asked back before, and the turn of that time still runs; nothing was written. */
        ASKED_BEFORE
    }

    /**
     * A wait that is open.
     *
     * @param keyId the public name of its key
     * @param place among all that are open; a cursor
     * @param scope whose wait
     * @param incarnation of that scope
     * @param secret which signs its keys
     * @param input what the scope started from
     * @param since when
     * @param opened the wait
     * @param recorded the record that was asked for, or null
     */
    record OpenKey(String keyId, String place, ScopeId scope, Incarnation incarnation, long secret,
            ScopeInput input, Instant since, WaitState opened, @Nullable EffectRow recorded) {}

    /**
     * A session in a list.
     *
     * @param head how it stands
     * @param active its active turn, or null
     */
    record SessionRow(SessionHead head, @Nullable ActiveScope active) {}

    /**
     * A scope that has not ended: a turn, or a process.
     *
     * @param kind of its input
     * @param status how it stands
     * @param left whether it runs in a process that has died
     * @param since when its status changed
     * @param wakeAt when it goes on by itself, or null
     * @param waits those that are open
     * @param awaiting what it waits for without a wait, or null
     * @param pauses all that are in force at the same moment
     */
    record ActiveScope(String kind, ScopeState.Status status, boolean left, Instant since,
            @Nullable Instant wakeAt, List<WaitState> waits, @Nullable Awaiting awaiting,
            List<Pause> pauses) {}

    /**
     * A scope with its waits.
     *
     * @param scope how it stands
     * @param keys of its open waits
     */
    record Standing(ActiveScope scope, List<OpenKey> keys) {}

    /**
     * How a scope stands in one moment; empty if there is none.
     *
     * @param record names the record that belongs to a wait, by the name of the wait
     */
    Optional<Standing> standing(ScopeId scope, UnaryOperator<String> record);

    /** How a command names the store: the path of a file, or a variable that names a server; empty if no other process can open it. */
    String address();

    /**
     * A scope that waits for an operator.
     *
     * @param state how it stands
     * @param since when
     */
    record StuckScope(ScopeState state, Instant since) {}

    /**
     * Waits that are open, the longest first, as they stand in one moment.
     *
     * @param after begins behind this place; null begins with the first
     * @param record names the record that belongs to a wait, by the name of the wait
     */
    List<OpenKey> pending(@Nullable String after, int most, UnaryOperator<String> record);

    /**
     * An open wait by the public name of its key; empty if there is none.
     *
     * @param record names the record that belongs to a wait, by the name of the wait
     */
    Optional<OpenKey> pending(String keyId, UnaryOperator<String> record);

    /**
     * Settles an open wait by what a person has decided, with a note in the audit log. The first decision counts.
     *
     * @param wait which, as it was listed
     * @param decided what its scope reads
     * @param note for the audit log
     * @param grant what holds for further calls of the session, or null
     * @param take whether to own a scope that goes on because of it
     */
    Deciding decide(OpenKey wait, Resolution decided, AuditEntry.Note note, @Nullable Granting grant,
            boolean take,
            Instant at);

    /**
     * A wait that a person has settled, of a scope that has not ended, by the public name of its key; empty if there is none. Its place is
     * empty, and it stands since it was settled.
     *
     * @param record names the record that belongs to a wait, by the name of the wait
     */
    Optional<OpenKey> decided(String keyId, UnaryOperator<String> record);

    /**
     * Puts another decision in the place of one from which nothing has followed, with a note in the audit log.
     *
     * @param wait which, as it was found
     * @param next the record that follows from it
     * @param instead what its scope reads from then on
     * @param note for the audit log
     * @param grant what was given with the decision and goes with it, or null
     */
    Replacing replace(OpenKey wait, String next, Resolution instead, AuditEntry.Note note,
            @Nullable Granting grant, Instant at);

    /** What became of another decision. */
    enum Replacing {
        /** It counts. */
        DONE,
        /** What follows from the decision has begun. */
        BEGUN,
        /** The decision is another one by now, or its scope has ended. */
        GONE
    }

    /**
     * A grant that is written with a decision, and what else the session is told.
     *
     * @param session whose
     * @param grant what holds for further calls, or null
     * @param notice what the model is told at its next round, or null
     * @param turn of the call
     */
    record Granting(SessionId session, @Nullable Grant grant, @Nullable Arrival notice, long turn) {}

    /** What became of a decision. */
    sealed interface Deciding {

        /**
         * It counts.
         *
         * @param woken the right to run the scope, if it goes on here
         */
        record Decided(@Nullable Claim woken) implements Deciding {}

        /**
         * Another one was there before.
         *
         * @param first which
         */
        record Already(Resolution first) implements Deciding {}

        /** The wait is gone. */
        record Unknown() implements Deciding {}
    }

    /** The place of the last entry of the audit log; 0 if there is none. */
    long lastAudit();

    /**
     * Sessions in the order of their names, with their active turns, as they stand in one moment.
     *
     * @param after begins behind this name; it need not exist
     * @param from a name that is looked at first, or null
     */
    List<SessionRow> sessions(String after, @Nullable String from, int most);

    /** Stuck scopes in the order of their names, behind one, or from the first on for null. */
    List<StuckScope> stuck(@Nullable ScopeId after, int most);

    /** The audit log behind a place, which is 0 for all of it. */
    List<AuditEntry> audit(long after, int most);

    /** Doubts that are open, in the order in which they arose, behind a place, which is 0 for all. */
    List<Doubt> doubts(long after, int most);

    /** Whether a session has calls that may have happened. */
    boolean isInDoubt(SessionId session);

    /** A doubt, settled or not. */
    Optional<Doubt> doubt(String id);

    /**
     * Settles a doubt. The first settlement counts. The model is told once, at its next round; a call that the doubt held goes on.
     *
     * @param truth not unknown
     * @param note for the audit log; names who says so
     * @param take whether to own a scope that goes on because of it
     */
    DoubtSettling settle(String id, Reconciliation<ToolOutcome> truth, AuditEntry.Note note, boolean take,
            Instant at);

    /** Writes a note of something that changes no other row. */
    void note(AuditEntry.Note note, Instant at);

    /** The same store; each of its writes leaves this note, in its own commit, if it changes something. */
    SessionStore noting(AuditEntry.Note note, Instant at);

    /**
     * Makes a scope stuck that no owner runs: a ready or parked one, or one whose owner has died. False if it is none of these.
     *
     * @param because what the list of stuck scopes says
     */
    boolean stop(ScopeId scope, String because, Instant at);

    /**
     * Takes back an input that waits. While a turn of its session runs in another process it is asked back instead.
     *
     * @param note for the audit log; null if no operator asks
     */
    Withdrawing withdraw(SessionId session, String input, AuditEntry.@Nullable Note note, Instant at);

    /** What a verb did. */
    enum Verb {
        /** It was done now. */
        DONE,
        /** It was so before; nothing was written. */
        ALREADY,
        /** Its target is unknown; nothing was written. */
        NOT_POSSIBLE
    }

    /** Pauses a target; a session must exist. A turn of it that is ready is parked in the same write. */
    Verb pause(Pause.Target target, Actor by, String reason, Instant at);

    /** Ends a pause. Scopes that it has parked are ready in the same write. */
    Verb unpause(Pause.Target target, Actor by, String reason, Instant at);

    /** All pauses that are in force. */
    List<Pause> pauses();

    /** What became of an attempt to settle a doubt. */
    sealed interface DoubtSettling {

        /**
         * It is settled now.
         *
         * @param held the wait of the call that it held, or null if it held none
         * @param said what that wait was settled with, or null
         * @param woken the right to run the scope of that call, if it goes on here
         */
        record Settled(@Nullable WaitName held, @Nullable Resolution said,
                @Nullable Claim woken) implements DoubtSettling {}

        /**
         * It was settled before.
         *
         * @param first how
         */
        record Already(Doubt.Settlement first) implements DoubtSettling {}

        /** There is no doubt of that id. */
        record Unknown() implements DoubtSettling {}
    }
}
