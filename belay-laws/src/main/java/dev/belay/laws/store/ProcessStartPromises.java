package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.P;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.grant;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.process;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.startProcess;
import static dev.belay.laws.store.StoreBench.status;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ProcessRules.Starting;
import dev.belay.testkit.Together;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A process is started once, with its scope and its grants (Q). */
interface ProcessStartPromises extends StorePromises {

    @Test
    default void processIsThereWithItsScope() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");

        assertThat(claim.scope()).isEqualTo(ProcessScope.id(P));
        assertThat(claim.input()).isEqualTo(ProcessScope.input(process("p", "what p does")));
        assertThat(claim.fence()).isOne();
        assertThat(claim.entries()).isOne();
        assertThat(store.process(P)).hasValueSatisfying(row -> {
            assertThat(row.scope()).isEqualTo(store.state(claim.scope()).orElseThrow());
            assertThat(row.scope().status()).isEqualTo(Status.RUNNING);
            assertThat(row.incarnation()).isEqualTo(claim.incarnation());
            assertThat(row.startedAt()).isEqualTo(at(1));
            assertThat(row.endedAt()).isNull();
            assertThat(row.place()).isOne();
        });
        assertThat(store.process(new ProcessId("q"))).isEmpty();
        assertThat(store.takeReady(ALL, 5, at(2))).as("owned").isEmpty();
    }

    @Test
    default void processThatIsNotTakenIsReadyForAnybody() {
        StoreDriver store = bench().open();
        assertThat(store.start(process("p", "x"), List.of(), false, at(1)))
                .isEqualTo(new Starting.Started(null));
        assertThat(status(store, ProcessScope.id(P))).isEqualTo(Status.READY);
        assertThat(bench().open().takeReady(ALL, 5, at(2))).extracting(Claim::scope)
                .containsExactly(ProcessScope.id(P));
    }

    @Test
    default void sameProcessIsKnownAndAnotherContentIsAConflict() {
        StoreDriver store = bench().open();
        startProcess(store, "p");
        String before = Picture.ofProcesses(store, S);

        assertThat(store.start(process("p", "what p does"), List.of(), true, at(5)))
                .isEqualTo(new Starting.Known());
        assertThat(store.start(process("p", "other"), List.of(grant(S, 1)), true, at(5)))
                .isEqualTo(new Starting.Conflict(ProcessScope.input(process("p", "what p does"))));
        assertThat(Picture.ofProcesses(store, S)).isEqualTo(before);
        assertThat(store.head(S)).as("nothing was written").isEmpty();
    }

    @Test
    default void grantMakesTheSessionAndStartsNoTurn() {
        StoreDriver store = bench().open();
        startProcess(store, "p", grant(S, 1));

        assertThat(head(store).incarnation()).isEqualTo(incarnation(1));
        assertThat(head(store).active()).isNull();
        assertThat(head(store).lastPlace()).isZero();
        assertThat(store.isGranted(P, S)).isTrue();
        assertThat(store.isGranted(P, new SessionId("t"))).isFalse();
        finish(store, start(store, "a"), turn(1, "a"));
        assertThat(store.isGranted(P, S)).isTrue();
    }

    @Test
    default void startingAgainAndGrantingAddGrants() {
        StoreDriver store = bench().open();
        StoreDriver processes = store;
        var other = new SessionId("t");
        startProcess(store, "p");
        processes.start(process("p", "what p does"), List.of(grant(S, 1)), true, at(2));
        assertThat(processes.isGranted(P, S)).isTrue();
        assertThat(processes.grant(P, grant(other, 2), at(2))).isTrue();
        assertThat(processes.grant(P, grant(other, 3), at(2))).as("again").isTrue();
        assertThat(processes.isGranted(P, other)).isTrue();
        assertThat(store.head(other).orElseThrow().incarnation()).isEqualTo(incarnation(2));
        assertThat(processes.grant(new ProcessId("q"), grant(new SessionId("u"), 4), at(2))).isFalse();
        assertThat(store.head(new SessionId("u"))).isEmpty();
    }

    @Test
    default void processesAreListedInTheOrderOfTheirStarts() {
        StoreDriver store = bench().open();
        startProcess(store, "z", grant(S, 1));
        startProcess(store, "a");
        startProcess(store, "m", grant(S, 1));
        StoreDriver processes = store;

        assertThat(processes.processes(0, ALL)).extracting(row -> row.id().value())
                .containsExactly("z", "a", "m");
        assertThat(processes.processes(1, 1)).extracting(row -> row.id().value()).containsExactly("a");
        assertThat(processes.processes(3, ALL)).isEmpty();
        assertThat(processes.processes(0, -1)).isEmpty();
        List<ProcessRow> granted = processes.processes(S, 0, ALL);
        assertThat(granted).extracting(row -> row.id().value()).containsExactly("z", "m");
        assertThat(processes.processes(S, granted.getFirst().place(), ALL))
                .extracting(row -> row.id().value())
                .containsExactly("m");
        assertThat(processes.processes(S, 0, 1)).extracting(row -> row.id().value()).containsExactly("z");
        assertThat(processes.processes(new SessionId("t"), 0, ALL)).isEmpty();
    }

    @Test
    default void deletedSessionTakesItsGrantsAndLeavesTheProcess() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p", grant(S, 1));
        assertThat(store.delete(S, at(2))).isTrue();

        assertThat(store.isGranted(P, S)).isFalse();
        assertThat(status(store, claim.scope())).isEqualTo(Status.RUNNING);
        start(store, S, incarnation(7), "a");
        assertThat(store.isGranted(P, S)).as("made again").isFalse();
        assertThat(store.processes(S, 0, ALL)).isEmpty();
        assertThat(store.processes(0, ALL)).hasSize(1);
    }

    @Test
    default void sameProcessFromAllSidesIsStartedOnce() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        for (int round = 0; round < bench().rounds(); round++) {
            String id = "p" + round;
            int n = round;
            List<Starting> answers = Together.run(IntStream.range(0, 4)
                    .<Callable<Starting>>mapToObj(i -> () -> pair.get(i % 2)

                            .start(process(id, "x"), List.of(grant(new SessionId(id), n * 10L + i)), true,
                                    at(1)))
                    .toList());
            assertThat(answers).filteredOn(Starting.Started.class::isInstance).hasSize(1);
            assertThat(answers).filteredOn(Starting.Known.class::isInstance).hasSize(3);
        }
        assertThat(pair.getFirst().processes(0, ALL)).hasSize(bench().rounds());
    }
}
