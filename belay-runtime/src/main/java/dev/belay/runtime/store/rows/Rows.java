package dev.belay.runtime.store.rows;

import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Others;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store is. {@code docs/store-spi.md} says what an implementer promises, and {@code RowsContract} in the test kit checks
 * it. Thread-safe; a {@link Transaction} is confined to the one thread that writes.
 */
public interface Rows extends AutoCloseable {

    /** Which owner this store is among those that share the rows. */
    String owner();

    /**
     * Loads committed rows as they stand in one moment, and decides over them on the caller's thread.
     *
     * @param read what to load, and what to make of it
     */
    <T extends @Nullable Object> T read(Operation<T> read);

    /**
     * Begins to write. No other owner writes what it has loaded until it is closed.
     *
     * @throws OwnerLostException if the rows are lost to this owner
     */
    Transaction begin();

    /**
     * Whether a commit that was not answered has happened; if not, it never does. Asked before anything else is written.
     *
     * @throws dev.belay.runtime.effect.JournalException if that cannot be found out
     * @throws OwnerLostException if the rows are lost to this owner
     */
    boolean hasCommitted(long batch);

    /** Changes whenever another owner may have written; the same as before if none did. */
    long version();

    /** What is known of the other owners. */
    default Others others() {
        return Others.SILENT;
    }

    /** How a command names the store: the path of a file, or a variable that names a server; empty if no other process can open it. */
    default String address() {
        return "";
    }

    /** Tables, indexes, triggers and views of the database that differ from those that a store makes. */
    default List<Inconsistency> alteredSchema() {
        return List.of();
    }

    /** Ends this owner: what it has can be taken by others. Closing again does nothing. */
    @Override
    void close();

    /** One transaction. What throws has changed nothing. */
    interface Transaction extends AutoCloseable {

        /**
         * Loads rows, and holds them against other writers. Asked once or twice; the second look has the rows of the first, too.
         */
        Look load(Collection<Selector<?>> selectors);

        /**
         * Writes changes.
         *
         * @throws LostRaceException if another owner was faster, and all is to be decided again
         */
        void flush(Changes changes);

        /**
         * Makes them durable.
         *
         * @param batch the number of this commit, which {@link Rows#hasCommitted} is asked for
         * @throws LostRaceException if another owner was faster, and nothing was committed
         * @throws OwnerLostException if the rows are lost to this owner: it was declared dead and nothing was committed, or what was
         *         committed cannot be found by others
         */
        void commit(long batch);

        /** Takes back what was not committed. Throws nothing. */
        @Override
        void close();
    }
}
