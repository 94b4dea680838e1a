package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelException;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.4: what is heard of a turn while it runs, by listeners and by readers that come back. */
class StreamTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static String word(TurnEvent event) {
        return switch (event) {
            case TurnEvent.TurnStarted started -> "turn " + started.turn();
            case TurnEvent.RoundStarted started -> "round " + started.round();
            case TurnEvent.RoundRestarted restarted -> "restarted " + restarted.round();
            case TurnEvent.ModelWaiting waiting -> "waiting " + waiting.round() + "." + waiting.attempt();
            case TurnEvent.Text text -> "text " + text.chunk();
            case TurnEvent.Reasoning reasoning -> "thought " + reasoning.chunk();
            case TurnEvent.Call(var session, long turn, CallEvent.Started started) ->
                "started " + started.call().tool();
            case TurnEvent.Call(var session, long turn, CallEvent.Progress progress) ->
                "progress " + progress.message();
            case TurnEvent.Call(var session, long turn, CallEvent.Finished finished) ->
                "finished " + finished.call().tool();
            case TurnEvent.Call(var session, long turn, CallEvent.Parked parked) -> "parked";
            case TurnEvent.Call(var session, long turn, CallEvent.InDoubt doubt) -> "in doubt";
            case TurnEvent.Plugin plugin -> plugin.name();
            case TurnEvent.RoundEnded ended -> "ended " + ended.round();
            case TurnEvent.Resting resting -> "resting " + resting.waits().size();
            case TurnEvent.Committed committed -> "committed " + committed.turn();
            case TurnEvent.Gap gap -> "gap " + gap.missed();
        };
    }

    @Test
    void aListenerHearsEverythingInOrderBeforeTheResultIsReturned() throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            context.progress().report("half");
            return "seen";
        }).build();
        var model = new ScriptedModel().call("look", "{}").then(ScriptStep.text("It is there.").chunks(6));
        Belay belay = bench.open(model, builder -> builder.tools(tools));
        List<String> heard = new ArrayList<>();
        TurnResult.Ended result = belay.session("s")
                .turn("Where?")
                .stream(event -> heard.add(word(event)))
                .ended();
        assertThat(heard).containsExactly("turn 1", "round 1", "ended 1", "started look", "progress half",
                "finished look",
                "round 2", "text It is ", "text there.", "ended 2", "committed 1");
        assertThat(result.text()).isEqualTo("It is there.");
    }

    @Test
    void aListenerThatThrowsDoesNoHarm() throws Exception {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        assertThat(belay.session("s").turn("?").stream(event -> {
            throw new IllegalStateException("a bug in a listener");
        }).ended().text()).isEqualTo("yes");
    }

    @Test
    void aListenerThatBlocksHoldsUpOnlyWhoeverWaitsForIt() throws Exception {
        var block = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                belay.session("s").turn("one").id("1").stream(event -> {
                    try {
                        block.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (belay.session("s").input("1").isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        assertThat(belay.session("s").input("1").orElseThrow().awaitCommit().text()).isEqualTo("yes");
        assertThat(belay.session("s").turn("two").run().turn()).isEqualTo(2);
        block.countDown();
        caller.join();
    }

    @Test
    void aRepeatedQuestionIsToldAsSuch() throws Exception {
        var model = new ScriptedModel()
                .then(ScriptStep.text("half")
                        .thenError(new ModelException(ModelException.Kind.CONNECTION, "broken")
                                .withRetryAfter(Duration.ZERO)))
                .reply("whole");
        var time = new FakeTime();
        Belay belay = bench.open(model, builder -> builder.time(time));
        List<String> heard = new CopyOnWriteArrayList<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                belay.session("s").turn("?").stream(event -> heard.add(word(event)));
            } catch (InterruptedException e) {
                heard.add("interrupted");
            }
        });
        time.passUntilEnd(caller);
        assertThat(heard).containsExactly("turn 1", "round 1", "text half", "waiting 1.1", "round 1",
                "restarted 1",
                "text whole", "ended 1", "committed 1");
    }

    private static List<String> all(SessionEvents events) throws InterruptedException {
        List<String> words = new ArrayList<>();
        for (Optional<TurnEvent> next = events.next(Duration.ZERO); next.isPresent(); next = events
                .next(Duration.ZERO)) {
            words.add(word(next.get()));
        }
        return words;
    }

    @Test
    void aReaderThatComesBackGoesOnWhereItWas() throws Exception {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        Session session = belay.session("s");
        SessionEvents events = session.events();
        session.turn("one").run();
        assertThat(all(events)).containsExactly("turn 1", "round 1", "ended 1", "committed 1");
        EventCursor cursor = EventCursor.parse(events.cursor().toString());
        session.turn("two").run();
        assertThat(all(session.events(cursor))).containsExactly("turn 2", "round 1", "ended 1",
                "committed 2");
    }

    @Test
    void aReaderOfAnotherProcessOrOfLongAgoIsToldOfTheGap() throws Exception {
        Belay one = bench.open(calling(), UnaryOperator.identity());
        EventCursor old = one.session("s").events().cursor();
        one.close();
        Belay two = bench.open(calling(List.of(call("a", "none"))), UnaryOperator.identity());
        assertThat(all(two.session("s").events(old))).containsExactly("gap -1");
        SessionEvents start = two.session("s").events();
        for (int i = 0; i < 1_500; i++) {
            two.session("s").turn("again").run();
        }
        List<String> words = all(start);
        assertThat(words.getFirst()).isEqualTo("gap " + (1_500 * 8 - 10_000));
        assertThat(words).hasSize(10_001);
    }
}
