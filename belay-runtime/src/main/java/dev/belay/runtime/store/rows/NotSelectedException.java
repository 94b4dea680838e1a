package dev.belay.runtime.store.rows;

/** An operation has asked for rows that no selector named. */
public final class NotSelectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates one. */
    public NotSelectedException(Object what) {
        super("no selector has named " + what);
    }
}
