package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.scope.HostThreads;
import dev.belay.runtime.effect.scope.LiveScope;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives back what a host has claimed when it closes, so that others need not find out that it is dead. */
final class ScopeGivers {

    /** As many as may share a commit. */
    private static final int MOST = 256;
    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    private ScopeGivers() {}

    /** Comes last: what ended in time could be recorded, and the journal lets go anyway. */
    static void giveBack(Collection<LiveScope> live, HostThreads threads) {
        var claimed = new ConcurrentLinkedQueue<>(live);
        int givers = Math.min(MOST, claimed.size());
        List<Thread> giving = Stream.generate(() -> threads.start(() -> giveBack(claimed)))
                .limit(givers)
                .toList();
        HostThreads.await(giving, JournalEffectHost.CLOSE_GRACE);
    }

    private static void giveBack(Queue<LiveScope> claimed) {
        try {
            for (LiveScope scope = claimed.poll(); scope != null; scope = claimed.poll()) {
                scope.giveBack();
            }
        } catch (RuntimeException | Error e) { // a journal may be dead in any way, and the host closes all the same
            LOG.warn("Scopes could not be given back; whoever takes them counts one more entry", e);
            claimed.clear();
        }
    }
}
