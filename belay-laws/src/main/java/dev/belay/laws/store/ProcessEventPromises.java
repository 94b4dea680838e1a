package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.P;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.ending;
import static dev.belay.laws.store.StoreBench.event;
import static dev.belay.laws.store.StoreBench.startProcess;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ProcessRules.Telling;
import dev.belay.testkit.Together;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events are typed, append-only, replay-keyed and read by a cursor (Q). */
interface ProcessEventPromises extends StorePromises {

    @Test
    default void eventsAreKeptInTheirOrderAndReadByACursor() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        StoreDriver processes = store;
        startProcess(store, "q");
        for (String key : List.of("z", "a", "m")) {
            assertThat(processes.tell(claim, P, event(key), at(2))).isEqualTo(Telling.ADDED);
        }
        assertThat(processes.events(P, 0, ALL)).containsExactly(kept(1, "z", 2), kept(2, "a", 2),
                kept(3, "m", 2));
        assertThat(processes.events(P, 1, 1)).containsExactly(kept(2, "a", 2));
        assertThat(processes.events(P, 3, ALL)).isEmpty();
        assertThat(processes.events(P, 0, -1)).isEmpty();
        assertThat(processes.events(new ProcessId("q"), 0, ALL)).isEmpty();
        assertThat(processes.events(new ProcessId("nobody"), 0, ALL)).isEmpty();
    }

    private static ProcessEvent kept(long place, String key, int at) {
        return new ProcessEvent(place, key, "type", Json.string("payload of " + key), at(at));
    }

    @Test
    default void eventThatIsToldAgainIsThereOnce() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        StoreDriver processes = store;
        processes.tell(claim, P, event("k"), at(2));

        assertThat(processes.tell(claim, P, event("k"), at(3))).isEqualTo(Telling.KNOWN);
        assertThat(processes.tell(P, event("k"), at(3))).isEqualTo(Telling.KNOWN);
        for (ProcessEvent.Draft other : List.of(
                new ProcessEvent.Draft("k", "other", Json.string("payload of k")),
                new ProcessEvent.Draft("k", "type", Json.TRUE))) {
            assertThat(processes.tell(claim, P, other, at(3))).isEqualTo(Telling.CONFLICT);
            assertThat(processes.tell(P, other, at(3))).isEqualTo(Telling.CONFLICT);
        }
        assertThat(processes.events(P, 0, ALL)).containsExactly(kept(1, "k", 2));
    }

    @Test
    default void oldClaimTellsNothing() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        Claim other = startProcess(store, "q");
        store.giveBack(claim, at(2));
        Claim taken = store.takeReady(ALL, 5, at(2)).getFirst();

        assertThat(store.tell(claim, P, event("k"), at(3))).isEqualTo(Telling.FENCED);
        assertThat(store.tell(other, P, event("k"), at(3))).as("of another process")
                .isEqualTo(Telling.FENCED);
        assertThat(store.events(P, 0, ALL)).isEmpty();
        assertThat(store.tell(taken, P, event("k"), at(3))).isEqualTo(Telling.ADDED);
    }

    @Test
    default void eventResetsTheEntries() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        Claim again = store.reenter(claim, 5, at(2)).orElseThrow();
        assertThat(store.state(claim.scope()).orElseThrow().entries()).isEqualTo(2);
        store.tell(again, P, event("k"), at(3));
        assertThat(store.state(claim.scope()).orElseThrow().entries()).isZero();
    }

    @Test
    default void endedProcessTakesNoNewEvents() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        StoreDriver processes = store;
        processes.tell(P, event("k"), at(2));
        processes.end(claim, ending("p", 0), at(3));

        assertThat(processes.tell(P, event("l"), at(4))).isEqualTo(Telling.ENDED);
        assertThat(processes.tell(claim, P, event("l"), at(4))).isEqualTo(Telling.FENCED);
        assertThat(processes.tell(P, event("k"), at(4))).isEqualTo(Telling.KNOWN);
        assertThat(processes.tell(new ProcessId("nobody"), event("k"), at(4))).isEqualTo(Telling.UNKNOWN);
        assertThat(processes.events(P, 0, ALL)).hasSize(1);
    }

    @Test
    default void sameEventFromAllSidesIsThereOnce() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        startProcess(pair.getFirst(), "p");
        for (int round = 0; round < bench().rounds(); round++) {
            String key = "k" + round;
            List<Telling> answers = Together.run(IntStream.range(0, 4)
                    .<Callable<Telling>>mapToObj(
                            i -> () -> pair.get(i % 2).tell(P, event(key), at(1)))
                    .toList());
            assertThat(answers).containsOnlyOnce(Telling.ADDED).contains(Telling.KNOWN);
        }
        assertThat(pair.getLast().events(P, 0, ALL)).hasSize(bench().rounds());
    }
}
