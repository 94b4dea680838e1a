package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.effect.JournalException;
import dev.belay.tool.context.Reconciliation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to a reconciler. One that throws is asked five times within a minute, then its answer counts as unknown. */
public final class Questions {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");
    /** Before each further question; together less than a minute. */
    private static final List<Duration> PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(4),
            Duration.ofSeconds(10), Duration.ofSeconds(30));

    private Questions() {}

    /** The time between a question that failed and the next one; {@code asked} questions were put before the failed one. */
    public static Duration pause(int asked) {
        return PAUSES.get(asked);
    }

    /**
     * Puts a question.
     *
     * @param about the step or tool, for the log
     * @param asked how many questions were put before
     * @param mayWait whether the reconciler may be asked again later
     * @return null if it threw and is to be asked again after the {@link #pause}
     */
    public static <T> @Nullable Reconciliation<T> ask(String about, int asked, boolean mayWait,
            Callable<Reconciliation<T>> reconciler) {
        try {
            return Objects.requireNonNull(reconciler.call(), "a reconciler returned null");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JournalException.closed(); // the process stops; the next one asks
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("The reconciler of {} threw at question {}", about, asked + 1, e);
            return mayWait && asked < PAUSES.size() ? null : Reconciliation.unknown();
        }
    }
}
