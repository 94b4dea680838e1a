package dev.belay.testkit;

import dev.belay.runtime.store.journal.JournalProbe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A probe that records the moments of writes on request, and crashes one of them on request. Thread-safe. */
public final class Trap implements JournalProbe {

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean listening;
    private volatile @Nullable Moment moment;
    private volatile @Nullable String name;
    private volatile @Nullable Runnable inside;

    /** Records nothing and crashes nothing yet. */
    public Trap() {}

    /** Records all moments from now on. */
    public void listen() {
        listening = true;
    }

    /** Crashes the next write at a moment. */
    public void arm(Moment where) {
        arm(where, null);
    }

    /** Crashes the next write of a name at a moment. */
    public void arm(Moment where, @Nullable String write) {
        name = write;
        moment = where;
    }

    /** Runs an action inside the next write. */
    public void inside(Runnable action) {
        inside = action;
    }

    /** The recorded moments, without those of large results, which a journal may store by a separate write. */
    public List<String> heard() {
        return heard.stream().filter(one -> !one.contains(" output ")).toList();
    }

    @Override
    public void at(Moment where, String write) {
        if (listening) {
            heard.add(where + " " + write);
        }
        Runnable action = inside;
        if (action != null && where == Moment.INSIDE) {
            inside = null;
            action.run();
        }
        if (where == moment && (name == null || write.equals(name))) {
            moment = null;
            throw new SimulatedCrash(where + " " + write);
        }
    }
}
