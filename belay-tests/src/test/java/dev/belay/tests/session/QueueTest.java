package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.3, P.6: one turn at a time, and what becomes of inputs that arrive meanwhile. */
class QueueTest {

    private final SessionBench bench = new SessionBench();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayAnswer.countDown();
        bench.close();
    }

    private static List<String> heard(ModelRequest request) {
        return request.messages()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .toList();
    }

    /** Answers the first question only when it may. */
    private Belay slow() {
        return bench.open(model(request -> {
            asked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("heard " + heard(request));
        }), UnaryOperator.identity());
    }

    @Test
    void anInputThatComesTooLateForTheTurnStartsTheNext() throws Exception {
        Belay belay = slow();
        InputHandle first = belay.session("s").turn("one").id("1").submit();
        asked.await();
        InputHandle second = belay.session("s").turn("two").id("2").submit();
        assertThat(second.turn()).isEmpty();
        mayAnswer.countDown();
        assertThat(first.awaitCommit().text()).isEqualTo("heard [one]");
        TurnResult.Ended result = second.awaitCommit();
        assertThat(result.turn()).isEqualTo(2);
        assertThat(result.text()).isEqualTo("heard [one, two]");
        assertThat(result.input()).isEqualTo("2");
    }

    @Test
    void inputsThatArriveMeanwhileJoinTheNextRoundAndGetItsResult() throws Exception {
        var belays = new Belay[1];
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            belays[0].session("s").turn("two").id("2").submit();
            belays[0].session("s").turn("three").id("3").submit();
            return "seen";
        }).build();
        Belay belay = bench.open(model(request -> heard(request).size() == 1
                ? calls(List.of(call("a", "look")))
                : text("heard " + heard(request))), builder -> builder.tools(tools));
        belays[0] = belay;
        TurnResult.Ended result = belay.session("s").turn("one").id("1").run().ended();
        assertThat(result.text()).isEqualTo("heard [one, two, three]");
        assertThat(belay.session("s").input("2").orElseThrow().awaitCommit()).isEqualTo(result);
        assertThat(belay.session("s").turn("three").id("3").run()).isEqualTo(result);
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void aQueuedInputGetsATurnOfItsOwnAndNoInputJoinsPastIt() throws Exception {
        var belays = new Belay[1];
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            belays[0].session("s").turn("joins").id("2").submit();
            belays[0].session("s").turn("queues").id("3").queue().submit();
            belays[0].session("s").turn("behind").id("4").submit();
            belays[0].session("s").turn("queues too").id("5").queue().submit();
            return "seen";
        }).build();
        Belay belay = bench.open(model(request -> heard(request).size() == 1
                ? calls(List.of(call("a", "look")))
                : text("heard " + heard(request))), builder -> builder.tools(tools));
        belays[0] = belay;
        assertThat(belay.session("s").turn("one").id("1").run().ended().text())
                .isEqualTo("heard [one, joins]");
        TurnResult.Ended own = belay.session("s").input("3").orElseThrow().awaitCommit();
        assertThat(own.turn()).isEqualTo(2);
        assertThat(own.input()).isEqualTo("3");
        assertThat(own.text()).isEqualTo("heard [one, joins, queues, behind]");
        assertThat(belay.session("s").input("4").orElseThrow().awaitCommit()).isEqualTo(own);
        assertThat(belay.session("s").input("5").orElseThrow().awaitCommit().turn()).isEqualTo(3);
    }

    @Test
    void aQueuedInputInAQuietSessionStartsItsTurnAndTheSameIdMustQueueAgain() throws Exception {
        mayAnswer.countDown();
        Belay belay = slow();
        assertThat(belay.session("s").turn("one").id("1").queue().run().turn()).isEqualTo(1);
        assertThat(belay.session("s").turn("one").id("1").queue().run().turn()).isEqualTo(1);
        assertThatThrownBy(() -> belay.session("s").turn("one").id("1").submit()).extracting("code")
                .isEqualTo("input_conflict");
    }

    @Test
    void everyInputIsInExactlyOneTurnAndInOrder() throws Exception {
        Belay belay = slow();
        List<InputHandle> handles = new ArrayList<>();
        handles.add(belay.session("s").turn("0").submit());
        asked.await();
        for (int i = 1; i <= 200; i++) {
            handles.add(belay.session("s").turn(String.valueOf(i)).submit());
        }
        mayAnswer.countDown();
        for (InputHandle handle : handles) {
            handle.awaitCommit();
        }
        List<String> said = belay.session("s")
                .messages()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .toList();
        assertThat(said).hasSize(201).doesNotHaveDuplicates();
        assertThat(said.stream().map(Integer::valueOf).toList()).isSorted();
        // the first of those that waited starts the next turn, and its first round takes the rest
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(2);
    }

    @Test
    void anInputThatWaitsCanBeTakenBack() throws Exception {
        Belay belay = slow();
        InputHandle first = belay.session("s").turn("one").submit();
        asked.await();
        InputHandle second = belay.session("s").turn("two").submit();
        assertThat(second.cancel("not needed")).isInstanceOf(CancelReceipt.Requested.class);
        mayAnswer.countDown();
        first.awaitCommit();
        assertThatThrownBy(second::awaitCommit).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("unknown_input"));
        assertThat(belay.session("s").messages()).hasSize(2);
    }

    @Test
    void anInputThatAModelIsAskedWithIsNotTakenBackButEndsItsTurn() throws Exception {
        var belays = new Belay[1];
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            belays[0].session("s").turn("two").id("2").submit();
            return "seen";
        }).build();
        Belay belay = bench.open(model(request -> {
            if (heard(request).size() == 1) {
                return calls(List.of(call("a", "look")));
            }
            asked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                throw new ModelException(ModelException.Kind.INTERRUPTED, "stopped");
            }
            return text("heard " + heard(request));
        }), builder -> builder.tools(tools));
        belays[0] = belay;
        InputHandle first = belay.session("s").turn("one").id("1").submit();
        asked.await();
        InputHandle second = belay.session("s").input("2").orElseThrow();
        assertThat(second.cancel("not needed")).isInstanceOf(CancelReceipt.Requested.class);
        assertThat(first.awaitCommit().summary()).isEqualTo("the turn was cancelled: not needed");
        assertThat(second.awaitCommit()).isEqualTo(first.awaitCommit());
    }

    @Test
    void anInputOfAQuestionThatFailedIsTakenBack() throws Exception {
        var fails = new AtomicBoolean(true);
        Belay belay = bench.open(model(request -> {
            if (fails.get()) {
                throw new ModelException(ModelException.Kind.INVALID_REQUEST, "no");
            }
            return text("heard " + heard(request));
        }), UnaryOperator.identity());
        try (OpenTurn turn = belay.session("s").begin("one", "1")) {
            InputHandle second = belay.session("s").turn("two").id("2").submit();
            assertThatThrownBy(() -> turn.step().answer()).isInstanceOf(ModelException.class);
            fails.set(false);
            assertThat(second.cancel("not needed")).isInstanceOf(CancelReceipt.Requested.class);
            assertThat(turn.step().answer().toString()).contains("heard [one]");
        }
        assertThat(belay.session("s").input("2")).isEmpty();
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void sessionsDoNotWaitForEachOther() throws Exception {
        Belay belay = bench.open(model(request -> {
            if (heard(request).contains("slow")) {
                asked.countDown();
                try {
                    mayAnswer.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return text("yes");
        }), UnaryOperator.identity());
        InputHandle slow = belay.session("a").turn("slow").submit();
        asked.await();
        assertThat(belay.session("b").turn("fast").run().ended().text()).isEqualTo("yes");
        assertThat(slow.result()).isEmpty();
    }

    @Test
    void submitHoldsNothingAndTheTurnRunsWithoutAnybodyWaiting() throws Exception {
        var answered = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            answered.countDown();
            return text("yes");
        }), UnaryOperator.identity());
        belay.session("s").turn("one").id("1").submit();
        answered.await();
        assertThat(belay.session("s").input("1").orElseThrow().awaitCommit().text()).isEqualTo("yes");
        assertThat(belay.session("s").input("2")).isEmpty();
    }

    @Test
    void twoRuntimesOnOneStoreRunATurnOnce() throws Exception {
        var runs = new AtomicInteger();
        var model = model(request -> {
            runs.incrementAndGet();
            return text("heard " + heard(request));
        });
        Belay one = bench.open(model, UnaryOperator.identity());
        Belay two = bench.open(model, UnaryOperator.identity());
        assertThat(one.session("s").turn("first").id("1").run().ended().text()).isEqualTo("heard [first]");
        assertThat(two.session("s").turn("second").id("2").run().ended().text())
                .isEqualTo("heard [first, second]");
        assertThat(one.session("s").turn("third").id("3").run().ended().text())
                .isEqualTo("heard [first, second, third]");
        assertThat(two.session("s").turn("first").id("1").run().turn()).isEqualTo(1);
        assertThat(runs).hasValue(3);
    }
}
