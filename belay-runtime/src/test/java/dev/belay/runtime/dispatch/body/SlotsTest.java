package dev.belay.runtime.dispatch.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.effect.ScopeId;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Contract E.3: places for bodies, in the order in which they are asked for. */
class SlotsTest {

    private static final ScopeId ONE = new ScopeId("one");
    private static final ScopeId TWO = new ScopeId("two");

    /** Whether a place is granted: asked beside the test, because a ticket that waits would hold it. */
    private static boolean granted(Slots.Ticket ticket) throws Exception {
        ticket.cancel();
        var asked = new FutureTask<>(ticket::await);
        Thread.ofVirtual().start(asked);
        return asked.get(30, TimeUnit.SECONDS);
    }

    @Test
    void withoutCapsEverybodyHasAPlace() throws Exception {
        var slots = new Slots(CallCaps.NONE);
        for (int n = 0; n < 10_000; n++) {
            assertThat(slots.queue("a", ONE).await()).isTrue();
        }
    }

    @Test
    void placesAreGivenInOrder() throws Exception {
        var slots = new Slots(CallCaps.NONE.withRuntime(1));
        Slots.Ticket first = slots.queue("a", ONE);
        Slots.Ticket second = slots.queue("b", ONE);
        Slots.Ticket third = slots.queue("c", TWO);
        first.release();
        assertThat(granted(third)).isFalse();
        assertThat(granted(second)).isTrue();
    }

    @Test
    void oneThatCannotGoHoldsUpNobodyElse() throws Exception {
        var slots = new Slots(CallCaps.NONE.withTool("a", 1).withRuntime(3));
        slots.queue("a", ONE);
        slots.queue("a", ONE);
        assertThat(granted(slots.queue("b", ONE))).isTrue();
    }

    @Test
    void batchesHaveCapsOfTheirOwn() throws Exception {
        var slots = new Slots(CallCaps.NONE.withBatch(1));
        slots.queue("a", ONE);
        assertThat(granted(slots.queue("a", TWO))).isTrue();
        assertThat(granted(slots.queue("a", ONE))).isFalse();
    }

    @Test
    void oneThatGivesUpLeavesTheQueue() throws Exception {
        var slots = new Slots(CallCaps.NONE.withRuntime(1));
        Slots.Ticket first = slots.queue("a", ONE);
        Slots.Ticket second = slots.queue("a", ONE);
        Slots.Ticket third = slots.queue("a", ONE);
        second.cancel();
        first.release();
        first.release();
        assertThat(granted(third)).isTrue();
        assertThat(second.await()).isFalse();
    }
}
