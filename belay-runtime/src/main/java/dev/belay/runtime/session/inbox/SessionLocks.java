package dev.belay.runtime.session.inbox;

import dev.belay.runtime.store.SessionId;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Locks for sessions, within this process. Sessions may share a lock. Thread-safe. */
public final class SessionLocks {

    private static final int LOCKS = 64;

    private final ReentrantLock[] locks = IntStream.range(0, LOCKS)
            .mapToObj(unused -> new ReentrantLock())
            .toArray(ReentrantLock[]::new);

    public <T> T alone(SessionId session, Supplier<T> action) {
        ReentrantLock lock = locks[Math.floorMod(session.hashCode(), LOCKS)];
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
