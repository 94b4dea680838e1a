package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.tool.option.RetryPolicy;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** When to ask again. Contract: S (retry jitter constant). */
class RetryingTest {

    private static final RetryPolicy POLICY = new RetryPolicy(4, Duration.ofSeconds(1), 2,
            Duration.ofSeconds(30));
    private static final long SEED = 6;

    private final Retrying remote = new Retrying(POLICY, new Random(SEED), false);
    private final Retrying local = new Retrying(POLICY, new Random(SEED), true);

    @Test
    void waitsAreSpreadAndGrow() {
        Set<Duration> first = waits(1);
        assertThat(first).hasSizeGreaterThan(50)
                .allSatisfy(
                        wait -> assertThat(wait).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1)));
        assertThat(waits(3)).allSatisfy(
                wait -> assertThat(wait).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4)));
    }

    private Set<Duration> waits(int attempt) {
        return IntStream.range(0, 100)
                .mapToObj(i -> remote.waitAfter(attempt, failure(Kind.UNAVAILABLE)).orElseThrow())
                .collect(Collectors.toSet());
    }

    @Test
    void noWaitIsShorterThanAsked() {
        ModelException busy = failure(Kind.RATE_LIMITED).withRetryAfter(Duration.ofSeconds(5));
        for (int i = 0; i < 100; i++) {
            assertThat(remote.waitAfter(1, busy).orElseThrow()).isBetween(Duration.ofSeconds(5),
                    Duration.ofMillis(5500));
        }
        assertThat(remote.waitAfter(1, failure(Kind.RATE_LIMITED).withRetryAfter(Duration.ofSeconds(31))))
                .isEmpty();
    }

    @Test
    void noWaitIsLongerThanThePolicyAllows() {
        Retrying many = new Retrying(new RetryPolicy(100, Duration.ofSeconds(1), 2, Duration.ofSeconds(30)),
                new Random(SEED), false);
        assertThat(many.waitAfter(90, failure(Kind.UNAVAILABLE)).orElseThrow()).isBetween(
                Duration.ofSeconds(15),
                Duration.ofSeconds(30));
    }

    @Test
    void attemptsEnd() {
        assertThat(remote.waitAfter(3, failure(Kind.UNAVAILABLE))).isPresent();
        assertThat(remote.waitAfter(4, failure(Kind.UNAVAILABLE))).isEmpty();
    }

    @Test
    void onlyPassingFaultsAreTriedAgain() {
        Set<Kind> again = EnumSet.allOf(Kind.class)
                .stream()
                .filter(kind -> remote.waitAfter(1, failure(kind)).isPresent())
                .collect(Collectors.toSet());
        assertThat(again).containsExactlyInAnyOrder(Kind.RATE_LIMITED, Kind.UNAVAILABLE, Kind.CONNECTION);
    }

    @Test
    void aConnectionThatCannotBeIsNotTriedAgain() {
        assertThat(remote.waitAfter(1, broken(new IOException("reset")))).isPresent();
        assertThat(remote.waitAfter(1, broken(new ConnectException("refused")))).isPresent();
        assertThat(local.waitAfter(1, broken(new ConnectException("refused")))).isEmpty();
        assertThat(remote.waitAfter(1, broken(new UnknownHostException("nowhere")))).isEmpty();
        assertThat(remote.waitAfter(1, broken(new SSLHandshakeException("not trusted")))).isEmpty();
    }

    @Test
    void aConnectionThatDidNotComeInTimeIsTriedAgain() {
        ModelException late = new ModelException(Kind.TIMEOUT, "late",
                new HttpConnectTimeoutException("late"));
        assertThat(remote.waitAfter(1, late)).isPresent();
    }

    private static ModelException failure(Kind kind) {
        return new ModelException(kind, "failed");
    }

    private static ModelException broken(IOException cause) {
        return new ModelException(Kind.CONNECTION, "broken", cause);
    }
}
