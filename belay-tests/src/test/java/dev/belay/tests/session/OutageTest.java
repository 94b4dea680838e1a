package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.7: a model that fails in a way that may pass. */
class OutageTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final List<List<Message>> requests = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Fails so often, then answers. */
    private Model failing(int times, UnaryOperator<ModelException> how) {
        return model(request -> {
            requests.add(request.messages());
            if (asked.incrementAndGet() <= times) {
                throw how.apply(new ModelException(Kind.UNAVAILABLE, "overloaded"));
            }
            return text("whole");
        });
    }

    private Belay open(Model model) {
        return bench.open(model, builder -> builder.time(time));
    }

    /** Runs a turn whose first try fails; time stands still until it has. */
    private TurnResult.Ended run(Belay belay) throws Exception {
        InputHandle input = belay.session("s").turn("Hello").id("in").submit();
        awaitPark(1);
        return time.during(input::awaitCommit);
    }

    private Json tried(int number) {
        return bench.record("s", 1, "round/1/try/" + number);
    }

    private static Instant at(Json record, String field) {
        return Instant.parse(record.get(field).orElseThrow().asString());
    }

    /** Waits until the turn of session s gives up its thread, and returns nothing of what it holds. */
    private void awaitPark(int times) {
        bench.awaitWriteThat(write -> write.startsWith("park ") && bench.writes()
                .stream()
                .filter(one -> one.startsWith("park "))
                .count() >= times);
    }

    @Test
    void aModelThatFailsInAWayThatMayPassIsAskedAgain() throws Exception {
        TurnResult.Ended result = run(open(failing(3, UnaryOperator.identity())));
        assertThat(result.text()).isEqualTo("whole");
        assertThat(asked).hasValue(4);
        assertThat(result.rounds()).isEqualTo(1);
        assertThat(requests.stream().map(List::size)).as("the same request").containsOnly(1);
    }

    @Test
    void eachFailedTryIsARecordWithItsDelayAndTheFirstHasTheEndOfPatience() throws Exception {
        Belay belay = open(failing(3, UnaryOperator.identity()));
        run(belay);
        Instant before = FakeTime.START;
        for (int number = 1; number <= 3; number++) {
            Json record = tried(number);
            assertThat(record.get("code").orElseThrow().asString()).isEqualTo("model_unavailable");
            Duration delay = Duration.parse(record.get("delay").orElseThrow().asString());
            assertThat(delay).isBetween(Duration.ofSeconds(1L << (number - 1)),
                    Duration.ofSeconds(1L << number));
            assertThat(at(record, "due")).isAfterOrEqualTo(before.plus(delay));
            before = at(record, "due");
        }
        assertThat(at(tried(1), "until")).isEqualTo(FakeTime.START.plus(PATIENCE));
        assertThat(tried(2).get("until")).isEmpty();
    }

    @Test
    void delaysAreDrawnAnewForEachTurn() throws Exception {
        Map<String, Integer> delays = new ConcurrentHashMap<>();
        Map<String, Integer> failures = new ConcurrentHashMap<>();
        Belay belay = open(model(request -> {
            String said = ((Message.UserMessage) request.messages().getLast()).text();
            if (failures.merge(said, 1, Integer::sum) == 1) {
                throw new ModelException(Kind.CONNECTION, "refused");
            }
            return text("whole");
        }));
        for (int i = 0; i < 8; i++) {
            String session = "s" + i;
            time.during(() -> belay.session(session).turn(session).run());
            delays.merge(bench.record(session, 1, "round/1/try/1").get("delay").orElseThrow().asString(), 1,
                    Integer::sum);
        }
        assertThat(delays).hasSizeGreaterThan(1);
    }

    @Test
    void theProvidersOwnWishToWaitIsHonoured() throws Exception {
        run(open(failing(1, e -> e.withRetryAfter(Duration.ofSeconds(90)))));
        assertThat(at(tried(1), "due")).isBetween(FakeTime.START.plusSeconds(90),
                FakeTime.START.plusSeconds(92));
    }

    @Test
    void aWishBeyondTheEndOfPatienceEndsTheTurnAtOnce() throws Exception {
        TurnResult.Ended result = open(failing(9, e -> e.withRetryAfter(Duration.ofHours(1)))).session("s")
                .turn("Hello")
                .run()
                .ended();
        assertThat(result).isInstanceOf(TurnResult.Stopped.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void theEndOfPatienceEndsTheTurnWithTheProvidersError() throws Exception {
        Belay belay = bench.open(failing(1000, UnaryOperator.identity()),
                builder -> builder.time(time).modelPatience(Duration.ofSeconds(20)));
        TurnResult.Ended result = run(belay);
        assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class, stopped -> {
            assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
            assertThat(stopped.message()).contains("overloaded");
            assertThat(stopped.evidence().get("code").orElseThrow().asString())
                    .isEqualTo("model_unavailable");
        });
        assertThat(asked.get()).isBetween(4, 7);
        assertThat(Duration.between(FakeTime.START, time.now())).isGreaterThanOrEqualTo(
                Duration.ofSeconds(20));
    }

    @Test
    void sessionAndTurnSayHowLongPatienceIs() throws Exception {
        Belay belay = open(failing(1000, UnaryOperator.identity()));
        belay.session("s").config().change(now -> now.withModelPatience(Duration.ZERO));
        assertThat(belay.session("s").turn("Hello").run()).isNotInstanceOf(TurnResult.Finished.class);
        assertThat(asked).hasValue(1);
        assertThat(belay.session("t").turn("Hello").modelPatience(Duration.ZERO).run())
                .isNotInstanceOf(TurnResult.Finished.class);
        assertThat(asked).hasValue(2);
        assertThatThrownBy(() -> belay.session("t").turn("Hello").modelPatience(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("modelPatience");
    }

    @Test
    void anErrorThatDoesNotPassEndsTheTurnAtOnce() throws Exception {
        Belay belay = open(model(request -> {
            asked.incrementAndGet();
            throw new ModelException(Kind.AUTHENTICATION, "wrong key");
        }));
        assertThat(belay.session("s").turn("Hello").run().ended().summary()).contains("wrong key");
        assertThat(asked).hasValue(1);
    }

    @Test
    void cutAnswersAreAskedForAtMostThreeTimesInARow() throws Exception {
        TurnResult.Ended result = run(open(failing(1000, e -> e.withPartial(text("half")))));
        assertThat(result).isInstanceOf(TurnResult.Stopped.class);
        assertThat(asked).hasValue(3);
        assertThat(result.usage()).as("each try once").isEqualTo(Usage.of(30, 15));
    }

    @Test
    void anOutageBetweenCutAnswersBeginsTheirCountAgain() throws Exception {
        Deque<Boolean> cuts = new ArrayDeque<>(List.of(true, true, false, true, true));
        TurnResult.Ended result = run(open(model(request -> {
            Boolean cut = cuts.poll();
            if (cut == null) {
                return text("whole");
            }
            var failure = new ModelException(Kind.CONNECTION, "broken");
            throw cut ? failure.withPartial(text("half")) : failure;
        })));
        assertThat(result.text()).isEqualTo("whole");
        assertThat(result.usage()).isEqualTo(Usage.of(50, 25));
    }

    @Test
    void noThreadIsHeldAndCancellingEndsTheTurnAtOnce() throws Exception {
        Belay belay = open(failing(1000, UnaryOperator.identity()));
        InputHandle input = belay.session("s").turn("Hello").submit();
        awaitPark(1);
        assertThat(input.cancel("enough")).isInstanceOf(CancelReceipt.Requested.class);
        TurnResult.Ended result = input.awaitCommit();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class,
                stopped -> assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.CANCELLED));
        assertThat(asked).as("time stands still").hasValue(1);
    }

    @Test
    void aNewProcessGoesOnWithTheSameDueTimes() throws Exception {
        Belay first = open(failing(1, e -> e.withRetryAfter(Duration.ofSeconds(60))));
        InputHandle input = first.session("s").turn("Hello").id("in").submit();
        awaitPark(1);
        Instant due = at(tried(1), "due");
        time.during(() -> {
            first.close();
            return 1;
        });
        time.advance(Duration.between(time.now(), due.minusMillis(1)));
        Belay second = open(failing(1, UnaryOperator.identity()));
        assertThat(second.session("s").input("in").orElseThrow().result()).isEmpty();
        assertThat(asked).hasValue(1);
        TurnResult.Ended result = time
                .during(() -> second.session("s").input("in").orElseThrow().awaitCommit());
        assertThat(result.text()).isEqualTo("whole");
        assertThat(result.unrecorded()).isZero();
        assertThat(asked).hasValue(2);
        assertThat(input.inputId()).isEqualTo("in");
    }

    @Test
    void inputsThatComeMeanwhileJoinTheTryThatAnswers() throws Exception {
        Belay belay = open(failing(1, UnaryOperator.identity()));
        InputHandle first = belay.session("s").turn("Hello").submit();
        awaitPark(1);
        InputHandle withdrawn = belay.session("s").turn("Not this").submit();
        withdrawn.cancel("never mind");
        InputHandle second = belay.session("s").turn("And this").submit();
        TurnResult.Ended result = time.during(first::awaitCommit);
        assertThat(second.awaitCommit()).isEqualTo(result);
        assertThat(requests.getFirst()).hasSize(1);
        assertThat(requests.getLast()).extracting(message -> ((Message.UserMessage) message).text())
                .containsExactly("Hello", "And this");
    }

    @Test
    void listenersHearThatTheModelIsWaitedFor() throws Exception {
        Belay belay = open(failing(1, UnaryOperator.identity()));
        List<TurnEvent> heard = new CopyOnWriteArrayList<>();
        SessionEvents events = belay.session("s").events();
        run(belay);
        for (var next = events.next(Duration.ZERO); next.isPresent(); next = events.next(Duration.ZERO)) {
            heard.add(next.get());
        }
        assertThat(heard).filteredOn(TurnEvent.ModelWaiting.class::isInstance)
                .singleElement()
                .isEqualTo(new TurnEvent.ModelWaiting(1, 1, 1, "model_unavailable", "overloaded",
                        at(tried(1), "due"), FakeTime.START.plus(PATIENCE)));
    }

    @Test
    void clientsAreAskedWithTheirOwnRetriesOff() throws Exception {
        Model single = failing(1, UnaryOperator.identity());
        Belay belay = open(new Model() {
            @Override
            public String id() {
                return "persistent";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                throw new AssertionError("asked with its own retries");
            }

            @Override
            public Model withoutRetries() {
                return single;
            }
        });
        assertThat(run(belay).text()).isEqualTo("whole");
    }

    @Test
    void aStepOfAProgramsLoopIsToldWhenToAskAgainAndDoesNotAskBefore() throws Exception {
        Belay belay = open(failing(1, UnaryOperator.identity()));
        try (OpenTurn turn = belay.session("s").begin("Hello", "in")) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> turn.step().answer())
                        .isInstanceOfSatisfying(ModelException.class, waits -> {
                            assertThat(waits.code()).isEqualTo("model_unavailable");
                            assertThat(waits.retryAfter()).contains(
                                    Duration.between(time.now(), at(tried(1), "due")));
                            assertThat(waits).hasMessageContaining(at(tried(1), "due").toString());
                        });
            }
            assertThat(asked).hasValue(1);
            time.advance(Duration.ofSeconds(2));
            turn.step().answer();
            assertThat(turn.finish().text()).isEqualTo("whole");
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void aNamedLoopIsRunAgainWhenTheModelIsDueAndIsNotStuck() throws Exception {
        Belay belay = open(failing(8, UnaryOperator.identity()));
        var done = new CountDownLatch(1);
        belay.onReady("mine", turn -> {
            turn.step().answer();
            turn.finish();
            done.countDown();
        });
        OpenTurn begun = belay.session("s").begin("Hello", "in", "mine");
        assertThatThrownBy(() -> begun.step().answer()).isInstanceOf(ModelException.class);
        begun.close();
        assertThat(belay.openTurns(null, 9)).extracting(OpenTurnState::phase)
                .containsExactly(OpenTurnState.Phase.WAITING);
        time.during(() -> {
            done.await();
            return 1;
        });
        assertThat(asked).hasValue(9);
        assertThat(belay.stuck()).isEmpty();
    }
}
