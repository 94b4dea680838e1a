package dev.belay.runtime;

import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.JournalHost.Working;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a runtime, when the program says so or the virtual machine is shut down. Thread-safe. */
final class Closing {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime");
    /** More names would not be read. */
    private static final int MOST_NAMED = 20;

    private final JournalHost host;
    private final SessionStore store;
    private final Duration drain;
    private final AtomicReference<@Nullable Thread> hook = new AtomicReference<>();

    Closing(JournalHost host, SessionStore store, Duration drain) {
        this.host = host;
        this.store = store;
        this.drain = drain;
    }

    void close() {
        close(drain);
    }

    void close(Duration most) {
        if (!host.isClosing()) {
            tell(most);
        }
        try {
            host.close(most);
        } finally {
            store.close();
            forgetHook();
        }
    }

    /** Says what the drain waits for. */
    private void tell(Duration most) {
        List<Working> working = host.working();
        if (working.isEmpty() || !most.isPositive()) {
            return;
        }
        var turns = new TreeSet<String>();
        var others = new TreeSet<String>();
        var tools = new TreeSet<String>();
        for (Working one : working) {
            if (TurnScope.isTurn(one.scope().kind())) {
                TurnStart start = TurnStart.of(one.scope());
                turns.add(start.session() + "/" + start.turn());
            } else {
                others.add(one.scope().kind());
            }
            one.tool().ifPresent(tools::add);
        }
        LOG.info(
                "Stops, and waits up to {} for what runs. Turns (session/turn): {}; other work: {}; tools: {}",
                most, named(turns), named(others), named(tools));
    }

    private static String named(TreeSet<String> names) {
        String some = String.join(", ", names.stream().limit(MOST_NAMED).toList());
        return names.isEmpty()
                ? "none"
                : names.size() <= MOST_NAMED ? some : some + " and " + (names.size() - MOST_NAMED) + " more";
    }

    /** Closes when the virtual machine is shut down. */
    void onShutdown() {
        var thread = new Thread(this::close, "belay-shutdown");
        if (hook.compareAndSet(null, thread)) {
            Runtime.getRuntime().addShutdownHook(thread);
            if (host.isClosing()) {
                forgetHook();
            }
        }
    }

    private void forgetHook() {
        Thread thread = hook.getAndSet(null);
        if (thread != null && !thread.equals(Thread.currentThread())) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException shuttingDown) {
                LOG.debug("The virtual machine is shut down already", shuttingDown);
            }
        }
    }
}
