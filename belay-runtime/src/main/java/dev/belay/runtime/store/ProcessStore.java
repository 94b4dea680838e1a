package dev.belay.runtime.store;

import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal.Claim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Processes beside sessions and journal: who may handle them, what they have told, that they have ended. What an implementer
 * promises ({@code SessionStoreContract} in the test kit checks it):
 *
 * <ul>
 * <li>All that {@link SessionStore} promises of its writes holds for those here; a probe hears each of them by its name.
 * <li>What a method does to a process, to its scope and to sessions it does in one transaction.
 * <li>Events are only ever added; one that has the key of another is not.
 * <li>A session that is deleted takes its grants with it; processes stay.
 * </ul>
 *
 * Times are given by the caller. Thread-safe.
 */
public interface ProcessStore {

    /** What became of a start. */
    sealed interface Starting {

        /**
         * The process is new.
         *
         * @param claim the right to run it, or null if that was not asked for
         */
        record Started(@Nullable Claim claim) implements Starting {}

        /** It is known, with the same content; sessions that were not granted it before are now. */
        record Known() implements Starting {}

        /**
         * It is known with another content. Nothing was written.
         *
         * @param recorded what its scope started from
         */
        record Conflict(ScopeInput recorded) implements Starting {}
    }

    /** What became of an event. */
    enum Telling {
        /** It was added. */
        ADDED,
        /** It was there. */
        KNOWN,
        /** Another one has its key. Nothing was written. */
        CONFLICT,
        /** The claim does not hold; nothing was written. */
        FENCED,
        /** The process has ended; nothing was written. */
        ENDED,
        /** There is no such process. */
        UNKNOWN
    }

    /** What became of a signal. */
    sealed interface Signalling {

        /**
         * It is kept.
         *
         * @param settled the wait that it has settled
         * @param woken the right to run the process, if this made it ready and it was asked for
         */
        record Kept(WaitName settled, @Nullable Claim woken) implements Signalling {}

        /** It was sent before. Nothing was written. */
        record Known() implements Signalling {}

        /** The process has ended, or there is none. Nothing was written. */
        record Ended() implements Signalling {}
    }

    /** What became of an end. */
    enum Ended {
        /** The process has ended, and its sessions have their notice. */
        DONE,
        /** The claim does not hold, or the scope is not stuck; nothing was written. */
        FENCED,
        /** There are other watchers than those that were told; nothing was written. */
        WATCHED
    }

    /**
     * Starts a process durably: its row, its grants, and its scope, named and described by {@link ProcessScope}.
     *
     * @param grants sessions that may handle it
     * @param take whether to own its scope at once
     */
    Starting start(NewProcess process, List<NewProcess.Grant> grants, boolean take, Instant at);

    /** Lets a session handle a process; false if there is no such process. One that has ended is not told to the session. */
    boolean grant(ProcessId process, NewProcess.Grant grant, Instant at);

    /** Whether a session may handle a process. */
    boolean isGranted(ProcessId process, SessionId session);

    /** Adds an event by the right to run the process, and resets its entries as a record does. */
    Telling tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at);

    /** Adds an event from outside. One that is known is told so, also after the end. */
    Telling tell(ProcessId process, ProcessEvent.Draft event, Instant at);

    /** Events of a process behind a place. */
    List<ProcessEvent> events(ProcessId process, long after, int most);

    /**
     * Settles the first wait for such signals that is not settled, whether or not the process has come to it. A process that is
     * parked at it becomes ready in the same write, as with {@link dev.belay.runtime.store.journal.Journal#resolve}; one that waits for
     * something else is left alone. What this costs does not grow with the number of signals.
     *
     * @param take whether to own the scope at once if it becomes ready
     */
    Signalling signal(ProcessId process, NewSignal signal, boolean take, Instant at);

    /**
     * Keeps the key of a wait that is to be settled with the result before the process ends; the same one twice is kept once.
     *
     * @return false if the process has ended, or there is none
     */
    boolean watch(ProcessId process, String token, Instant at);

    /** Keys of waits that are to be settled, in no particular order; none once the process has ended. */
    List<String> watchers(ProcessId process);

    /**
     * Ends a process: its scope, as {@link dev.belay.runtime.store.journal.Journal#end} does, its row, and a notice for every session
     * that may handle it. A session that has an arrival of the notice's id is not told again. Refused as fenced or watched, in
     * this order.
     */
    Ended end(Claim claim, ProcessEnding ending, Instant at);

    /** Ends a process whose scope is stuck. Otherwise like {@link #end}. */
    Ended abandon(ProcessEnding ending, Instant at);

    /** A process; empty if there is none. */
    Optional<ProcessRow> process(ProcessId process);

    /** Processes in the order of their starts, behind a place. This and every other list shows one moment. */
    List<ProcessRow> processes(long after, int most);

    /** Those that a session may handle. */
    List<ProcessRow> processes(SessionId session, long after, int most);

    /** Those that cannot go on by themselves, in the order of their names, behind one, or from the first on for null. */
    List<ProcessRow> stuck(@Nullable ProcessId after, int most);
}
