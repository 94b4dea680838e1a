package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.P;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.ending;
import static dev.belay.laws.store.StoreBench.present;
import static dev.belay.laws.store.StoreBench.startProcess;
import static dev.belay.laws.store.StoreBench.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ProcessRules.Signalling;
import dev.belay.testkit.Together;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Signals settle the waits for them one after another, each of them once (Q). */
interface ProcessSignalPromises extends StorePromises {

    static NewSignal signal(String name, @Nullable String key) {
        return new NewSignal("signal/", "/" + name, key == null ? null : new WaitName("key/" + key),
                Json.string(name + " " + key));
    }

    /** A process that is parked at the first signal of the name {@code go}. */
    static Claim parked(StoreDriver store) {
        Claim claim = startProcess(store, "p");
        WaitName wait = signal("go", null).wait(1);
        store.park(claim, List.of(new OpenWait(wait, OpenWait.Kind.EVENT, null, null)), Set.of(wait),
                false, null, at(2));
        return claim;
    }

    private static Signalling kept(String wait) {
        return new Signalling.Kept(new WaitName(wait), null);
    }

    @Test
    default void signalsSettleOneWaitAfterAnother() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        StoreDriver processes = store;
        assertThat(processes.signal(P, signal("go", null), true, at(2))).isEqualTo(kept("signal/1/go"));
        assertThat(processes.signal(P, signal("go", null), true, at(2))).isEqualTo(kept("signal/2/go"));
        assertThat(processes.signal(P, signal("stop", null), true, at(2))).isEqualTo(kept("signal/1/stop"));
        for (int number = 3; number < 40; number++) {
            assertThat(bench().open().signal(P, signal("go", "k" + number), true, at(2)))
                    .isEqualTo(kept("signal/" + number + "/go"));
        }
        assertThat(store.waits(claim.scope()))
                .filteredOn(wait -> wait.name().value().endsWith("/go"))
                .hasSize(39)
                .allSatisfy(wait -> {
                    assertThat(wait.opened()).isFalse();
                    assertThat(wait.resolution()).isInstanceOf(Resolution.Ok.class);
                });
    }

    @Test
    default void signalWithAKeyIsSentOnce() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        StoreDriver processes = store;
        processes.signal(P, signal("go", "k"), true, at(2));
        List<WaitState> before = store.waits(claim.scope());

        assertThat(processes.signal(P, signal("go", "k"), true, at(3))).isEqualTo(new Signalling.Known());
        assertThat(store.waits(claim.scope())).containsExactlyInAnyOrderElementsOf(before);
        assertThat(processes.signal(P, signal("go", "l"), true, at(3))).isEqualTo(kept("signal/2/go"));
        assertThat(processes.signal(P, signal("go", null), true, at(3))).isEqualTo(kept("signal/3/go"));
    }

    @Test
    default void waitThatWasSettledOtherwiseIsPassedOver() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        store.resolve(claim.scope(), claim.incarnation(), signal("go", null).wait(1),
                new Resolution.TimedOut(), false, at(2));
        assertThat(store.signal(P, signal("go", null), true, at(2)))
                .isEqualTo(kept("signal/2/go"));
    }

    @Test
    default void signalWakesTheProcessThatIsParkedAtIt() {
        StoreDriver store = bench().open();
        Claim claim = parked(store);
        Signalling answer = store.signal(P, signal("go", "k"), true, at(3));

        assertThat(answer).isInstanceOfSatisfying(Signalling.Kept.class, kept -> {
            assertThat(kept.settled()).hasToString("signal/1/go");
            Claim woken = present(kept.woken());
            assertThat(woken.scope()).isEqualTo(claim.scope());
            assertThat(woken.fence()).isEqualTo(claim.fence() + 1);
            assertThat(woken.entries()).isOne();
        });
        assertThat(status(store, claim.scope())).isEqualTo(Status.RUNNING);
    }

    @Test
    default void wokenProcessThatIsNotTakenIsReady() {
        StoreDriver store = bench().open();
        Claim claim = parked(store);
        assertThat(store.signal(P, signal("go", null), false, at(3)))
                .isEqualTo(kept("signal/1/go"));
        assertThat(status(store, claim.scope())).isEqualTo(Status.READY);
        assertThat(store.takeReady(ALL, 5, at(3))).extracting(Claim::scope)
                .containsExactly(claim.scope());
    }

    @Test
    default void signalLeavesAProcessAloneThatWaitsForSomethingElse() {
        StoreDriver store = bench().open();
        Claim claim = parked(store);
        assertThat(store.signal(P, signal("stop", "k"), true, at(3)))
                .isEqualTo(kept("signal/1/stop"));
        assertThat(status(store, claim.scope())).isEqualTo(Status.PARKED);
    }

    @Test
    default void endedProcessTakesNoSignals() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        store.signal(P, signal("go", "k"), true, at(2));
        store.end(claim, ending("p", 0), at(3));

        for (String key : List.of("k", "l")) {
            assertThat(store.signal(P, signal("go", key), true, at(4)))
                    .isEqualTo(new Signalling.Ended());
        }
        assertThat(store.signal(new ProcessId("nobody"), signal("go", null), true, at(4)))
                .isEqualTo(new Signalling.Ended());
    }

    @Test
    default void signalsFromAllSidesAreKeptOnceEach() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        Claim claim = startProcess(pair.getFirst(), "p");
        for (int round = 0; round < bench().rounds(); round++) {
            String key = "k" + round;
            List<Signalling> answers = Together.run(IntStream.range(0, 4)
                    .<Callable<Signalling>>mapToObj(i -> () -> pair.get(i % 2)

                            .signal(P, signal("go", i < 2 ? key : key + "/" + i), true, at(1)))
                    .toList());
            assertThat(answers).containsOnlyOnce(new Signalling.Known());
        }
        assertThat(pair.getLast().waits(claim.scope())).extracting(wait -> wait.name().value())
                .filteredOn(name -> name.endsWith("/go"))
                .hasSize(bench().rounds() * 3)
                .contains("signal/1/go", "signal/" + bench().rounds() * 3 + "/go");
    }
}
