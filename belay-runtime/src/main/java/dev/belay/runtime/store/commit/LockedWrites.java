package dev.belay.runtime.store.commit;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.RowsLockedException;
import dev.belay.runtime.store.rows.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose rows another program has locked. They are tried again one by one while others commit; a write that names the same row by
 * its key waits behind them, so that writes of one scope stay in their order. Confined to the thread that writes.
 */
final class LockedWrites {

    /** How long other writes go on before a locked one is tried again. */
    static final Duration BETWEEN_TRIES = Duration.ofMillis(100);
    /** A program that locks rows for longer is broken, and the writer is told. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private record Locked(Write<?> write, Set<Selector<?>> rows, long since) {}

    private final ArrayDeque<Locked> waiting = new ArrayDeque<>();
    private @Nullable Locked trying;
    private long triedAt;

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether it is time to try them again. */
    boolean isDue() {
        return !isEmpty() && System.nanoTime() - triedAt >= BETWEEN_TRIES.toNanos();
    }

    /** The first of them, to be tried. */
    Write<?> next() {
        Locked first = waiting.remove();
        trying = first;
        triedAt = System.nanoTime();
        return first.write;
    }

    /** Whether the first of them is the one that was tried last, and is still locked. */
    boolean isStillLocked() {
        return trying != null && trying.equals(waiting.peek());
    }

    /** Keeps a write for later; refuses it if it has waited for too long. */
    void keep(Write<?> write, RowsLockedException why) {
        Locked tried = trying;
        if (tried == null || tried.write != write) {
            waiting.add(new Locked(write, rows(write), System.nanoTime()));
        } else if (System.nanoTime() - tried.since < LONGEST.toNanos()) {
            waiting.addFirst(tried);
        } else {
            write.fail(new JournalException("rows of the store were locked by another program for "
                    + LONGEST.toMinutes()
                    + " minutes, and nothing was written. End its transaction and try again",
                    why));
        }
    }

    private static Set<Selector<?>> rows(Write<?> write) {
        Set<Selector<?>> rows = new HashSet<>();
        write.select(rows);
        rows.removeIf(row -> !(row instanceof Selector.One<?>));
        return rows;
    }

    /** Takes those out of a batch that must wait behind one of these. */
    void divert(List<Write<?>> batch) {
        if (!isEmpty()) {
            batch.removeIf(this::divert);
        }
    }

    private boolean divert(Write<?> write) {
        Set<Selector<?>> rows = rows(write);
        boolean behind = waiting.stream().anyMatch(locked -> locked.rows.stream().anyMatch(rows::contains));
        if (behind) {
            waiting.add(new Locked(write, rows, System.nanoTime()));
        }
        return behind;
    }

    void failAll(Throwable why) {
        waiting.forEach(locked -> locked.write.fail(why));
        waiting.clear();
    }
}
