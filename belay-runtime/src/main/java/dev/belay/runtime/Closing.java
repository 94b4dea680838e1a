package dev.belay.runtime;

import dev.belay.json.Json;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.JournalHost.Working;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final Store store;
    private final Duration drain;
    private final Runnable last;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> hook = new AtomicReference<>();

    /**
     * Closes these.
     *
     * @param last done once, when nothing runs any more
     */
    Closing(JournalHost host, Store store, Duration drain, Runnable last) {
        this.host = host;
        this.store = store;
        this.drain = drain;
        this.last = last;
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
            if (over.compareAndSet(false, true)) {
                last.run();
            }
        }
    }

    private void tell(Duration most) {
        List<Working> working = host.working();
        if (!working.isEmpty() && most.isPositive()) {
            LOG.info(words(most, working));
        }
    }

    /** Says what the drain waits for. */
    static String words(Duration most, List<Working> working) {
        var turns = new TreeSet<String>();
        var others = new TreeSet<String>();
        var tools = new TreeSet<String>();
        for (Working one : working) {
            String session = TurnScope.isTurn(one.scope().kind())
                    ? one.scope().value().peekText("session")
                    : null;
            if (session == null) {
                others.add(one.scope().kind());
            } else {
                turns.add(session + "/" + one.scope().value().get("turn").map(Json::text).orElse("?"));
            }
            one.tool().ifPresent(tools::add);
        }
        return "Stops, and waits up to " + most + " for what runs. Turns (session/turn): " + named(turns)
                + "; other work: " + named(others) + "; tools: " + named(tools);
    }

    private static String named(Set<String> names) {
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
