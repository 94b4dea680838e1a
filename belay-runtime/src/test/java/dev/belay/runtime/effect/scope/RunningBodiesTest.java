package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.scope.ResourceQueues.Ticket.Holder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thread that waits for a body of an earlier entry is woken when that body ends, and never waits for one that does not run. */
class RunningBodiesTest {

    private final RunningBodies bodies = new RunningBodies();
    private final Holder body = new Holder(new ScopeId("s"), "a");
    private final AtomicInteger wakes = new AtomicInteger();
    private final Runnable wake = wakes::incrementAndGet;

    @Test
    void theEndOfABodyWakesEachWaiterOnce() {
        bodies.begin(body, "attempt");
        assertThat(bodies.onEnd(body, wake)).isTrue();
        assertThat(bodies.onEnd(body, wake)).isTrue();
        assertThat(wakes).hasValue(0);
        bodies.end(body, true);
        assertThat(wakes).hasValue(1);
        assertThat(bodies.contains(body)).isFalse();
    }

    @Test
    void aBodyThatDoesNotRunIsNotAwaited() {
        assertThat(bodies.onEnd(body, wake)).isFalse();
        bodies.begin(body, "attempt");
        bodies.end(body, true);
        assertThat(bodies.onEnd(body, wake)).isFalse();
        assertThat(wakes).hasValue(0);
    }

    @Test
    void theEndOfAnotherBodyWakesNoWaiter() {
        var other = new Holder(new ScopeId("other"), "a");
        bodies.begin(body, "attempt");
        bodies.begin(other, "attempt");
        bodies.onEnd(body, wake);
        bodies.end(other, true);
        assertThat(wakes).hasValue(0);
        assertThat(bodies.contains(body)).isTrue();
    }
}
