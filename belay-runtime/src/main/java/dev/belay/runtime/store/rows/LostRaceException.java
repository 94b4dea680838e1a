package dev.belay.runtime.store.rows;

/** Another owner has changed what was loaded: a unique violation, a deadlock, a serialization failure. */
public final class LostRaceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates one. */
    public LostRaceException(Throwable cause) {
        super("another owner was faster; the writes are decided again", cause);
    }
}
