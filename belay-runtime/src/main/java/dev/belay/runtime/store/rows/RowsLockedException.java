package dev.belay.runtime.store.rows;

/** Rows are locked by another program for longer than a write waits. Nothing was done; it is tried again beside other writes. */
public final class RowsLockedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates one. */
    public RowsLockedException(Throwable cause) {
        super("rows are locked by another program: " + cause.getMessage(), cause);
    }
}
