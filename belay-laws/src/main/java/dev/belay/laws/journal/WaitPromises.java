package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.opening;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.present;
import static dev.belay.laws.journal.JournalBench.resolution;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.status;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static dev.belay.laws.journal.JournalBench.waitState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The first resolution of a wait wins, and wakes its scope if the scope can continue (J.3, J.5). */
interface WaitPromises extends JournalPromises {

    /** The wait is settled, and no scope was claimed. */
    Settlement ACCEPTED = new Settlement.Accepted(null);

    private static Settlement settle(StoreDriver journal, Claim claim, String name, Resolution value) {
        return journal.resolve(claim.scope(), claim.incarnation(), named(name), value, false, at(3));
    }

    @Test
    default void firstSettlementWins() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.write(claim, opening("a", completion("w")));

        assertThat(settle(one, claim, "w", ok(1))).isEqualTo(ACCEPTED);
        assertThat(settle(other, claim, "w", ok(2))).isEqualTo(new Settlement.Lost(ok(1)));
        assertThat(settle(one, claim, "w", new Resolution.TimedOut())).isEqualTo(new Settlement.Lost(ok(1)));
        assertThat(resolution(one, "s", "w")).isEqualTo(ok(1));
    }

    @Test
    default void equalContentLearnsTheWinnerToo() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        settle(journal, claim, "w", Resolution.ok(Json.of("{\"a\":1.0}")));

        assertThat(settle(journal, claim, "w", Resolution.ok(Json.of("{ \"a\" : 1 }"))))
                .isEqualTo(new Settlement.Lost(Resolution.ok(Json.of("{\"a\":1}"))));
    }

    @Test
    default void everyResolutionIsReadAsItWasWritten() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        var failure = new ToolFailure(ToolFailure.Kind.EXTERNAL, "bank_down", "try \"later\"",
                ToolFailure.Source.TOOL, RetryAdvice.after(Duration.ofSeconds(3)), true);
        List<Resolution> all = List.of(Resolution.ok(Json.NULL), new Resolution.Failed(failure),
                new Resolution.TimedOut(), new Resolution.Cancelled("no \uD83D\uDE00"));
        for (int i = 0; i < all.size(); i++) {
            settle(journal, claim, "w" + i, all.get(i));
            assertThat(resolution(bench().open(), "s", "w" + i)).isEqualTo(all.get(i));
        }
    }

    @Test
    default void settlementBeforeTheWaitIsKept() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");

        assertThat(settle(journal, claim, "w", ok(1))).isEqualTo(ACCEPTED);
        assertThat(waitState(journal, "s", "w").opened()).isFalse();
        assertThat(settle(journal, claim, "w", ok(2))).isEqualTo(new Settlement.Lost(ok(1)));
        journal.write(claim,
                opening("a", new OpenWait(named("w"), OpenWait.Kind.EVENT, at(9), "look here")));
        assertThat(waitState(journal, "s", "w"))
                .isEqualTo(new WaitState(named("w"), OpenWait.Kind.EVENT, at(9), "look here", true, ok(1)));
        assertThat(journal.nextDue()).as("it is settled").isEmpty();
    }

    @Test
    default void settlementBeforeTheScopeRunsIsKept() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.giveBack(claim, at(1));

        assertThat(settle(journal, claim, "w", ok(1))).isEqualTo(ACCEPTED);
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
        assertThat(resolution(journal, "s", "w")).isEqualTo(ok(1));
    }

    @Test
    default void settlementOfNoScopeIsUnknown() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");

        assertThat(journal.resolve(id("nobody"), claim.incarnation(), named("w"), ok(1), true, at(1)))
                .isEqualTo(new Settlement.Unknown());
        assertThat(journal.waits(id("nobody"))).isEmpty();
    }

    @Test
    default void settlementOfAnotherIncarnationIsUnknown() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("w"));
        var other = new Incarnation(claim.incarnation().high(), claim.incarnation().low() + 1);

        assertThat(journal.resolve(id("s"), other, named("w"), ok(1), true, at(1)))
                .isEqualTo(new Settlement.Unknown());
        assertThat(resolution(journal, "s", "w")).isNull();
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
        settle(journal, claim, "w", ok(2));
        assertThat(journal.resolve(id("s"), other, named("w"), ok(1), true, at(1)))
                .as("not even the winner is told")
                .isEqualTo(new Settlement.Unknown());
    }

    @Test
    default void settlementAfterTheEndIsLostOrUnknown() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        settle(journal, claim, "settled", ok(1));
        journal.write(claim, opening("a", completion("open")));
        journal.end(claim, RESULT, at(1));

        assertThat(settle(journal, claim, "settled", ok(2))).isEqualTo(new Settlement.Lost(ok(1)));
        assertThat(settle(journal, claim, "open", ok(2))).isInstanceOf(Settlement.Lost.class);
        assertThat(settle(journal, claim, "never", ok(2))).isEqualTo(new Settlement.Unknown());
        assertThat(journal.waits(id("s"))).hasSize(2);
        assertThat(status(journal, "s")).isEqualTo(Status.ENDED);
    }

    @Test
    default void eventWakesAtOnce() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, event("e"), event("f"), completion("c"));

        settle(journal, claim, "e", ok(1));
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
        assertThat(takeOne(journal).fence()).isEqualTo(2);
    }

    @Test
    default void lastCompletionWakes() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("a"), completion("b"), completion("c"), event("e"));

        settle(journal, claim, "b", ok(1));
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
        settle(journal, claim, "a", ok(1));
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
        settle(journal, claim, "c", ok(1));
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
    }

    @Test
    default void completionOpenedByARecordIsWaitedForToo() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", completion("a")));
        park(journal, claim, completion("b"));

        settle(journal, claim, "b", ok(1));
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
        settle(journal, claim, "a", ok(1));
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
    }

    @Test
    default void runningScopeIsNotWoken() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.write(claim, opening("a", completion("w")));

        assertThat(other.resolve(id("s"), claim.incarnation(), named("w"), ok(1), true, at(1)))
                .isEqualTo(ACCEPTED);
        assertThat(status(one, "s")).isEqualTo(Status.RUNNING);
        assertThat(one.write(claim, opening("b")).refusal()).isNull();
    }

    @Test
    default void stuckScopeStaysStuck() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", event("e")));
        journal.stick(claim, "why not", at(1));

        assertThat(journal.resolve(id("s"), claim.incarnation(), named("e"), ok(1), true, at(1)))
                .isEqualTo(ACCEPTED);
        assertThat(status(journal, "s")).isEqualTo(Status.STUCK);
        assertThat(resolution(journal, "s", "e")).isEqualTo(ok(1));
    }

    @Test
    default void wokenScopeCanBeOwnedAtOnce() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        park(one, claim, completion("a"), completion("b"));

        assertThat(other.resolve(id("s"), claim.incarnation(), named("a"), ok(1), true, at(1)))
                .isEqualTo(ACCEPTED);
        Settlement last = other.resolve(id("s"), claim.incarnation(), named("b"), ok(1), true, at(1));
        assertThat(last).isInstanceOf(Settlement.Accepted.class);
        Claim woken = present(((Settlement.Accepted) last).woken());
        assertThat(woken).isEqualTo(new Claim(id("s"), claim.input(), 2, claim.incarnation(), claim.secret(),
                1, null));
        assertThat(other.write(woken, opening("x")).refusal()).isNull();
        assertThat(one.takeReady(9, 9, at(2))).isEmpty();
    }

    @Test
    default void wokenScopeForgetsItsTime() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.park(claim, List.of(event("e")), Set.of(named("e")), false, at(50), at(1));
        assertThat(JournalBench.state(journal, "s").wakeAt()).isEqualTo(at(50));
        settle(journal, claim, "e", ok(1));

        assertThat(JournalBench.state(journal, "s").wakeAt()).isNull();
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void equalNamesOfTwoScopesAreTwoWaits() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        park(journal, one, completion("w"));
        park(journal, other, completion("w"));
        settle(journal, one, "w", ok(1));

        assertThat(status(journal, "t")).isEqualTo(Status.PARKED);
        assertThat(resolution(journal, "t", "w")).isNull();
    }

    @Test
    default void waitsSurviveTheProcess() {
        StoreDriver one = bench().open();
        Claim claim = start(one, "s");
        park(one, claim, completion("w", at(99)));
        one.close();
        StoreDriver other = bench().open();

        assertThat(status(other, "s")).isEqualTo(Status.PARKED);
        assertThat(other.takeReady(9, 9, at(1))).as("a parked scope is not taken").isEmpty();
        assertThat(other.nextDue()).contains(at(99));
        assertThat(settle(other, claim, "w", ok(1))).isEqualTo(ACCEPTED);
        assertThat(takeOne(other).fence()).isEqualTo(2);
    }

    @Test
    default void schemaOfAKeyIsKeptUntilItsWaitIsSettled() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        assertThat(one.issue(claim, named("w"), RESULT, at(2))).isTrue();
        assertThat(other.schema(id("s"), claim.incarnation(), named("w"))).contains(RESULT);
        assertThat(other.schema(id("s"), new Incarnation(1, 1), named("w"))).as("of another scope").isEmpty();
        assertThat(other.schema(id("s"), claim.incarnation(), named("x"))).isEmpty();
        park(one, claim, completion("w"));
        assertThat(other.schema(id("s"), claim.incarnation(), named("w"))).as("parked").contains(RESULT);
        assertThat(one.issue(claim, named("w"), Json.TRUE, at(2))).as("an old claim").isFalse();
        settle(other, claim, "w", ok(1));
        assertThat(one.schema(id("s"), claim.incarnation(), named("w"))).isEmpty();
        Claim again = takeOne(one);
        one.issue(again, named("w"), RESULT, at(4));
        assertThat(one.schema(id("s"), claim.incarnation(), named("w"))).as("settled").isEmpty();
        one.issue(again, named("never"), RESULT, at(4));
        one.end(again, RESULT, at(5));
        assertThat(one.schema(id("s"), claim.incarnation(), named("never"))).as("ended").isEmpty();
    }

    @Test
    default void schemaOfAKeyMayBeKeptWithTheStartOfItsCall() {
        StoreDriver one = bench().open();
        Claim claim = start(one, "s");
        var start = new EffectWrite(JournalBench.row("k", EffectRow.Status.STARTED, null), null, null,
                List.of(), null, null, List.of(), List.of(), new Effect.Issued(named("w"), RESULT),
                at(2));
        assertThat(one.write(claim, start)).isEqualTo(Written.DONE);
        assertThat(bench().open().schema(id("s"), claim.incarnation(), named("w"))).contains(RESULT);
        park(one, claim, completion("w"));
        assertThat(one.write(claim, start).refusal()).as("an old claim").isEqualTo(Refusal.FENCED);
        settle(one, claim, "w", ok(1));
        Claim again = takeOne(one);
        assertThat(one.write(again, start)).isEqualTo(Written.DONE);
        assertThat(one.schema(id("s"), claim.incarnation(), named("w"))).as("settled").isEmpty();
    }
}
