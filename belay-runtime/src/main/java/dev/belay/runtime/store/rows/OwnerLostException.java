package dev.belay.runtime.store.rows;

import dev.belay.runtime.effect.JournalException;
import java.util.Objects;

/**
 * The rows are lost to this owner: another one has declared it dead and may have taken what it had, or the rows were taken away. It
 * writes nothing more.
 */
public final class OwnerLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates one. */
    public OwnerLostException(JournalException told) {
        super(told.getMessage(), told);
    }

    /** The failure of every later read and write. */
    public JournalException told() {
        return (JournalException) Objects.requireNonNull(getCause());
    }
}
