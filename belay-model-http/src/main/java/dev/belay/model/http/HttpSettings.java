package dev.belay.model.http;

import dev.belay.tool.option.RetryPolicy;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How requests travel; the same for every provider. Start from {@link #DEFAULT} and change single settings.
 *
 * @param timeouts how long to wait
 * @param retries how often a request is sent again as long as no answer has begun to arrive, and after which wait
 * @param proxy chooses a proxy, or null for the one in the Java system properties ({@code https.proxyHost} and others)
 * @param largestAnswer how many bytes one answer may have, unpacked
 * @param surroundings clock, randomness and sleep
 */
public record HttpSettings(HttpTimeouts timeouts, RetryPolicy retries, @Nullable ProxySelector proxy,
        long largestAnswer, Surroundings surroundings) {

    /** Three attempts, half a second apart at first: enough for a stale connection or a short failure of the server. */
    public static final RetryPolicy THREE_ATTEMPTS = new RetryPolicy(3, Duration.ofMillis(500), 2,
            Duration.ofSeconds(30));

    /**
     * 256 MiB. A streamed token costs some hundred bytes on the wire, so this is over half a million tokens, several times what
     * any model writes. Servers that write large pieces need less; set a value that fits your memory.
     */
    public static final long LARGEST_ANSWER = 256L << 20;

    /**
     * {@link HttpTimeouts#DEFAULT}, {@link #THREE_ATTEMPTS}, the system's proxy, {@link #LARGEST_ANSWER} and the machine's own
     * surroundings.
     */
    public static final HttpSettings DEFAULT = new HttpSettings(HttpTimeouts.DEFAULT, THREE_ATTEMPTS, null,
            LARGEST_ANSWER, Surroundings.system());

    /** Refuses null, except for the proxy, and a bound that is not positive. */
    public HttpSettings {
        Objects.requireNonNull(timeouts, "timeouts");
        Objects.requireNonNull(retries, "retries");
        Objects.requireNonNull(surroundings, "surroundings");
        if (largestAnswer < 1) {
            throw new IllegalArgumentException(
                    "largestAnswer must be at least 1 byte, found " + largestAnswer);
        }
    }

    /** The same with other timeouts. */
    public HttpSettings withTimeouts(HttpTimeouts other) {
        return new HttpSettings(other, retries, proxy, largestAnswer, surroundings);
    }

    /** The same with other retries. */
    public HttpSettings withRetries(RetryPolicy other) {
        return new HttpSettings(timeouts, other, proxy, largestAnswer, surroundings);
    }

    /** The same through this proxy for every address. */
    public HttpSettings withProxy(InetSocketAddress address) {
        return withProxy(ProxySelector.of(address));
    }

    /** The same with another choice of proxies. */
    public HttpSettings withProxy(ProxySelector selector) {
        return new HttpSettings(timeouts, retries, selector, largestAnswer, surroundings);
    }

    /** The same with another bound for one answer, in bytes. */
    public HttpSettings withLargestAnswer(long bytes) {
        return new HttpSettings(timeouts, retries, proxy, bytes, surroundings);
    }

    /** The same in other surroundings. */
    public HttpSettings withSurroundings(Surroundings other) {
        return new HttpSettings(timeouts, retries, proxy, largestAnswer, other);
    }
}
