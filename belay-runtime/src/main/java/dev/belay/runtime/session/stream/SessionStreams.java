package dev.belay.runtime.session.stream;

import dev.belay.runtime.store.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** The streams of the most recently used sessions. A stream that was dropped begins anew, and its readers are told of a gap. Thread-safe. */
public final class SessionStreams {

    /** Each stream may have this part of the memory of all. */
    private static final int SHARE = 8;
    /** The objects of a stream without events. */
    private static final long OVERHEAD = 400;

    private final String process;
    private final long most;
    private final Listeners listeners;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionId, SessionStream> streams = new LinkedHashMap<>(16, 0.75f, true);
    /** What all of them weigh; each adds what it is told. */
    private final AtomicLong bytes = new AtomicLong();
    private long opened;

    /**
     * Streams of a process.
     *
     * @param most about how many bytes of memory all of them may take
     * @param listeners told what happens in all of them
     */
    public SessionStreams(String process, long most, Listeners listeners) {
        this.process = process;
        this.most = most;
        this.listeners = listeners;
    }

    public SessionStream of(SessionId session) {
        lock.lock();
        try {
            SessionStream known = streams.get(session);
            if (known != null) {
                return known;
            }
            opened++;
            drop();
            var opening = new SessionStream(process, opened, most / SHARE, bytes,
                    event -> listeners.tell(session, event));
            bytes.addAndGet(OVERHEAD);
            streams.put(session, opening);
            return opening;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the streams that were used longest ago, until the others are light enough. */
    private void drop() {
        while (bytes.get() > most && !streams.isEmpty()) {
            var oldest = streams.values().iterator();
            oldest.next().leave();
            oldest.remove();
            bytes.addAndGet(-OVERHEAD);
        }
    }
}
