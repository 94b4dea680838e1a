package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SomeOrderTest {

    private final SomeOrder<AtomicInteger> orders = new SomeOrder<>(AtomicInteger::new,
            AtomicInteger::toString);

    private static SomeOrder.Call<AtomicInteger> add(long begun, long ended, int answer) {
        return new SomeOrder.Call<>(begun, ended, "" + answer, "add",
                counter -> "" + counter.incrementAndGet());
    }

    private static SomeOrder.Call<AtomicInteger> read(long begun, long ended, int answer) {
        return new SomeOrder.Call<>(begun, ended, "" + answer, "read", counter -> "" + counter.get());
    }

    @Test
    void callsThatOverlapMayBeAnsweredInEitherOrder() {
        assertThat(orders.explains(List.of(add(1, 4, 2), add(2, 3, 1)))).isTrue();
        assertThat(orders.explains(List.of(add(1, 4, 1), read(2, 3, 0), read(5, 6, 1)))).isTrue();
    }

    @Test
    void oneOfTwoIdenticalAnswersIsWrong() {
        assertThat(orders.explains(List.of(add(1, 4, 1), add(2, 3, 1)))).isFalse();
    }

    @Test
    void aCallThatBeganAfterAnotherEndedSeesIt() {
        assertThat(orders.explains(List.of(add(1, 2, 1), read(3, 4, 0)))).isFalse();
        assertThat(orders.explains(List.of(add(1, 5, 1), read(2, 3, 1), read(4, 6, 0)))).isFalse();
    }

    @Test
    void moreCallsThanCanBeOrderedAreRefused() {
        assertThatThrownBy(() -> orders.explains(Collections.nCopies(63, read(1, 2, 0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 62 calls, found 63");
    }
}
