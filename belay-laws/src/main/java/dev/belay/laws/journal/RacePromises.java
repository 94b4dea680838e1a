package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.input;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.resolution;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.startedWith;
import static dev.belay.laws.journal.JournalBench.state;
import static dev.belay.laws.journal.JournalBench.status;
import static dev.belay.laws.journal.JournalBench.submit;
import static dev.belay.laws.journal.JournalBench.tryPark;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.testkit.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Concurrent operations take effect in some order (J.3, G.2, L.6). */
interface RacePromises extends JournalPromises {

    /** The journals that race: two threads on one journal, and two journals on the same records. */
    private List<StoreDriver> pair(int round) {
        StoreDriver one = bench().open();
        return List.of(one, round % 2 == 0 ? one : bench().open());
    }

    @Test
    default void wakeUpIsNeverLost() {
        for (int pairing = 0; pairing < 2; pairing++) {
            List<StoreDriver> pair = pair(pairing);
            for (int i = 0; i < bench().rounds(); i++) {
                String scope = pairing + "-" + i;
                Claim claim = start(pair.get(0), scope);
                List<Object> answers = Together.run(List.<Callable<Object>>of(
                        () -> tryPark(pair.get(0), claim, completion("w")),
                        () -> pair.get(1)
                                .resolve(id(scope), claim.incarnation(), named("w"), ok(1), false,
                                        at(3))));

                assertThat(answers.get(1)).isEqualTo(new Settlement.Accepted(null));
                boolean parked = answers.get(0).equals(new Parking.Parked());
                assertThat(answers.get(0)).isIn(new Parking.Parked(), new Parking.Again());
                assertThat(status(pair.get(0), scope)).isEqualTo(parked ? Status.READY : Status.RUNNING);
                assertThat(resolution(pair.get(0), scope, "w")).isEqualTo(ok(1));
            }
        }
    }

    @Test
    default void cancellationIsNeverMissedByAPark() {
        List<StoreDriver> pair = pair(1);
        for (int i = 0; i < bench().rounds(); i++) {
            String scope = "s" + i;
            Claim claim = start(pair.get(0), scope);
            List<Object> answers = Together.run(List.<Callable<Object>>of(
                    () -> tryPark(pair.get(0), claim, completion("w")),
                    () -> pair.get(1).cancel(id(scope), "enough", false, at(3)).receipt()));

            assertThat(answers.get(1)).isEqualTo(new CancelReceipt.Requested());
            boolean parked = answers.get(0).equals(new Parking.Parked());
            assertThat(status(pair.get(0), scope)).isEqualTo(parked ? Status.READY : Status.RUNNING);
        }
    }

    @Test
    default void oneOfManySettlementsWins() {
        List<StoreDriver> pair = pair(1);
        for (int i = 0; i < bench().rounds(); i++) {
            String scope = "s" + i;
            Claim claim = start(pair.get(0), scope);
            park(pair.get(0), claim, completion("w"));
            List<Callable<Settlement>> resolvers = IntStream.range(0, 4)
                    .<Callable<Settlement>>mapToObj(n -> () -> pair.get(n % 2)
                            .resolve(id(scope), claim.incarnation(), named("w"), ok(n), true, at(3)))
                    .toList();
            List<Settlement> answers = Together.run(resolvers);

            Resolution winner = JournalBench.present(resolution(pair.get(0), scope, "w"));
            assertThat(answers).filteredOn(Settlement.Accepted.class::isInstance)
                    .hasSize(1)
                    .allMatch(one -> ((Settlement.Accepted) one).woken() != null);
            assertThat(answers).filteredOn(new Settlement.Lost(winner)::equals).hasSize(3);
            assertThat(state(pair.get(0), scope).fence().value()).isEqualTo(2);
        }
    }

    @Test
    default void settlementAndDeadlineDoNotBothWin() {
        List<StoreDriver> pair = pair(1);
        for (int i = 0; i < bench().rounds(); i++) {
            String scope = "s" + i;
            Claim claim = start(pair.get(0), scope);
            park(pair.get(0), claim, completion("w", at(10)));
            List<Object> answers = Together.run(List.<Callable<Object>>of(
                    () -> pair.get(0)
                            .resolve(id(scope), claim.incarnation(), named("w"), ok(1), false, at(3)),
                    () -> pair.get(1).takeDue(ALL, at(10)).size()));

            boolean settled = answers.get(0).equals(new Settlement.Accepted(null));
            assertThat(answers.get(1)).isEqualTo(settled ? 0 : 1);
            assertThat(answers.get(0)).isIn(new Settlement.Accepted(null),
                    new Settlement.Lost(new Resolution.TimedOut()));
            pair.get(1).takeReady(ALL, LIMIT, at(11));
        }
    }

    @Test
    default void cancellationAndEndAreOrdered() {
        List<StoreDriver> pair = pair(1);
        for (int i = 0; i < bench().rounds(); i++) {
            String scope = "s" + i;
            Claim claim = start(pair.get(0), scope);
            List<Object> answers = Together.run(List.<Callable<Object>>of(
                    () -> pair.get(0).end(claim, RESULT, at(3)),
                    () -> pair.get(1).cancel(id(scope), "enough", true, at(3)).receipt()));

            boolean first = state(pair.get(0), scope).cancelReason() != null;
            assertThat(answers).containsExactly(true,
                    first ? new CancelReceipt.Requested() : new CancelReceipt.AlreadyEnded(RESULT));
        }
    }

    @Test
    default void scopeIsCreatedOnce() {
        List<StoreDriver> pair = pair(1);
        for (int i = 0; i < bench().rounds(); i++) {
            String scope = "s" + i;
            List<Callable<Submission>> submitters = IntStream.range(0, 4)
                    .<Callable<Submission>>mapToObj(n -> () -> pair.get(n % 2)
                            .submit(id(scope), input(scope), true, at(0)))
                    .toList();
            List<Submission> answers = Together.run(submitters);

            assertThat(answers).filteredOn(Submission.Created.class::isInstance).hasSize(1);
            assertThat(answers).filteredOn(new Submission.Known()::equals).hasSize(3);
        }
    }

    @Test
    default void scopeIsTakenOnce() {
        List<StoreDriver> pair = pair(1);
        IntStream.range(0, 40).forEach(i -> submit(pair.get(0), "s" + i));
        List<Callable<List<Claim>>> takers = IntStream.range(0, 4)
                .<Callable<List<Claim>>>mapToObj(n -> () -> takeAll(pair.get(n % 2)))
                .toList();
        List<Claim> all = new ArrayList<>();
        Together.run(takers).forEach(all::addAll);

        assertThat(all).extracting(Claim::scope).hasSize(40).doesNotHaveDuplicates();
        assertThat(all).allMatch(claim -> claim.fence() == 1);
    }

    private static List<Claim> takeAll(StoreDriver journal) {
        List<Claim> all = new ArrayList<>();
        List<Claim> some = journal.takeReady(3, LIMIT, at(1));
        while (!some.isEmpty()) {
            all.addAll(some);
            some = journal.takeReady(3, LIMIT, at(1));
        }
        return all;
    }

    @Test
    default void resourceHasOneHolder() {
        List<StoreDriver> pair = pair(1);
        for (int i = 0; i < bench().rounds(); i++) {
            String resource = "r" + i;
            List<Claim> claims = new ArrayList<>();
            for (int n = 0; n < 4; n++) {
                claims.add(start(pair.get(n % 2), i + "-" + n));
            }
            List<Callable<Written>> takers = IntStream.range(0,
                    4)
                    .<Callable<Written>>mapToObj(n -> () -> pair.get(n % 2)
                            .write(claims.get(n), startedWith("a", resource)))
                    .toList();
            List<Written> answers = Together.run(takers);

            assertThat(answers).filteredOn(one -> one.refusal() == null).hasSize(1);
            assertThat(answers).filteredOn(new Written(Refusal.BUSY, 0)::equals).hasSize(3);
        }
    }

    @Test
    default void writesOfOneThreadKeepTheirOrder() {
        StoreDriver journal = bench().open();
        List<Callable<Boolean>> writers = IntStream.range(0, 4)
                .<Callable<Boolean>>mapToObj(n -> () -> {
                    Claim claim = start(journal, "s" + n);
                    for (int i = 0; i < bench().rounds() / 4; i++) {
                        String key = "k" + i;
                        assertThat(journal.write(claim, startedWith(key, "r" + n)).refusal()).isNull();
                        assertThat(journal.write(claim, completed(key, Json.number(i))).refusal()).isNull();
                        journal.release("r" + n, claim.scope(), key);
                    }
                    return journal.end(claim, RESULT, at(9));
                })
                .toList();

        assertThat(Together.run(writers)).containsOnly(true);
        for (int n = 0; n < 4; n++) {
            assertThat(journal.effects(id("s" + n))).hasSize(bench().rounds() / 4);
        }
    }

    @Test
    default void oneRefusedWriteSpoilsNoOther() {
        StoreDriver journal = bench().open();
        Claim good = start(journal, "good");
        Claim bad = start(journal, "bad");
        journal.giveBack(bad, at(1));
        Json tooLarge = Json.string("x".repeat(64 << 20));
        List<Callable<Object>> writers = List.of(
                () -> repeat(i -> assertThat(journal.write(good, completed("k" + i, RESULT)).refusal())
                        .isNull()),
                () -> repeat(i -> assertThat(journal.write(bad, completed("k" + i, RESULT)).refusal())
                        .isEqualTo(Refusal.FENCED)),
                () -> repeat(i -> assertThat(catchThrowable(
                        () -> journal.write(good, completed("large" + i, i < 3 ? tooLarge : RESULT))))
                        .satisfies(thrown -> assertThat(thrown != null).isEqualTo(i < 3))));
        Together.run(writers);

        assertThat(journal.effects(id("bad"))).isEmpty();
        assertThat(journal.effects(id("good"))).hasSize(2 * bench().rounds() - 3);
    }

    private Object repeat(IntConsumer action) {
        IntStream.range(0, bench().rounds()).forEach(action);
        return true;
    }
}
