package dev.belay.model.http.exchange;

import dev.belay.model.ModelException;
import dev.belay.model.http.HttpTimeouts;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Measures the timeouts of one call. Confined to one call. */
public final class Patience {

    private final HttpTimeouts timeouts;
    private final LongSupplier nanos;
    private final String where;
    private final long totalEnd;
    private long firstByteEnd;
    private boolean heard;

    public Patience(HttpTimeouts timeouts, LongSupplier nanos, String where) {
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.where = where;
        this.totalEnd = nanos.getAsLong() + timeouts.total().toNanos();
    }

    /** Starts to wait for the first byte. */
    void sent() {
        heard = false;
        firstByteEnd = nanos.getAsLong() + timeouts.firstByte().toNanos();
    }

    /** Notes that the answer has begun. */
    void heard() {
        heard = true;
    }

    /** How long to wait for more bytes, at most the time that the call has left; zero or less if none is left. */
    long nanosToWait() {
        long own = heard ? timeouts.betweenChunks().toNanos() : firstByteEnd - nanos.getAsLong();
        return Math.min(own, totalLeft());
    }

    /** Whether the call has used up its time. */
    boolean isOver() {
        return totalLeft() <= 0;
    }

    /** Whether the call has more time left than this. */
    public boolean allows(Duration wait) {
        return wait.compareTo(Duration.ofNanos(totalLeft())) < 0;
    }

    /** The exception for the timeout that has passed. */
    ModelException exhausted() {
        if (isOver()) {
            return timeout("did not finish its answer within " + words(timeouts.total()), "total");
        }
        return heard
                ? timeout("began to answer and then sent nothing for " + words(timeouts.betweenChunks()),
                        "betweenChunks")
                : timeout("sent nothing within " + words(timeouts.firstByte()) + " of the request",
                        "firstByte");
    }

    private ModelException timeout(String what, String which) {
        return new ModelException(ModelException.Kind.TIMEOUT,
                "the model server at " + where + " " + what + "; if it needs longer, raise the timeout \""
                        + which + "\"");
    }

    private long totalLeft() {
        return totalEnd - nanos.getAsLong();
    }

    public static String words(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
