package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a store that fails again, for work that was done or goes on and cannot be taken back. */
final class WriteRetry {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private WriteRetry() {}

    /**
     * Asks until the store works, the fault will not pass, or the host is closed.
     *
     * @param what is not done meanwhile, for the log
     */
    static <T> T on(JournalEffectHost host, Supplier<String> what, Supplier<T> asked) {
        return on(host, what, asked, asked);
    }

    /** The same for something that was begun before and, if that has failed, is done anew. */
    static <T> T on(JournalEffectHost host, Supplier<String> what, Supplier<T> begun, Supplier<T> anew) {
        Duration pause = FIRST_PAUSE;
        Supplier<T> asked = begun;
        while (true) {
            try {
                return asked.get();
            } catch (JournalException e) {
                if (!e.retryable() || host.isClosed()) {
                    throw e;
                }
                asked = anew;
                LOG.warn("The journal does not work, and {} waits for it; trying again", what.get(), e);
                host.time().pause(pause);
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            }
        }
    }
}
