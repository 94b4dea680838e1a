package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.P;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.ending;
import static dev.belay.laws.store.StoreBench.event;
import static dev.belay.laws.store.StoreBench.startProcess;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessStore;
import dev.belay.runtime.store.ProcessStore.Telling;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.testkit.Together;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events are typed, append-only, replay-keyed and read by a cursor (Q). */
interface ProcessEventPromises extends StorePromises {

    @Test
    default void eventsAreKeptInTheirOrderAndReadByACursor() {
        SessionStore store = bench().open();
        Claim claim = startProcess(store, "p");
        ProcessStore processes = store.processes();
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
        SessionStore store = bench().open();
        Claim claim = startProcess(store, "p");
        ProcessStore processes = store.processes();
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
        SessionStore store = bench().open();
        Claim claim = startProcess(store, "p");
        Claim other = startProcess(store, "q");
        store.journal().giveBack(claim, at(2));
        Claim taken = store.journal().takeReady(ALL, 5, at(2)).getFirst();

        assertThat(store.processes().tell(claim, P, event("k"), at(3))).isEqualTo(Telling.FENCED);
        assertThat(store.processes().tell(other, P, event("k"), at(3))).as("of another process")
                .isEqualTo(Telling.FENCED);
        assertThat(store.processes().events(P, 0, ALL)).isEmpty();
        assertThat(store.processes().tell(taken, P, event("k"), at(3))).isEqualTo(Telling.ADDED);
    }

    @Test
    default void eventResetsTheEntries() {
        SessionStore store = bench().open();
        Claim claim = startProcess(store, "p");
        Claim again = store.journal().reenter(claim, 5, at(2)).orElseThrow();
        assertThat(store.journal().state(claim.scope()).orElseThrow().entries()).isEqualTo(2);
        store.processes().tell(again, P, event("k"), at(3));
        assertThat(store.journal().state(claim.scope()).orElseThrow().entries()).isZero();
    }

    @Test
    default void endedProcessTakesNoNewEvents() {
        SessionStore store = bench().open();
        Claim claim = startProcess(store, "p");
        ProcessStore processes = store.processes();
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
        List<SessionStore> pair = List.of(bench().open(), bench().open());
        startProcess(pair.getFirst(), "p");
        for (int round = 0; round < bench().rounds(); round++) {
            String key = "k" + round;
            List<Telling> answers = Together.run(IntStream.range(0, 4)
                    .<Callable<Telling>>mapToObj(
                            i -> () -> pair.get(i % 2).processes().tell(P, event(key), at(1)))
                    .toList());
            assertThat(answers).containsOnlyOnce(Telling.ADDED).contains(Telling.KNOWN);
        }
        assertThat(pair.getLast().processes().events(P, 0, ALL)).hasSize(bench().rounds());
    }
}
