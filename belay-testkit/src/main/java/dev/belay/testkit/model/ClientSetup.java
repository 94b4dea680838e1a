package dev.belay.testkit.model;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the client of one test.
 *
 * @param server the root of the server, such as {@code http://127.0.0.1:4711}; append the prefix of your API's paths
 * @param apiKey sent in the way of your protocol
 * @param model the model to ask for
 * @param streaming whether to ask for a stream
 * @param caching whether to mark content for the provider's cache
 * @param connect the longest wait for a connection
 * @param firstByte the longest wait for the first byte
 * @param betweenChunks the longest wait for more
 * @param total the longest call
 * @param attempts how often to try, the first time included; retries start at half a second and never wait over 30 s
 * @param sleeper receives the waits between attempts instead of sleeping
 * @param proxy the proxy of all requests, or null
 */
public record ClientSetup(URI server, String apiKey, String model, boolean streaming, boolean caching,
        Duration connect,
        Duration firstByte, Duration betweenChunks, Duration total, int attempts, Consumer<Duration> sleeper,
        @Nullable InetSocketAddress proxy) {

    /** The key that every client of the suite has. */
    public static final String KEY = "sk-contract-0123456789-secret";
    /** The model that every client of the suite asks for. */
    public static final String MODEL = "contract-model";

    private static final Duration LONG = Duration.ofSeconds(30);

    /** Refuses null, except for the proxy. */
    public ClientSetup {
        Objects.requireNonNull(server, "server");
        Objects.requireNonNull(apiKey, "apiKey");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(sleeper, "sleeper");
    }

    /** A streaming client without caching, retries and proxy, with timeouts of half a minute. */
    public static ClientSetup of(URI server) {
        return new ClientSetup(server, KEY, MODEL, true, false, LONG, LONG, LONG, LONG, 1, wait -> {}, null);
    }

    ClientSetup whole() {
        return new ClientSetup(server, apiKey, model, false, caching, connect, firstByte, betweenChunks,
                total, attempts,
                sleeper, proxy);
    }

    ClientSetup withCaching() {
        return new ClientSetup(server, apiKey, model, streaming, true, connect, firstByte, betweenChunks,
                total, attempts,
                sleeper, proxy);
    }

    ClientSetup withFirstByte(Duration wait) {
        return new ClientSetup(server, apiKey, model, streaming, caching, connect, wait, betweenChunks, total,
                attempts,
                sleeper, proxy);
    }

    ClientSetup withBetweenChunks(Duration wait) {
        return new ClientSetup(server, apiKey, model, streaming, caching, connect, firstByte, wait, total,
                attempts,
                sleeper, proxy);
    }

    ClientSetup withTotal(Duration wait) {
        return new ClientSetup(server, apiKey, model, streaming, caching, connect, firstByte, betweenChunks,
                wait,
                attempts, sleeper, proxy);
    }

    ClientSetup withAttempts(int count, Consumer<Duration> waits) {
        return new ClientSetup(server, apiKey, model, streaming, caching, connect, firstByte, betweenChunks,
                total, count,
                waits, proxy);
    }

    ClientSetup withProxy(InetSocketAddress address) {
        return new ClientSetup(server, apiKey, model, streaming, caching, connect, firstByte, betweenChunks,
                total,
                attempts, sleeper, address);
    }
}
