package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.ScopeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pending records become durable in their order, and a scope waits when there are too many. */
class PendingRecordsTest {

    private final List<Runnable> watchers = new ArrayList<>();
    private final PendingRecords pending = new PendingRecords(watchers::add);
    private final List<Integer> settled = new ArrayList<>();

    private void add(int number) {
        pending.add(false, () -> settled.add(number));
    }

    @Test
    void nobodyWaitsWhileThereAreFew() {
        for (int i = 0; i < PendingRecords.MOST; i++) {
            add(i);
        }
        assertThat(settled).isEmpty();

        add(PendingRecords.MOST);
        assertThat(settled).containsExactly(0);
        add(PendingRecords.MOST + 1);
        assertThat(settled).containsExactly(0, 1);

        pending.settle();
        assertThat(settled).hasSize(PendingRecords.MOST + 2).isSorted();
    }

    @Test
    void oneThreadTellsOfRecordsWhileTheScopeIsBusy() {
        add(1);
        add(2);
        assertThat(watchers).hasSize(1);

        watchers.remove(0).run();
        assertThat(settled).containsExactly(1, 2);

        add(3);
        assertThat(watchers).as("the next one needs a thread again").hasSize(1);
    }

    @Test
    void whatIsWrittenAtOnceIsNotWaitedFor() {
        pending.add(true, () -> settled.add(1));
        assertThat(settled).containsExactly(1);
        assertThat(watchers).isEmpty();
    }

    @Test
    void afterAFaultNothingMoreIsAdded() {
        pending.add(false, () -> {
            throw new IllegalStateException("no disk");
        });
        watchers.remove(0).run();
        assertThatThrownBy(pending::requireWhole).hasMessage("no disk");
        assertThatThrownBy(() -> add(1)).hasMessage("no disk");

        pending.settleAfter(new IllegalStateException("the entry ends"));
        pending.begin();
        assertThat(pending.requireWhole()).as("a new entry does it again").isTrue();
    }

    @Test
    void aFaultIsToldToEverybodyWhoAsksLater() {
        add(1);
        pending.add(false, () -> {
            throw new IllegalStateException("no disk");
        });
        add(2);

        assertThatThrownBy(pending::settle).hasMessage("no disk");
        assertThatThrownBy(pending::settle).hasMessage("no disk");
        assertThat(settled).as("the others are waited for").containsExactly(1, 2);
    }

    @Test
    void aScopeThatSomebodyTookCountsMoreThanAnyFault() {
        pending.add(false, () -> {
            throw new IllegalStateException("no disk");
        });
        pending.add(false, () -> {
            throw new FencedException(new ScopeId("s"), 1);
        });
        var failed = new IllegalStateException("a body broke");

        assertThatThrownBy(() -> pending.settleAfter(failed)).isInstanceOf(FencedException.class);
    }

    @Test
    void whatFailsBesideAnotherFailureIsSaidWithIt() {
        pending.add(false, () -> {
            throw new IllegalStateException("no disk");
        });
        var failed = new IllegalStateException("a body broke");

        pending.settleAfter(failed);

        assertThat(failed.getSuppressed()).singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("no disk");
    }
}
