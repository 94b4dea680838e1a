package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.input;
import static dev.belay.laws.journal.JournalBench.resolution;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.state;
import static dev.belay.laws.journal.JournalBench.status;
import static dev.belay.laws.journal.JournalBench.submit;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.tool.context.Fence;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scopes are accepted once, and run by one owner at a time (L.6, L.8). */
interface ScopePromises extends JournalPromises {

    @Test
    default void newScopeIsReadyUntilSomebodyTakesIt() {
        StoreDriver journal = bench().open();
        submit(journal, "s");

        assertThat(journal.state(id("s"))).contains(new ScopeState(id("s"), input("s"), Status.READY,
                new Fence(0), 0, null, null, null, null));
        Claim claim = takeOne(journal);
        assertThat(claim.scope()).isEqualTo(id("s"));
        assertThat(claim.input()).isEqualTo(input("s"));
        assertThat(claim.fence()).isEqualTo(1);
        assertThat(claim.entries()).isEqualTo(1);
        assertThat(claim.cancelReason()).isNull();
        assertThat(claim.secret()).isEqualTo(journal.currentSecret().id());
        assertThat(status(journal, "s")).isEqualTo(Status.RUNNING);
        assertThat(journal.takeReady(ALL, LIMIT, at(3))).isEmpty();
    }

    @Test
    default void newScopeCanBeOwnedAtOnce() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");

        assertThat(claim.fence()).isEqualTo(1);
        assertThat(claim.entries()).isEqualTo(1);
        assertThat(status(journal, "s")).isEqualTo(Status.RUNNING);
        assertThat(journal.takeReady(ALL, LIMIT, at(3))).isEmpty();
    }

    @Test
    default void sameInputIsTheSameScope() {
        StoreDriver journal = bench().open();
        var first = new ScopeInput("test@1", Json.of("{\"a\":1,\"b\":2.50}"));
        var again = new ScopeInput("test@1", Json.of("{ \"b\" : 2.5, \"a\" : 1 }"));
        journal.submit(id("s"), first, true, at(0));
        ScopeState before = state(journal, "s");

        assertThat(journal.submit(id("s"), again, true, at(1))).isEqualTo(new Submission.Known());
        assertThat(state(journal, "s")).isEqualTo(before);
    }

    @Test
    default void otherInputIsAConflictThatShowsTheFirst() {
        StoreDriver journal = bench().open();
        start(journal, "s");
        ScopeState before = state(journal, "s");
        var otherKind = new ScopeInput("test@2", input("s").value());

        assertThat(journal.submit(id("s"), input("t"), true, at(1)))
                .isEqualTo(new Submission.Conflict(input("s")));
        assertThat(journal.submit(id("s"), otherKind, true, at(1)))
                .isEqualTo(new Submission.Conflict(input("s")));
        assertThat(state(journal, "s")).isEqualTo(before);
    }

    @Test
    default void endedScopeIsStillKnown() {
        StoreDriver journal = bench().open();
        journal.end(start(journal, "s"), RESULT, at(1));

        assertThat(journal.submit(id("s"), input("s"), true, at(2))).isEqualTo(new Submission.Known());
        assertThat(state(journal, "s").result()).isEqualTo(RESULT);
        assertThat(state(journal, "s").isSettled()).isTrue();
    }

    @Test
    default void incarnationsDiffer() {
        StoreDriver journal = bench().open();
        assertThat(start(journal, "a").incarnation()).isNotEqualTo(start(journal, "b").incarnation());
    }

    @Test
    default void takenScopeKeepsItsIncarnationAndSecret() {
        StoreDriver journal = bench().open();
        Claim first = start(journal, "s");
        journal.rotateSecret();
        journal.giveBack(first, at(1));

        Claim second = takeOne(journal);
        assertThat(second.incarnation()).isEqualTo(first.incarnation());
        assertThat(second.secret()).isEqualTo(first.secret());
    }

    @Test
    default void scopeOfALiveOwnerIsNotTaken() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        start(one, "s");

        assertThat(one.owner()).isNotEqualTo(other.owner());
        assertThat(other.takeReady(ALL, LIMIT, at(1_000_000))).isEmpty();
    }

    @Test
    default void scopeOfADeadOwnerIsTakenWithALargerFence() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        start(one, "s");
        one.close();

        Claim claim = takeOne(other);
        assertThat(claim.fence()).isEqualTo(2);
        assertThat(claim.entries()).isEqualTo(2);
        assertThat(state(other, "s").fence()).isEqualTo(new Fence(2));
    }

    @Test
    default void ownerIsDeadToAJournalThatIsOpenedLater() {
        StoreDriver one = bench().open();
        start(one, "s");
        one.close();

        assertThat(takeOne(bench().open()).fence()).isEqualTo(2);
    }

    @Test
    default void atMostSoManyAreTaken() {
        StoreDriver journal = bench().open();
        IntStream.range(0, 5).forEach(i -> submit(journal, "s" + i));

        assertThat(journal.takeReady(3, LIMIT, at(1))).hasSize(3).doesNotHaveDuplicates();
        assertThat(journal.takeReady(0, LIMIT, at(1))).isEmpty();
        assertThat(journal.takeReady(3, LIMIT, at(1))).hasSize(2);
    }

    @Test
    default void scopeThatIsGivenBackIsReadyForAnybody() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.giveBack(claim, at(1));

        assertThat(status(one, "s")).isEqualTo(Status.READY);
        Claim next = takeOne(other);
        assertThat(next.fence()).isEqualTo(2);
        assertThat(next.entries()).isEqualTo(1);
    }

    @Test
    default void endIsTheLastThing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim,
                JournalBench.opening("a", completion("w", at(50)), event("e")));

        assertThat(journal.end(claim, RESULT, at(1))).isTrue();
        assertThat(state(journal, "s").status()).isEqualTo(Status.ENDED);
        assertThat(state(journal, "s").result()).isEqualTo(RESULT);
        assertThat(journal.takeReady(ALL, LIMIT, at(2))).isEmpty();
        assertThat(resolution(journal, "s", "w")).isInstanceOf(Resolution.Cancelled.class);
        assertThat(resolution(journal, "s", "e")).isInstanceOf(Resolution.Cancelled.class);
        assertThat(journal.nextDue()).isEmpty();
        assertThat(journal.end(claim, Json.TRUE, at(3))).isFalse();
        assertThat(state(journal, "s").result()).isEqualTo(RESULT);
    }

    @Test
    default void endMayCarryNull() {
        StoreDriver journal = bench().open();
        assertThat(journal.end(start(journal, "s"), Json.NULL, at(1))).isTrue();
        assertThat(state(journal, "s").result()).isEqualTo(Json.NULL);
    }

    @Test
    default void whatIsNotThereIsEmpty() {
        StoreDriver journal = bench().open();
        assertThat(journal.state(id("s"))).isEmpty();
        assertThat(journal.effects(id("s"))).isEmpty();
        assertThat(journal.waits(id("s"))).isEmpty();
        assertThat(journal.lateResults(id("s"))).isEmpty();
        assertThat(journal.stuck()).isEmpty();
        assertThat(journal.nextDue()).isEmpty();
        assertThat(journal.takeReady(ALL, LIMIT, at(1))).isEmpty();
        assertThat(journal.takeDue(ALL, at(1))).isEmpty();
    }

    @Test
    default void versionChangesWhenAnotherJournalWrote() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(other, "s");
        long first = one.version();
        other.write(claim, completed("a", RESULT));
        long second = one.version();
        other.end(claim, RESULT, at(1));

        assertThat(second).isNotEqualTo(first);
        assertThat(one.version()).isNotEqualTo(second);
    }

    @Test
    default void versionStaysWhenNobodyWrote() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        start(other, "s");
        long version = one.version();
        for (StoreDriver journal : List.of(one, other)) {
            journal.state(id("s"));
            journal.effects(id("s"));
            journal.waits(id("s"));
            journal.stuck();
            journal.nextDue();
            journal.currentSecret();
            journal.version();
            journal.takeReady(ALL, LIMIT, at(1));
            journal.takeDue(ALL, at(1));
            journal.collectEffects(at(1));
            journal.collectOutputs(at(1));
        }

        assertThat(one.version()).isEqualTo(version);
    }

    @Test
    default void closedJournalSaysSo() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.close();
        journal.close();

        List<Runnable> calls = List.of(() -> journal.submit(id("t"), input("t"), true, at(1)),
                () -> journal.state(id("s")), () -> journal.takeReady(1, LIMIT, at(1)),
                () -> journal.write(claim, completed("a", RESULT)), () -> journal.end(claim, RESULT, at(1)),
                () -> journal.effects(id("s")), () -> journal.nextDue(), () -> journal.version());
        for (Runnable call : calls) {
            assertThatThrownBy(call::run).isInstanceOfSatisfying(JournalException.class,
                    e -> assertThat(e.code()).isEqualTo("journal_closed"));
        }
    }
}
