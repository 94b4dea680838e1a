package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Awaiting.Thing;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.testkit.Trap;
import dev.belay.testkit.crash.RecordsOpening;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A write is there as a whole or not at all, at every point of death, and an interrupt does not stop it (L.6). */
interface StoreCrashPromises extends StorePromises {

    @TestFactory
    default Stream<DynamicTest> crashLeavesAllOrNothing() {
        return SessionWrite.all().stream().map(write -> DynamicTest.dynamicTest(write.title(), () -> {
            String without = traces(write, false, null);
            String with = traces(write, true, null);
            assertThat(with).as("the write can be seen").isNotEqualTo(without);
            assertThat(traces(write, true, Moment.BEFORE)).as("before").isEqualTo(without);
            assertThat(traces(write, true, Moment.INSIDE)).as("inside").isEqualTo(without);
            assertThat(traces(write, true, Moment.AFTER)).as("after").isEqualTo(with);
        }));
    }

    /** The records that other stores find after a store was set up, wrote or not, and died. */
    private String traces(SessionWrite write, boolean act, @Nullable Moment crash) {
        RecordsOpening sessions = bench().freshSessions();
        var trap = new Trap();
        StoreDriver store = bench().open(sessions, trap);
        Claim claim = write.setUp().apply(store);
        if (act && crash == null) {
            write.act().accept(store, claim);
        } else if (act && crash != null) {
            trap.arm(crash, write.name());
            assertThatThrownBy(() -> write.act().accept(store, claim)).isInstanceOf(SimulatedCrash.class)
                    .hasMessage("simulated crash: " + crash + " " + write.name());
        }
        store.close();
        return found(sessions);
    }

    /** The records, and the scopes that can be claimed because their owner is dead. */
    private String found(RecordsOpening sessions) {
        try (StoreDriver next = bench().open(sessions, JournalProbe.NONE)) {
            assertThat(next.inconsistencies(9)).isEmpty();
            return found(next);
        }
    }

    private static String found(StoreDriver next) {
        var other = new SessionId("other");
        String pictures = Picture.of(next, S) + "\n" + Picture.of(next, other) + "\n"
                + Picture.ofProcesses(next, S, other);
        pictures += "\nthey keep " + StoreBench.keeps(next, StoreBench.incarnation(1)) + " "
                + StoreBench.keeps(next, StoreBench.incarnation(2));
        pictures += "\naudit " + next.audit(0, ALL) + "\npending "
                + next.pending(null, ALL, name -> name)
                        .stream()
                        .map(key -> key.scope() + " " + key.since() + " " + key.opened())
                        .sorted()
                        .toList();
        return pictures + "\n" + next.nextDue() + "\n"
                + next.takeReady(ALL, 5, at(9))
                        .stream()
                        .map(one -> one.scope() + " " + one.fence())
                        .sorted()
                        .toList();
    }

    /** A dead process waits for nothing; but the next one goes on with the same wait, and says since when. */
    @TestFactory
    default Stream<DynamicTest> crashLeavesWhatATurnWaitsForWholeOrUnsaid() {
        return Stream.of(Moment.values()).map(moment -> DynamicTest.dynamicTest("" + moment, () -> {
            RecordsOpening sessions = bench().freshSessions();
            var trap = new Trap();
            StoreDriver store = bench().open(sessions, trap);
            Claim claim = start(store, "a");
            trap.arm(moment, "awaits " + claim.scope());
            assertThatThrownBy(
                    () -> store.awaits(claim, new Awaiting(Thing.MODEL, "round 1", at(3))))
                    .isInstanceOf(SimulatedCrash.class);
            store.close();
            StoreDriver next = bench().open(sessions, JournalProbe.NONE);
            assertThat(awaiting(next)).isNull();
            Claim again = next.takeReady(ALL, 5, at(9)).getFirst();
            assertThat(awaiting(next)).isNull();
            next.awaits(again, new Awaiting(Thing.MODEL, "round 1", at(10)));
            assertThat(awaiting(next))
                    .isEqualTo(new Awaiting(Thing.MODEL, "round 1", moment == Moment.AFTER ? at(3) : at(10)));
            next.awaits(again, null);
            assertThat(awaiting(next)).isNull();
        }));
    }

    private static @Nullable Awaiting awaiting(StoreDriver store) {
        return Objects.requireNonNull(store.sessions("", null, 1).getFirst().active()).awaiting();
    }

    @TestFactory
    default Stream<DynamicTest> probeHearsOneWrite() {
        return SessionWrite.all().stream().map(write -> DynamicTest.dynamicTest(write.title(), () -> {
            var trap = new Trap();
            StoreDriver store = bench().open(bench().freshSessions(), trap);
            Claim claim = write.setUp().apply(store);
            trap.listen();
            write.act().accept(store, claim);
            assertThat(trap.heard()).containsExactly("BEFORE " + write.name(), "INSIDE " + write.name(),
                    "AFTER " + write.name());
            store.close();
        }));
    }

    @TestFactory
    default Stream<DynamicTest> interruptedWriteIsAppliedOnce() {
        return SessionWrite.all().stream().map(write -> DynamicTest.dynamicTest(write.title(), () -> {
            String expected = traces(write, true, null);
            assertThat(interrupted(write, true)).as("before").isEqualTo(expected);
            assertThat(interrupted(write, false)).as("during").isEqualTo(expected);
        }));
    }

    private String interrupted(SessionWrite write, boolean before) {
        RecordsOpening sessions = bench().freshSessions();
        var trap = new Trap();
        StoreDriver store = bench().open(sessions, trap);
        Claim claim = write.setUp().apply(store);
        Thread caller = Thread.currentThread();
        if (before) {
            caller.interrupt();
        } else {
            trap.inside(caller::interrupt);
        }
        trap.listen();
        write.act().accept(store, claim);
        assertThat(Thread.interrupted()).as("the interrupt is still set").isTrue();
        assertThat(trap.heard()).as("applied once").hasSize(3);
        store.close();
        return found(sessions);
    }

    @Test
    default void crashedStoreIsDeadAndAnotherGoesOn() {
        var trap = new Trap();
        StoreDriver store = bench().open(trap);
        StoreDriver other = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        trap.arm(Moment.INSIDE, "commit " + S + " " + 1);
        Throwable crash = catchThrowable(() -> store.commit(claim, turn(1, "a"), true, at(2)));

        assertThat(crash).isInstanceOf(SimulatedCrash.class);
        assertThat(catchThrowable(() -> store.head(S))).isSameAs(crash);
        assertThat(catchThrowable(() -> accept(store, input("c")))).isSameAs(crash);
        assertThat(catchThrowable(() -> store.state(claim.scope()))).isSameAs(crash);
        Claim again = other.takeReady(ALL, 5, at(3)).getFirst();
        assertThat(again.fence()).isEqualTo(2);
        finish(other, again, turn(1, "a", "b"));
    }
}
