package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.arrival;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.incarnation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.Arrival.Kind;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.testkit.SomeOrder;
import dev.belay.testkit.SomeOrder.Call;
import dev.belay.testkit.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Stores on the same sessions agree with {@link SessionModel}: after each of many random calls, and when callers are concurrent. */
interface SessionModelPromises extends StorePromises {

    /** The calls that one seed draws. */
    int STEPS = 250;
    /** Seeds that a usual build leaves out. */
    int MORE = 10;
    int STORES = 3;
    int CLIENTS = 6;
    /** Calls of one client. */
    int CALLS = 5;

    @TestFactory
    default Stream<DynamicTest> storesDoWhatTheModelDoes() {
        return played(1, seeds());
    }

    @TestFactory
    @Tag("deep")
    default Stream<DynamicTest> storesDoWhatTheModelDoesWithMoreSeeds() {
        return played(seeds() + 1L, seeds() + MORE);
    }

    private int seeds() {
        return Math.max(2, bench().rounds() / 2);
    }

    private Stream<DynamicTest> played(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new SessionPlayer(bench(), seed).play(STEPS)));
    }

    /** Six clients call three stores at once; the model gives the same answers in some order. */
    @Test
    default void concurrentClientsAreAnsweredAsTheModelAnswersInSomeOrder() {
        List<StoreDriver> stores = new ArrayList<>();
        for (int i = 0; i < STORES; i++) {
            stores.add(bench().open(JournalProbe.NONE));
        }
        for (long seed = 1; seed <= bench().rounds() * 2L; seed++) {
            var clock = new AtomicLong();
            List<Callable<List<Call<SessionModel>>>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                var client = new Client(stores.get(i % STORES), "s" + seed, clock,
                        new Random(seed * CLIENTS + i));
                clients.add(client::play);
            }
            List<Call<SessionModel>> calls = Together.run(clients).stream().flatMap(List::stream).toList();
            String session = "s" + seed;
            var orders = new SomeOrder<>(SessionModel::new, model -> model.picture(session));
            assertThat(orders.explains(calls)).as("seed %s, no order of %s", seed, calls).isTrue();
        }
    }

    /** Calls one store with random calls about one session. Confined to one thread. */
    final class Client {

        private static final int IDS = 6;

        private final StoreDriver store;
        private final String session;
        private final AtomicLong clock;
        private final Random random;
        private final List<Call<SessionModel>> calls = new ArrayList<>();

        Client(StoreDriver store, String session, AtomicLong clock, Random random) {
            this.store = store;
            this.session = session;
            this.clock = clock;
            this.random = random;
        }

        List<Call<SessionModel>> play() {
            var id = new SessionId(session);
            for (int i = 0; i < CALLS; i++) {
                String input = "i" + random.nextInt(IDS);
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3 -> accept(id, input);
                    case 4 -> ask("withdraw " + input, () -> "" + store.withdraw(id, input, at(1)),
                            model -> "" + model.withdraw(session, input));
                    case 5 -> ask("delete", () -> "" + store.delete(id, at(1)),
                            model -> "" + model.delete(session));
                    default -> ask("head", () -> store.head(id).map(SessionPlayer::words).orElse("not there"),
                            model -> {
                                SessionModel.Kept kept = model.session(session);
                                return kept == null ? "not there" : kept.words();
                            });
                }
            }
            return calls;
        }

        private void accept(SessionId id, String input) {
            Kind kind = random.nextInt(4) == 0 ? Kind.COMMAND : Kind.INPUT;
            String content = random.nextInt(5) == 0 ? "other" : "content";
            long expected = random.nextInt(3) == 0 ? random.nextInt(4) : -1;
            long incarnation = random.nextLong(1, Long.MAX_VALUE);
            ask("accept " + input + " " + kind + " " + content + " expecting " + expected,
                    () -> SessionPlayer.unclaimed(store.accept(id, incarnation(incarnation),
                            arrival(input, kind, content), expected, false, at(1))),
                    model -> model.accept(session, incarnation,
                            new SessionModel.Row(input, kind.name(), content, 0), expected, -1));
        }

        private void ask(String words, Callable<String> real, Function<SessionModel, String> model) {
            try {
                long begun = clock.incrementAndGet();
                String answer = real.call();
                calls.add(new Call<>(begun, clock.incrementAndGet(), answer, words, model));
            } catch (Exception e) {
                throw new AssertionError(words, e);
            }
        }
    }
}
