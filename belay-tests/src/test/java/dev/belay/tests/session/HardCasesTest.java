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
import dev.belay.runtime.Belay;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Places where two things meet that are each simple by themselves. */
class HardCasesTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static String first(ModelRequest request) {
        return ((Message.UserMessage) request.messages().getFirst()).text();
    }

    @Test
    void everyTurnOfAChildThatAResumableBodyWaitsForIsHeardOfAlsoOneThatJoins() throws Exception {
        var mayThink = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT).resumable(true), (arguments, context) -> {
                    var child = ((SessionToolContext) context).sessions().create("helper");
                    var one = child.turn("one", "Think.");
                    var two = child.turn("two", "Think more.");
                    mayThink.countDown();
                    return one.await().turn() + " " + two.await().turn();
                })
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                .build();
        Belay belay = bench.open(model(request -> {
            if (!first(request).equals("Go.")) {
                try {
                    mayThink.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return SessionBench.roundsSinceUser(request) == 0
                        && request.messages()
                                .stream()
                                .filter(Message.UserMessage.class::isInstance)
                                .count() == 1
                                        ? calls(List.of(call("b", "look")))
                                        : text("thought");
            }
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(call("a", "delegate")))
                    : text("turns " + SessionBench.lastReplies(request));
        }), builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("turns 1 1");
    }

    @Test
    void aSerialToolThatIsGoneDoesNotMakeATurnStuck() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var asks = StaticToolProvider.builder()
                .raw(tool("ask", ToolEffect.IDEMPOTENT), (arguments, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen");
        var serial = tool("slowly", ToolEffect.READ).scheduling(Scheduling.SERIAL);
        var model = calling(List.of(call("a", "look"), call("b", "slowly")), List.of(call("c", "ask")));
        Belay one = bench.open(model, builder -> builder.tools(asks.build())
                .tools(StaticToolProvider.builder().raw(serial, (arguments, context) -> "done").build())
                .parkAfter(Duration.ZERO));
        one.session("s").turn("Go.").id("in").submit();
        String token = tokens.take();
        one.close();
        Belay two = bench.open(model, builder -> builder.tools(asks.build()).parkAfter(Duration.ZERO));
        two.resolve(token, new Resolution.Ok(Json.string("yes")));
        assertThat(two.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("done: yes");
    }

    @Test
    void aStateThatNamesAToolWithoutSourceDoesNotBrickTheSession() throws Exception {
        var offering = model(
                request -> text(String.valueOf(request.tools().stream().map(one -> one.name()).toList())));
        var look = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                .build();
        var extra = StaticToolProvider.builder()
                .raw(tool("extra", ToolEffect.READ), (arguments, context) -> "more")
                .build();
        Belay one = bench.open(offering, builder -> builder.tools(look).tools(extra));
        var states = one.session("s").admin().tools();
        states.applyState(states.state().with(new ToolId("tool:look"), Membership.ABSENT));
        one.close();
        Belay two = bench.open(offering, builder -> builder.tools(look));
        assertThat(two.session("s").turn("?").run().ended().text()).isEqualTo("[]");
        two.tools().add(extra);
        assertThat(two.session("s").turn("?").run().ended().text()).isEqualTo("[extra]");
    }

    @Test
    void closingTheRuntimeDoesNotCancelChildTurns() throws Exception {
        var childAsked = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("helper")
                                .turn("think", "Think.")
                                .await()
                                .text())
                .build();
        Belay one = bench.open(model(request -> {
            if (first(request).equals("Go.")) {
                return calls(List.of(call("a", "delegate")));
            }
            childAsked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new dev.belay.model.ModelException(dev.belay.model.ModelException.Kind.INTERRUPTED,
                    "stopped");
        }), builder -> builder.tools(tools));
        one.session("s").turn("Go.").id("in").submit();
        childAsked.await();
        one.close();
        Belay two = bench.open(model(request -> first(request).equals("Think.")
                ? text("a thought")
                : text("done: " + SessionBench.lastReplies(request))), builder -> builder.tools(tools));
        assertThat(two.session("s").turn("Go.").id("in").run().ended().text()).isEqualTo("done: a thought");
    }

    @Test
    void whoWaitsForASessionThatIsDeletedIsTold() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var asks = SessionBench.asking(tokens, ToolEffect.IDEMPOTENT);
        Belay belay = bench.open(calling(List.of(call("a", "ask"))),
                builder -> builder.tools(asks).parkAfter(Duration.ZERO));
        InputHandle handle = belay.session("s").turn("Go.").submit();
        tokens.take();
        var told = new LinkedBlockingQueue<String>();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                handle.awaitCommit();
            } catch (BelayException e) {
                told.add(e.code());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        belay.session("s").delete();
        assertThat(told.take()).isEqualTo("unknown_input");
        waiter.join();
    }

    @Test
    void anInterruptThatAModelLeavesBehindHarmsNobody() throws Exception {
        var runs = new AtomicInteger();
        var tools = StaticToolProvider.builder().raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
            runs.incrementAndGet();
            return "paid";
        }).build();
        Belay belay = bench.open(model(request -> {
            Thread.currentThread().interrupt();
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(call("a", "pay"), call("b", "pay")))
                    : text("done: " + SessionBench.lastReplies(request));
        }), builder -> builder.tools(tools));
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: paid, paid");
        assertThat(runs).hasValue(2);
    }

    @Test
    void whatABodyThatParksHasDecidedCountsWhenItIsCompleted() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var tools = StaticToolProvider.builder()
                .raw(tool("grant", ToolEffect.IDEMPOTENT), (arguments, context) -> {
                    ((SessionToolContext) context).sessions().setToolMembership(List.of("hidden"), true);
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .raw(tool("hidden", ToolEffect.READ).resident(false), (arguments, context) -> "")
                .build();
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "grant")))
                : text(String.valueOf(request.tools().stream().map(one -> one.name()).toList()))),
                builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        InputHandle handle = belay.session("s").turn("Go.").submit();
        belay.resolve(tokens.take(), new Resolution.Ok(Json.string("granted")));
        assertThat(handle.awaitCommit().text()).isEqualTo("[grant, hidden, search_tools]");
    }

    @Test
    void anAnswerThatWasAcceptedCountsAlsoWhereTheToolIsNotKnown() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var asks = SessionBench.asking(tokens, ToolEffect.ONCE);
        var model = calling(List.of(call("a", "ask")));
        Belay one = bench.open(model, builder -> builder.tools(asks).parkAfter(Duration.ZERO));
        one.session("s").turn("Go.").id("in").submit();
        String token = tokens.take();
        while (bench.writes().stream().noneMatch(write -> write.startsWith("park "))) {
            LockSupport.parkNanos(SessionBench.A_MOMENT); // a turn that only waits is entered by nobody
        }
        one.close();
        Belay hook = bench.open(model, builder -> builder.parkAfter(Duration.ZERO));
        assertThat(hook.resolve(token, new Resolution.Ok(Json.string("yes"))))
                .isInstanceOf(Delivery.Accepted.class);
        assertThat(hook.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("done: yes");
    }

    @Test
    void anInputThatARoundHasTakenCannotBeTakenBack() throws Exception {
        var belays = new Belay[1];
        var asked = new CountDownLatch(1);
        var mayAnswer = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> {
                    belays[0].session("s").turn("two").id("2").submit();
                    return "seen";
                })
                .raw(tool("hold", ToolEffect.READ), (arguments, context) -> {
                    asked.countDown();
                    mayAnswer.await();
                    return "held";
                })
                .build();
        Belay belay = bench.open(model(request -> switch (request.messages().size()) {
            case 1 -> calls(List.of(call("a", "look")));
            case 4 -> calls(List.of(call("b", "hold")));
            default -> text("done");
        }), builder -> builder.tools(tools));
        belays[0] = belay;
        InputHandle first = belay.session("s").turn("one").id("1").submit();
        asked.await();
        InputHandle second = belay.session("s").input("2").orElseThrow();
        assertThat(second.turn()).as("not marked before the commit").isEmpty();
        assertThat(second.cancel("no")).isInstanceOf(CancelReceipt.Requested.class);
        mayAnswer.countDown();
        TurnResult.Ended result = first.awaitCommit();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class,
                stopped -> assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.CANCELLED));
        assertThat(second.awaitCommit()).isEqualTo(result);
    }

    @Test
    void commandsOfATurnThatIsAbandonedWaitForTheNext() throws Exception {
        var look = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                .raw(tool("other", ToolEffect.READ), (arguments, context) -> "other")
                .build();
        var model = model(request -> calls(List.of(call("a", "look"))));
        var death = Death.at(Moment.BEFORE, "effect round/1/call/0/attempt/1 COMPLETED");
        SessionBench.Dying first = bench.dying(model, death, builder -> builder.tools(look));
        first.belay.session("s").tools().setMembership(List.of("other"), false);
        first.belay.session("s").turn("Go.").id("in").submit();
        first.awaitDeath();
        while (bench.dies(model, death, look)) {
            // four more like the first
        }
        Belay belay = bench.open(
                model(request -> text(
                        String.valueOf(request.tools().stream().map(one -> one.name()).toList()))),
                builder -> builder.tools(look));
        assertThat(belay.abandon(belay.stuck().getFirst(), "given up")).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("[look]");
        assertThatThrownBy(() -> belay.session("s").turn("other").id("in").run())
                .isInstanceOf(BelayException.class);
    }

    @Test
    void aCancelThatComesAtTheVeryBeginningIsHeard() throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", "wait"))),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(tool("wait", ToolEffect.READ), (arguments, context) -> {
                            new CountDownLatch(1).await();
                            return "never";
                        })
                        .build()));
        for (int i = 0; i < 300; i++) {
            InputHandle handle = belay.session("s" + i).turn("Go.").submit();
            handle.cancel("at once");
            assertThat(handle.awaitCommit()).isInstanceOf(TurnResult.Stopped.class);
        }
    }

    @Test
    void nothingIsKeptOfWhatNobodyUses() throws Exception {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        belay.session("s")
                .tools()
                .add(StaticToolProvider.builder()
                        .raw(tool("mine", ToolEffect.READ), (arguments, context) -> "")
                        .build());
        belay.session("s").turn("?").run();
        belay.session("s").delete();
        assertThat(belay.session("s").tools().catalog().names()).isEmpty();
    }

    @Test
    void aResultThatNoRecordHoldsIsAFailureThatTheModelReads() throws Exception {
        String deep = "[".repeat(511) + "]".repeat(511);
        var runs = new AtomicInteger();
        var tools = StaticToolProvider.builder()
                .raw(tool("deep", ToolEffect.READ), (arguments, context) -> {
                    runs.incrementAndGet();
                    return Json.of(deep);
                })
                .raw(tool("large", ToolEffect.ONCE), (arguments, context) -> {
                    runs.incrementAndGet();
                    return "x".repeat(LargeResult.LARGEST);
                })
                .build();
        Belay belay = bench.open(calling(List.of(call("a", "deep"), call("b", "large"))),
                builder -> builder.tools(tools));
        String text = belay.session("s").turn("Go.").run().ended().text();
        assertThat(text)
                .contains("Error (resource_limit): what it returned cannot be recorded: expected at most 512")
                .contains("a result has at most")
                .contains("may have happened");
        assertThat(runs).as("to do it again would not help").hasValue(2);
        assertThat(belay.stuck()).isEmpty();
    }
}
