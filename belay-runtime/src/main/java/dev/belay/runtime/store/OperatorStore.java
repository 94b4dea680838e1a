package dev.belay.runtime.store;

import dev.belay.runtime.effect.ScopeId;
import java.time.Instant;
import java.util.List;

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
        /** A turn of its session runs in another process, which may have shown it to a model. */
        RUNNING
    }

    /** The audit log behind a place, which is 0 for all of it. */
    List<AuditEntry> audit(long after, int most);

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

    /** Takes back an input that waits, unless a turn of its session runs in another process. */
    Withdrawing withdraw(SessionId session, String input, AuditEntry.Note note, Instant at);
}
