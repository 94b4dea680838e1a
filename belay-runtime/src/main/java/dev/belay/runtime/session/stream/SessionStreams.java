package dev.belay.runtime.session.stream;

import dev.belay.runtime.store.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The streams of the most recently used sessions. A stream that was dropped begins anew, and its readers are told of a gap. Thread-safe. */
public final class SessionStreams {

    /** A stream of 10,000 events is some megabytes. */
    private static final int MOST = 1_000;

    private final String process;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionId, SessionStream> streams = new LinkedHashMap<>(16, 0.75f, true);
    private long opened;

    public SessionStreams(String process) {
        this.process = process;
    }

    public SessionStream of(SessionId session) {
        lock.lock();
        try {
            SessionStream known = streams.get(session);
            if (known != null) {
                return known;
            }
            opened++;
            var opening = new SessionStream(process, opened);
            streams.put(session, opening);
            if (streams.size() > MOST) {
                var oldest = streams.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
            return opening;
        } finally {
            lock.unlock();
        }
    }
}
