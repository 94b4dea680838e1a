package dev.belay.model.http;

import java.time.Duration;

/**
 * How long to wait for a model. When one of them passes, the call fails with {@code model_timeout} and a message that names it.
 *
 * @param connect for a connection
 * @param firstByte from sending the request to the first byte of the answer
 * @param betweenChunks for more of an answer that has begun; a keep-alive counts as more
 * @param total for one call, all attempts and the waits between them included
 */
public record HttpTimeouts(Duration connect, Duration firstByte, Duration betweenChunks, Duration total) {

    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * 10 s, 5 min, 2 min, 30 min. A local model on a CPU reads a long prompt for minutes before it writes the first word, and a
     * reasoning model may be silent for as long; a server that cannot be reached is noticed early.
     */
    public static final HttpTimeouts DEFAULT = new HttpTimeouts(Duration.ofSeconds(10), Duration.ofMinutes(5),
            Duration.ofMinutes(2), Duration.ofMinutes(30));

    /** Refuses times that are not positive, or longer than a year. */
    public HttpTimeouts {
        check(connect, "connect");
        check(firstByte, "firstByte");
        check(betweenChunks, "betweenChunks");
        check(total, "total");
    }

    /** The same with another wait for a connection. */
    public HttpTimeouts withConnect(Duration wait) {
        return new HttpTimeouts(wait, firstByte, betweenChunks, total);
    }

    /** The same with another wait for the first byte. */
    public HttpTimeouts withFirstByte(Duration wait) {
        return new HttpTimeouts(connect, wait, betweenChunks, total);
    }

    /** The same with another wait for more. */
    public HttpTimeouts withBetweenChunks(Duration wait) {
        return new HttpTimeouts(connect, firstByte, wait, total);
    }

    /** The same with another wait for the whole call. */
    public HttpTimeouts withTotal(Duration wait) {
        return new HttpTimeouts(connect, firstByte, betweenChunks, wait);
    }

    private static void check(Duration wait, String what) {
        if (!wait.isPositive() || wait.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the timeout \"" + what + "\" must be over zero and at most a year, not " + wait);
        }
    }
}
