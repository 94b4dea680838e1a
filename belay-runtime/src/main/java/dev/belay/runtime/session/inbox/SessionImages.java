package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.MessageLog;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.history.SavedHistory;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.SessionReads;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The most recently used sessions, so that their next turn does not read the past again. A cache: everything in it can be read
 * from the store. Thread-safe.
 */
public final class SessionImages {

    /** The objects around the messages of a session. */
    private static final long OVERHEAD = 500;
    private static final int PAGE = 1_000;

    private final Store store;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionId, SessionImage> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final long most;
    private long bytes;

    /**
     * Remembers nothing yet.
     *
     * @param most about how many bytes may be remembered, in all sessions together; the next turn of any other session reads its
     *        messages again
     */
    public SessionImages(Store store, long most) {
        this.store = store;
        this.most = most;
    }

    private static long weight(@Nullable SessionImage image) {
        return image == null ? 0 : OVERHEAD + image.messages().bytes() + 2L * image.state().text().length();
    }

    /** What a turn starts from; the loop of a program sees everything, any other what is still sent. */
    public SessionImage before(TurnStart turn, long fence) {
        boolean whole = turn.input().loop() != null;
        SessionImage known = get(turn.session());
        if (known != null && known.is(turn.incarnation(), turn.turn() - 1)
                && !(whole && known.skipped() > 0)) {
            return known;
        }
        SessionImage read = read(turn.session(), whole);
        if (read == null || !read.is(turn.incarnation(), turn.turn() - 1)) {
            throw new FencedException(turn.scope(), fence);
        }
        put(turn.session(), read);
        return read;
    }

    /** A session as it is in the store, or null if there is none. */
    public @Nullable SessionImage read(SessionId session) {
        return read(session, true);
    }

    private @Nullable SessionImage read(SessionId session, boolean whole) {
        while (true) {
            SessionHead head = store.read(SessionReads.head(session)).orElse(null);
            if (head == null) {
                return null;
            }
            SessionImage known = get(session);
            if (known != null && known.is(head.incarnation(), head.revision())
                    && !(whole && known.skipped() > 0)) {
                return known;
            }
            int skipped = whole ? 0 : skipped(head);
            MessageLog log = messages(session, skipped, head.messages());
            boolean same = log.isEmpty() || store.read(SessionReads.head(session))
                    .filter(now -> now.incarnation().equals(head.incarnation()))
                    .isPresent();
            if (same && skipped + log.size() == head.messages()) {
                return new SessionImage(head.incarnation(), head.revision(), "", skipped, log, head.state(),
                        null, null);
            } // else it was deleted, and perhaps made anew, while it was read
        }
    }

    /** How many of the oldest messages no request has any more. */
    private int skipped(SessionHead head) {
        return SavedHistory.of(SavedState.of(head.state()).history())
                .unsent(turn -> SavedState.historyIn(store, head.id(), turn));
    }

    /** As many messages; a turn that is committed meanwhile adds some that an earlier revision does not have. */
    private MessageLog messages(SessionId session, long from, long to) {
        MessageLog log = MessageLog.empty();
        while (from + log.size() < to) {
            long at = from + log.size();
            List<StoredMessage> page = store
                    .read(SessionReads.messages(session, at, (int) Math.min(PAGE, to - at)));
            if (page.isEmpty()) {
                return log;
            }
            List<Message> some = new ArrayList<>(page.size());
            page.forEach(one -> some.add(MessageJson.message(one.message())));
            log = log.append(some);
        }
        return log;
    }

    /** The result of a turn: as it was committed here, if that was the session's last turn, otherwise as it is recorded. */
    public TurnResult.Ended result(SessionId session, ScopeId turn, Json recorded) {
        SessionImage known = get(session);
        boolean isLast = known != null && TurnScope.isOf(turn, known.incarnation(), known.revision());
        TurnResult.Ended result = known == null || !isLast ? null : known.result();
        return result == null ? TurnResult.Ended.of(recorded) : result;
    }

    private @Nullable SessionImage get(SessionId session) {
        lock.lock();
        try {
            return kept.get(session);
        } finally {
            lock.unlock();
        }
    }

    public void put(SessionId session, SessionImage image) {
        lock.lock();
        try {
            SessionImage old = kept.put(session, image);
            bytes += weight(image) - weight(old);
            Iterator<SessionImage> oldest = kept.values().iterator();
            while (bytes > most && oldest.hasNext()) {
                bytes -= weight(oldest.next());
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    public void forget(SessionId session) {
        lock.lock();
        try {
            SessionImage old = kept.remove(session);
            bytes -= weight(old);
        } finally {
            lock.unlock();
        }
    }
}
