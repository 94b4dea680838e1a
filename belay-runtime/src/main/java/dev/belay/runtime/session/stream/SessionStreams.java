package dev.belay.runtime.session.stream;

import dev.belay.runtime.store.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The streams of the most recently used sessions. A stream that was dropped begins anew, and its readers are told of a gap. Thread-safe. */
public final class SessionStreams {

    /** Each stream may have this part of the memory of all. */
    private static final int SHARE = 8;
    /** Weighing all streams each time one is opened would cost too much. */
    private static final int OPENED_PER_WEIGHING = 16;
    /** The objects of a stream without events. */
    private static final long OVERHEAD = 400;

    private final String process;
    private final long most;
    private final Listeners listeners;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionId, SessionStream> streams = new LinkedHashMap<>(16, 0.75f, true);
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
            var opening = new SessionStream(process, opened, most / SHARE,
                    event -> listeners.tell(session, event));
            if (opened % OPENED_PER_WEIGHING == 0) {
                drop();
            }
            streams.put(session, opening);
            return opening;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the streams that were used longest ago, until the others are light enough. */
    private void drop() {
        long bytes = 0;
        for (SessionStream stream : streams.values()) {
            bytes += OVERHEAD + stream.bytes();
        }
        var oldest = streams.values().iterator();
        while (bytes > most && oldest.hasNext()) {
            bytes -= OVERHEAD + oldest.next().bytes();
            oldest.remove();
        }
    }
}
