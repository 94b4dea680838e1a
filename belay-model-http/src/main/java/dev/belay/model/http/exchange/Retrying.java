package dev.belay.model.http.exchange;

import dev.belay.model.ModelException;
import dev.belay.tool.option.RetryPolicy;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether to ask again, and when. It does not retry after: a fault that does not pass; a timeout of an answer (the
 * provider may have charged for it, and the time is gone); a local server that is not running; an unknown host; an untrusted
 * certificate. Thread-safe: immutable.
 */
public final class Retrying {

    /** Asks once. */
    public static final Retrying NEVER = new Retrying(RetryPolicy.NONE, new SplittableRandom(0), false);

    private final RetryPolicy policy;
    private final RandomGenerator random;
    private final boolean loopback;

    public Retrying(RetryPolicy policy, RandomGenerator random, boolean loopback) {
        this.policy = policy;
        this.random = random;
        this.loopback = loopback;
    }

    /** How long to wait before the next attempt; empty if there is none. */
    public Optional<Duration> waitAfter(int attempt, ModelException failure) {
        if (attempt >= policy.attempts() || !mayPass(failure)) {
            return Optional.empty();
        }
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(policy.maxDelay()) > 0) {
            return Optional.empty();
        }
        double most = Math.min(policy.firstDelay().toMillis() * Math.pow(policy.factor(), attempt - 1),
                (double) policy.maxDelay().toMillis());
        // not before the provider allows it, and not all clients at once
        double wait = Math.max((double) asked.toMillis(), most / 2) + random.nextDouble() * most / 2;
        return Optional.of(Duration.ofMillis(Math.round(wait)));
    }

    private boolean mayPass(ModelException failure) {
        return switch (failure.kind()) {
            case RATE_LIMITED, UNAVAILABLE -> true;
            case CONNECTION -> !isHopeless(failure.getCause());
            case TIMEOUT -> failure.getCause() instanceof HttpConnectTimeoutException;
            default -> false;
        };
    }

    private boolean isHopeless(@Nullable Throwable cause) {
        return cause instanceof SSLException || isUnknownHost(cause)
                || (loopback && cause instanceof ConnectException);
    }

    static boolean isUnknownHost(@Nullable Throwable cause) {
        return (cause instanceof ConnectException refused
                && refused.getCause() instanceof UnresolvedAddressException)
                || cause instanceof UnknownHostException;
    }
}
