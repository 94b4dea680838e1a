package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.JournalException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a write to a store that fails, for work that was done or goes on and cannot be taken back. After a second or two the log says
 * so, once a write: a person may have to make room.
 */
final class WriteRetry {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private WriteRetry() {}

    /**
     * Repeats a write until the store works, the fault is permanent, or the host is closed.
     *
     * @param what waits meanwhile, for the log
     */
    static <T> T on(HostServices host, Supplier<String> what, Supplier<T> write) {
        return on(host, what, write, write);
    }

    /** Waits for a write that was begun before; if that fails, writes anew as {@link #on(HostServices, Supplier, Supplier)}. */
    static <T> T on(HostServices host, Supplier<String> what, Supplier<T> begun, Supplier<T> anew) {
        Duration pause = FIRST_PAUSE;
        Supplier<T> next = begun;
        boolean isSaid = false;
        while (true) {
            try {
                return next.get();
            } catch (JournalException e) {
                if (!e.retryable() || host.life().isClosed()) {
                    throw e;
                }
                next = anew;
                if (pause.compareTo(LONGEST_PAUSE) >= 0 && !isSaid) {
                    isSaid = true;
                    LOG.error("{} cannot be written and waits: {}. It is written as soon as that works;"
                            + " if this program ends before, it is lost", what.get(), e.getMessage());
                } else {
                    LOG.debug("{} cannot be written; trying again", what.get(), e);
                }
                host.time().pause(pause);
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            }
        }
    }
}
