package dev.belay.testkit.rows;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link dev.belay.runtime.store.rows.Rows}, as tests. To check an implementation, extend this class and
 * supply a place for rows:
 *
 * <pre>{@code
 * class MyRowsTest extends RowsContract {
 *     @Override
 *     protected RowsOpening rows() {
 *         Path file = newFile();
 *         return () -> MyRows.open(file);
 *     }
 * }
 * }</pre>
 *
 * <ul>
 * <li>{@link #rows} returns an empty place, a new one each time.
 * <li>The contract calls the opening for each store on that place, also while others are open on it, and closes every store.
 * <li>It reads no clock and never waits for time to pass.
 * </ul>
 */
@Timeout(60)
public abstract class RowsContract
        implements
            SelectPromises,
            IndexPromises,
            FlushPromises,
            OwnerPromises,
            ValuePromises,
            CheckPromises {

    private @Nullable RowsBench bench;

    /** For subclasses. */
    protected RowsContract() {}

    /** A fresh, empty place for rows. */
    protected abstract RowsOpening rows() throws Exception;

    @BeforeEach
    final void setUpBench() {
        bench = new RowsBench(this::rows);
    }

    @AfterEach
    final void clearBench() {
        bench().close();
    }

    @Override
    public final RowsBench bench() {
        RowsBench open = bench;
        if (open == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return open;
    }
}
