package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.scope.HostThreads;
import dev.belay.runtime.effect.scope.LiveScope;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scopes that this process has claimed and runs. Thread-safe.
 *
 * <p>Concurrency: the first entry of a new scope does not read the journal, unless a wait was settled or the scope was cancelled before
 * it was live. {@link #tell} therefore notes the news first and looks for a live scope second; {@link #hadEarlyNews} is asked after
 * {@link #add}. So one of the two threads finds the other.
 */
final class LiveScopes {

    /** A claim becomes live within moments; scopes that never become live here must not fill the heap. */
    private static final int MOST_EARLY = 10_000;
    /** As many writes as may share a commit. */
    private static final int MOST_GIVERS = 256;
    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    private final int mostLive;
    private final Map<ScopeId, LiveScope> live = new ConcurrentHashMap<>();
    private final SequencedSet<ScopeId> early = new LinkedHashSet<>();

    LiveScopes(HostOptions options) {
        this.mostLive = options.maxLive();
    }

    void add(LiveScope scope) {
        live.put(scope.id(), scope);
    }

    /** Removes a scope; whether a place has become free that was missing before. */
    boolean remove(LiveScope scope) {
        live.remove(scope.id(), scope);
        return room() == 1;
    }

    @Nullable
    LiveScope find(ScopeId scope) {
        return live.get(scope);
    }

    /** How many more scopes may be entered. */
    int room() {
        return mostLive - live.size();
    }

    void forEach(Consumer<LiveScope> action) {
        live.values().forEach(action);
    }

    /** Tells a scope, if it is live, of a settlement or a cancellation that the journal has. */
    void tell(ScopeId scope, Consumer<LiveScope> news) {
        synchronized (early) {
            early.add(scope);
            if (early.size() > MOST_EARLY) {
                early.removeFirst();
            }
        }
        LiveScope found = live.get(scope);
        if (found != null) {
            news.accept(found); // news from before it was live may still be unread, so the scope stays noted
        }
    }

    /** Whether there was news of a scope before it was live; forgets it. The journal has the news. */
    boolean hadEarlyNews(ScopeId scope) {
        synchronized (early) {
            return early.remove(scope);
        }
    }

    /** Gives all scopes back, in a time at most, so that other processes need not find out that this one is dead. */
    void giveBack(HostThreads threads, Duration most) {
        var claimed = new ConcurrentLinkedQueue<>(live.values());
        int givers = Math.min(MOST_GIVERS, claimed.size());
        List<Thread> giving = Stream.generate(() -> threads.start(() -> giveBack(claimed)))
                .limit(givers)
                .toList();
        HostThreads.await(giving, most);
    }

    private static void giveBack(Queue<LiveScope> claimed) {
        try {
            for (LiveScope scope = claimed.poll(); scope != null; scope = claimed.poll()) {
                scope.giveBack();
            }
        } catch (RuntimeException | Error e) { // a journal may be dead in any way, and the host closes all the same
            LOG.warn("Scopes could not be given back; their next owner counts one more entry", e);
            claimed.clear();
        }
    }
}
