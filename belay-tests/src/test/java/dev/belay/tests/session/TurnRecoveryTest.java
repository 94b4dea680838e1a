package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Architecture 5, rules 2 and 4, contract L.7, G.2, J.7: turns that another process left, that wait, that are stuck. */
class TurnRecoveryTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider tools(String... names) {
        var builder = StaticToolProvider.builder();
        for (String name : names) {
            builder.raw(tool(name, ToolEffect.READ), (arguments, context) -> name + " ran");
        }
        return builder.build();
    }

    @Test
    void aKilledTurnGoesOnWithAnotherPromptOneToolMoreAndOneLess() throws Exception {
        var model = calling(List.of(call("a", "look")), List.of(call("b", "look"), call("c", "gone")));
        bench.dying(model, Death.at(Moment.AFTER, "effect round/2 COMPLETED"),
                builder -> builder.instructions("Be short.").tools(tools("look", "gone"))).belay.session("s")
                .turn("Go.")
                .id("in")
                .submit();
        List<ModelRequest> asked = new CopyOnWriteArrayList<>();
        Belay next = bench.open(model(request -> {
            asked.add(request);
            return text("done: " + SessionBench.lastReplies(request));
        }), builder -> builder.instructions("Be long.").tools(tools("look", "new")));
        TurnResult.Ended result = next.session("s").turn("Go.").id("in").run().ended();
        assertThat(result).isInstanceOf(TurnResult.Finished.class);
        assertThat(result.rounds()).isEqualTo(3);
        assertThat(asked).as("recorded rounds are not asked again").hasSize(1);
        assertThat(asked.getFirst().messages().getFirst()).isEqualTo(Message.system("Be long."));
        assertThat(asked.getFirst().tools()).extracting(ToolSpec::name).containsExactly("look", "new");
        assertThat(result.text()).contains("look ran").contains("Error (unknown_tool)");
        assertThat(next.stuck()).isEmpty();
    }

    @Test
    void aTurnThatWaitsIsWokenByWhoeverResolves() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var asks = SessionBench.asking(tokens, ToolEffect.IDEMPOTENT);
        var model = calling(List.of(call("a", "ask")));
        Belay one = bench.open(model, builder -> builder.tools(asks).parkAfter(Duration.ZERO));
        one.session("s").turn("Go.").id("in").submit();
        String token = tokens.take();
        one.close();
        Belay two = bench.open(model, builder -> builder.tools(asks).parkAfter(Duration.ZERO));
        InputHandle handle = two.session("s").input("in").orElseThrow();
        assertThat(handle.result()).isEmpty();
        two.resolve(token, new Resolution.Ok(Json.string("yes")));
        assertThat(handle.awaitCommit().text()).isEqualTo("done: yes");
    }

    @Test
    void cancelSettlesAParkedCallAndTheTurnCommits() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var asks = SessionBench.asking(tokens, ToolEffect.IDEMPOTENT);
        Belay belay = bench.open(calling(List.of(call("a", "ask"))),
                builder -> builder.tools(asks).parkAfter(Duration.ZERO));
        InputHandle handle = belay.session("s").turn("Go.").submit();
        tokens.take();
        handle.cancel("too late");
        TurnResult.Ended result = handle.awaitCommit();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class,
                stopped -> assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.CANCELLED));
        assertThat(belay.session("s").messages().getLast().toString()).contains("Cancelled: too late");
        assertThat(belay.session("s").turn("And now?").submit().turn()).contains(2L);
    }

    /** A turn that died in each of five entries without a record. */
    private Belay stuck() throws Exception {
        var model = model(request -> calls(List.of(call("a", "look"))));
        var death = Death.at(Moment.BEFORE, "effect round/1/call/0/attempt/1 COMPLETED");
        SessionBench.Dying first = bench.dying(model, death,
                builder -> builder.tools(tools("look")));
        first.belay.session("s").turn("Go.").id("in").submit();
        first.awaitDeath();
        while (bench.dies(model, death, tools("look"))) {
            // four more like the first
        }
        return bench.open(model(request -> text("done: " + SessionBench.lastReplies(request))),
                builder -> builder.tools(tools("look")));
    }

    @Test
    void aStuckTurnIsListedAndTellsWhoWaits() throws Exception {
        Belay belay = stuck();
        assertThat(belay.stuck()).singleElement().satisfies(turn -> {
            assertThat(turn.session().value()).isEqualTo("s");
            assertThat(turn.turn()).isEqualTo(1);
            assertThat(turn.because()).contains("5 times without a new record");
        });
        assertThatThrownBy(() -> belay.session("s").input("in").orElseThrow().awaitCommit())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("session_stuck"))
                .hasMessageContaining("retry it or abandon it");
    }

    @Test
    void aStuckTurnThatIsRetriedGoesOnWhereItWas() throws Exception {
        Belay belay = stuck();
        assertThat(belay.retry(belay.stuck().getFirst())).isEqualTo(VerbResult.DONE);
        TurnResult.Ended result = belay.session("s").input("in").orElseThrow().awaitCommit();
        assertThat(result.text()).isEqualTo("done: look ran");
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void aStuckTurnThatIsAbandonedLeavesAWellFormedHistory() throws Exception {
        Belay belay = stuck();
        StuckTurn turn = belay.stuck().getFirst();
        assertThat(belay.abandon(turn, "nobody knows why")).isEqualTo(VerbResult.DONE);
        assertThat(belay.abandon(turn, "again")).isEqualTo(VerbResult.ALREADY);
        TurnResult.Ended result = belay.session("s").input("in").orElseThrow().awaitCommit();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class, stopped -> {
            assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.ABANDONED);
            assertThat(stopped.evidence()).isEqualTo(Json.of("{\"reason\":\"nobody knows why\"}"));
        });
        assertThat(((Message.ToolMessage) belay.session("s").messages().getLast()).replies()).hasSize(1);
        assertThat(belay.session("s").turn("And now?").run().ended().text()).startsWith("done: ");
    }

    @Test
    void aTurnRunsOnInAnotherProcessWhenItsOwnIsClosed() throws Exception {
        var entered = new LinkedBlockingQueue<String>();
        Belay one = bench.open(model(request -> {
            entered.add("one");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new dev.belay.model.ModelException(dev.belay.model.ModelException.Kind.INTERRUPTED,
                    "stopped");
        }), UnaryOperator.identity());
        one.session("s").turn("Go.").id("in").submit();
        entered.take();
        one.close();
        Belay two = bench.open(model(request -> text("two")), UnaryOperator.identity());
        assertThat(two.session("s").turn("Go.").id("in").run().ended().text()).isEqualTo("two");
    }
}
