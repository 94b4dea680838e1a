package dev.belay.runtime.store.rows;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies operations over {@link Rows}, each whole or not at all. Operations of one thread are applied in their order.
 * Thread-safe.
 */
public interface Commits extends AutoCloseable {

    /** Begins to apply operations, which may share a commit with each other and with those of other threads. */
    <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations);

    /** Applies an operation, and waits until it is durable. */
    default <T extends @Nullable Object> T apply(Operation<T> operation) {
        return submit(List.of(operation)).getFirst().await();
    }

    /** Reads committed rows; fails as a write would if nothing can be written any more. */
    <T extends @Nullable Object> T read(Operation<T> read);

    /** Changes whenever another owner may have written; the same as before if none did. */
    long version();

    /** What is known of the other owners. */
    Others others();

    /** As {@link Rows#address}. */
    default String address() {
        return "";
    }

    /** As {@link Rows#alteredSchema}. */
    default List<Inconsistency> alteredSchema() {
        return List.of();
    }

    /** Which owner writes. */
    String owner();

    /**
     * Ends the owner: what was submitted and not begun fails with this exception, and so does each call from now on. Returns at once,
     * and does nothing once the owner has ended.
     */
    void fail(JournalException why);

    /** Applies what was submitted, then ends the owner. Closing again does nothing. */
    @Override
    void close();
}
