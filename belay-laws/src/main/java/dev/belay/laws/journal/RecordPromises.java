package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.effect;
import static dev.belay.laws.journal.JournalBench.failed;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.opening;
import static dev.belay.laws.journal.JournalBench.row;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.started;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static dev.belay.laws.journal.JournalBench.waitState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Records are written once, and read as they were written (L.1, L.9, G.1). */
interface RecordPromises extends JournalPromises {

    /** A write that was applied and took no resource. */
    Written APPLIED = new Written(null, 0);

    @Test
    default void recordIsReadAsItWasWritten() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        var full = new EffectRow("child/call/0", 7, "call", "abc", Json.of("{\"x\":1e2}"), Status.COMPLETED,
                Json.of("[1, 2.0]"), Json.of("{\"text\":\"ä\\u0000 \uD83D\uDE00\"}"), "print",
                ToolEffect.IDEMPOTENT, "account:1", claim.fence());
        var bare = new EffectRow("now", 0, "now", "", Json.NULL, Status.STARTED, null, null, null, null, null,
                claim.fence());
        assertThat(journal.write(claim, new EffectWrite(full, null, null, List.of(), at(1))))
                .isEqualTo(APPLIED);
        assertThat(journal.write(claim, new EffectWrite(bare, null, null, List.of(), at(1))))
                .isEqualTo(APPLIED);

        for (StoreDriver reader : List.of(journal, bench().open())) {
            assertThat(reader.effects(id("s"))).containsExactlyInAnyOrder(full, bare);
            assertThat(effect(reader, "s", "child/call/0").input()).hasToString("[1, 2.0]");
            assertThat(effect(reader, "s", "child/call/0").identity()).hasToString("{\"x\":1e2}");
        }
    }

    @Test
    default void aRecordIsThereOnceSomebodyHasWaitedForIt() throws InterruptedException {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        Pending<Written> writing = journal.writing(claim, completed("a", RESULT));
        var answer = new AtomicReference<Written>();

        Thread other = Thread.ofPlatform().start(() -> answer.set(writing.await()));
        other.join();

        assertThat(answer).hasValue(APPLIED);
        assertThat(effect(bench().open(), "s", "a").result()).isEqualTo(RESULT);
    }

    @Test
    default void recordsAreWrittenInTheirOrderWhoeverIsWaitedForFirst() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        Pending<Written> begins = journal.writing(claim, started("a"));
        Pending<Written> ends = journal.writing(claim, completed("a", RESULT));
        boolean over = journal.end(claim, RESULT, at(2));

        assertThat(over).isTrue();
        assertThat(ends.await()).isEqualTo(APPLIED);
        assertThat(begins.await()).isEqualTo(APPLIED);
        assertThat(effect(journal, "s", "a").status()).isEqualTo(Status.COMPLETED);
        assertThat(journal.writing(claim, started("b")).await().refusal()).isEqualTo(Refusal.FENCED);
    }

    @Test
    default void recordCarriesTheFenceOfItsClaim() {
        StoreDriver journal = bench().open();
        journal.giveBack(start(journal, "s"), at(1));
        Claim claim = takeOne(journal);
        journal.write(claim, started("a"));

        assertThat(row("a", Status.STARTED, null).fence()).isZero();
        assertThat(effect(journal, "s", "a").fence()).isEqualTo(2);
    }

    @Test
    default void startedRecordIsCompleted() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, started("a"));

        assertThat(journal.write(claim, completed("a", RESULT))).isEqualTo(APPLIED);
        assertThat(effect(journal, "s", "a").status()).isEqualTo(Status.COMPLETED);
        assertThat(effect(journal, "s", "a").result()).isEqualTo(RESULT);
        assertThat(journal.effects(id("s"))).hasSize(1);
    }

    @Test
    default void startedRecordMayBeStartedAgain() {
        StoreDriver journal = bench().open();
        Claim first = start(journal, "s");
        journal.write(first, started("a"));
        journal.giveBack(first, at(1));
        Claim second = takeOne(journal);

        assertThat(journal.write(second, started("a"))).isEqualTo(APPLIED);
        assertThat(effect(journal, "s", "a").fence()).isEqualTo(2);
    }

    @Test
    default void startedRecordMayFailOrBeInDoubt() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, started("a"));
        journal.write(claim, started("b"));
        var doubt = new EffectWrite(row("b", Status.IN_DOUBT, RESULT), null, null, List.of(), at(1));

        assertThat(journal.write(claim, failed("a"))).isEqualTo(APPLIED);
        assertThat(journal.write(claim, doubt)).isEqualTo(APPLIED);
        assertThat(effect(journal, "s", "a").status()).isEqualTo(Status.FAILED);
        assertThat(effect(journal, "s", "b").status()).isEqualTo(Status.IN_DOUBT);
    }

    @Test
    default void settledRecordStays() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        for (Status status : List.of(Status.COMPLETED, Status.FAILED, Status.IN_DOUBT)) {
            String key = status.name();
            journal.write(claim,
                    new EffectWrite(row(key, status, RESULT), null, null, List.of(), at(1)));
            EffectRow before = effect(journal, "s", key);

            assertThat(journal.write(claim, completed(key, Json.FALSE)))
                    .isEqualTo(new Written(Refusal.CONFLICT, 0));
            assertThat(journal.write(claim, started(key))).isEqualTo(new Written(Refusal.CONFLICT, 0));
            assertThat(effect(journal, "s", key)).isEqualTo(before);
        }
    }

    @Test
    default void equalKeysOfTwoScopesAreTwoRecords() {
        StoreDriver journal = bench().open();
        journal.write(start(journal, "s"), completed("a", Json.number(1)));
        journal.write(start(journal, "t"), completed("a", Json.number(2)));

        assertThat(effect(journal, "s", "a").result()).isEqualTo(Json.number(1));
        assertThat(effect(journal, "t", "a").result()).isEqualTo(Json.number(2));
    }

    @Test
    default void recordOpensWaitsInTheSameWrite() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        var wait = new OpenWait(named("w"), OpenWait.Kind.COMPLETION, at(9), "ask your boss");
        journal.write(claim, opening("a", wait));

        assertThat(journal.waits(id("s"))).containsExactly(
                new WaitState(named("w"), OpenWait.Kind.COMPLETION, at(9), "ask your boss", true, null));
        assertThat(journal.nextDue()).contains(at(9));
    }

    @Test
    default void refusedRecordOpensNoWaits() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, completed("a", RESULT));

        assertThat(journal.write(claim, opening("a", completion("w"))).refusal())
                .isEqualTo(Refusal.CONFLICT);
        assertThat(journal.waits(id("s"))).isEmpty();
    }

    @Test
    default void refusedRecordDoesNotStartTheCountAnew() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, completed("a", RESULT));
        claim = journal.reenter(claim, 5, at(1)).orElseThrow();
        journal.write(claim, completed("a", RESULT));

        assertThat(journal.reenter(claim, 5, at(1)).orElseThrow().entries()).isEqualTo(2);
    }

    @Test
    default void waitThatIsOpenedTwiceKeepsWhatItWasOpenedWith() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        var first = new OpenWait(named("w"), OpenWait.Kind.EVENT, at(9), "first");
        journal.write(claim, opening("a", first));
        journal.write(claim,
                opening("b", new OpenWait(named("w"), OpenWait.Kind.COMPLETION, at(99), "second")));

        assertThat(waitState(journal, "s", "w"))
                .isEqualTo(new WaitState(named("w"), OpenWait.Kind.EVENT, at(9), "first", true, null));
    }

    @Test
    default void firstLateResultStays() {
        StoreDriver journal = bench().open();
        start(journal, "s");
        journal.late(id("s"), "a", Json.number(1), at(3));
        journal.late(id("s"), "a", Json.number(2), at(4));
        journal.late(id("s"), "b", Json.number(3), at(5));

        assertThat(bench().open().lateResults(id("s"))).containsExactlyInAnyOrder(
                new LateResult(new EffectKey("a"), Json.number(1), at(3)),
                new LateResult(new EffectKey("b"), Json.number(3), at(5)));
    }

    @Test
    default void lateResultNeedsNoClaimAndChangesNothing() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.write(claim, completed("a", RESULT));
        one.end(claim, RESULT, at(1));
        var before = other.state(id("s"));
        other.late(id("s"), "a", Json.number(1), at(3));

        assertThat(one.lateResults(id("s"))).hasSize(1);
        assertThat(one.state(id("s"))).isEqualTo(before);
        assertThat(effect(one, "s", "a").result()).isEqualTo(RESULT);
    }

    @Test
    default void lateResultOfNoScopeIsNotKept() {
        StoreDriver journal = bench().open();
        journal.late(id("nobody"), "a", Json.number(1), at(3));

        assertThat(journal.lateResults(id("nobody"))).isEmpty();
    }

    @Test
    default void recordsOfEndedScopesGoAndTheRestStays() {
        StoreDriver journal = bench().open();
        Claim ended = start(journal, "ended");
        journal.write(ended, opening("a", completion("w")));
        journal.write(ended, completed("b", RESULT));
        journal.late(id("ended"), "a", RESULT, at(3));
        journal.end(ended, RESULT, at(10));
        Claim young = start(journal, "young");
        journal.write(young, completed("a", RESULT));
        journal.end(young, RESULT, at(20));
        journal.write(start(journal, "running"), completed("a", RESULT));
        Claim stuck = start(journal, "stuck");
        journal.write(stuck, completed("a", RESULT));
        journal.stick(stuck, "why not", at(1));

        assertThat(journal.collectEffects(at(10))).as("not before").isZero();
        assertThat(journal.collectEffects(at(20))).isEqualTo(2);
        assertThat(journal.effects(id("ended"))).isEmpty();
        assertThat(journal.state(id("ended")).orElseThrow().result()).isEqualTo(RESULT);
        assertThat(journal.waits(id("ended"))).hasSize(1);
        assertThat(journal.lateResults(id("ended"))).hasSize(1);
        for (String kept : List.of("young", "running", "stuck")) {
            assertThat(journal.effects(id(kept))).as(kept).hasSize(1);
        }
        assertThat(journal.collectEffects(at(20))).isZero();
    }
}
