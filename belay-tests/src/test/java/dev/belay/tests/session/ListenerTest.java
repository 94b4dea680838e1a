package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.ModelException;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener over all sessions, and what events of calls carry. */
class ListenerTest {

    private record Heard(SessionId session, TurnEvent event) {}

    private final SessionBench bench = new SessionBench();
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider looking() {
        return StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "sky")
                .build();
    }

    /** The names of events up to a commit. */
    private List<String> untilCommit() throws InterruptedException {
        List<String> names = new ArrayList<>();
        while (true) {
            Heard next = heard.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("after " + names).isNotNull();
            names.add(next.session() + " " + next.event().toJson().get("event").orElseThrow().asString());
            if (next.event() instanceof TurnEvent.Committed) {
                return names;
            }
        }
    }

    @Test
    void oneListenerHearsTurnsRoundsCallsAndCommitsOfAllSessions() throws Exception {
        Belay belay = bench.open(calling(List.of(call("c", "look"))), builder -> builder.tools(looking())
                .listener((session, event) -> heard.add(new Heard(session, event))));
        for (String session : List.of("a", "b")) {
            belay.session(session).turn("Go.").run();
            assertThat(untilCommit()).containsExactly(session + " turn_started", session + " round_started",
                    session + " round_ended", session + " call_started", session + " call_finished",
                    session + " round_started", session + " round_ended", session + " committed");
        }
    }

    @Test
    void itHearsParksAndModelsThatAreWaitedFor() throws Exception {
        var time = new FakeTime();
        var asked = new AtomicInteger();
        BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
        Belay belay = bench.open(model(request -> {
            if (asked.incrementAndGet() == 1) {
                throw new ModelException(ModelException.Kind.UNAVAILABLE, "down");
            }
            return roundsSinceUser(request) == 0 ? calls(List.of(call("c", "ask"))) : text("done");
        }), builder -> builder.tools(SessionBench.asking(tokens, ToolEffect.READ))
                .time(time)
                .parkAfter(Duration.ZERO)
                .listener((session, event) -> heard.add(new Heard(session, event))));
        InputHandle input = belay.session("s").turn("Go.").submit();
        String token = time.during(tokens::take);
        belay.resolve(token, Resolution.ok(Json.TRUE));
        input.awaitCommit();
        assertThat(untilCommit()).containsSubsequence("s turn_started", "s model_waiting",
                "s round_restarted", "s call_started", "s call_parked", "s call_finished", "s committed");
    }

    @Test
    void eventsOfCallsCarrySessionTurnToolAndArguments() throws Exception {
        Belay belay = bench.open(calling(List.of(new CallPart("c", "look", "{\"at\":\"sky\"}"))),
                builder -> builder.tools(looking())
                        .listener((session, event) -> heard.add(new Heard(session, event))));
        belay.session("s").turn("Go.").run();
        List<TurnEvent.Call> events = new ArrayList<>();
        for (Heard next = heard.take(); !(next.event() instanceof TurnEvent.Committed); next = heard.take()) {
            if (next.event() instanceof TurnEvent.Call call) {
                events.add(call);
            }
        }
        assertThat(events).hasSize(2).allSatisfy(event -> {
            assertThat(event.session()).isEqualTo(new SessionId("s"));
            assertThat(event.turn()).isEqualTo(1);
            assertThat(event.event().call().tool()).isEqualTo("look");
            assertThat(event.event().call().arguments()).isEqualTo("{\"at\":\"sky\"}");
        });
        assertThat(events.getLast().event()).isInstanceOf(CallEvent.Finished.class);
    }

    @Test
    void aListenerThatBlocksOrThrowsHarmsNoTurnAndNoOtherListener() throws Exception {
        var never = new CountDownLatch(1);
        Belay belay = bench.open(calling(List.of(call("c", "look"))), builder -> builder.tools(looking())
                .listener((session, event) -> {
                    throw new IllegalStateException("deaf");
                })
                .listener((session, event) -> awaitQuietly(never))
                .listener((session, event) -> heard.add(new Heard(session, event))));
        assertThat(belay.session("s").turn("Go.").run()).isInstanceOf(TurnResult.Finished.class);
        assertThat(untilCommit()).hasSize(8);
        never.countDown();
    }

    @Test
    void runReturnsBeforeAListenerOfTheRuntimeHasHeard() throws Exception {
        var returned = new CountDownLatch(1);
        Belay belay = bench.open(calling(List.of(call("c", "look"))), builder -> builder.tools(looking())
                .listener((session, event) -> {
                    awaitQuietly(returned);
                    heard.add(new Heard(session, event));
                }));
        belay.session("s").turn("Go.").run();
        assertThat(heard).isEmpty();
        returned.countDown();
        assertThat(untilCommit()).hasSize(8);
    }

    @Test
    void streamReturnsOnceItsListenerHasHeardTheCommit() throws Exception {
        Belay belay = bench.open(calling(List.of(call("c", "look"))), builder -> builder.tools(looking()));
        List<TurnEvent> told = new CopyOnWriteArrayList<>();
        var release = new CountDownLatch(1);
        Thread turn = Thread.ofPlatform().start(() -> {
            try {
                belay.session("s").turn("Go.").stream(event -> {
                    if (event instanceof TurnEvent.Committed) {
                        heard.add(new Heard(new SessionId("s"), event));
                        awaitQuietly(release);
                    }
                    told.add(event);
                });
                heard.add(new Heard(new SessionId("returned"), told.getLast()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(heard.take().session()).isEqualTo(new SessionId("s"));
        assertThat(heard).as("stream() waits for its listener").isEmpty();
        release.countDown();
        turn.join();
        assertThat(heard.take())
                .satisfies(last -> assertThat(last.session()).isEqualTo(new SessionId("returned")))
                .satisfies(last -> assertThat(last.event()).isInstanceOf(TurnEvent.Committed.class));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
