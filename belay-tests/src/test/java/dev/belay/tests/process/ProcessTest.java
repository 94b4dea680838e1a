package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract Q: what a process runs, who may handle it, how it stands, and how its end reaches a session. */
@Timeout(120)
class ProcessTest {

    private static final Json NOTHING = Json.EMPTY_OBJECT;

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** A runtime whose model repeats what the user has said last, notes apart, and which parks at once. */
    private Belay open(UnaryOperator<BelayBuilder> more) {
        return bench.open(model(request -> text("heard " + users(request))),
                builder -> more.apply(builder).parkAfter(Duration.ZERO));
    }

    private Belay with(ProcessBody body) {
        return open(builder -> builder.process("work", body));
    }

    private static List<String> users(ModelRequest request) {
        return request.messages()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .toList();
    }

    private static ProcessStart work() {
        return ProcessStart.body("work", NOTHING).id("p");
    }

    private static void awaitStatus(DurableProcess process, ProcessStatus status) {
        while (process.status() != status) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    @Test
    void aProcessRunsAToolCall() throws Exception {
        Belay belay = open(builder -> builder.tools(StaticToolProvider.builder()
                .raw(tool("hidden", ToolEffect.READ).visibility(Visibility.INTERNAL),
                        (arguments, context) -> "got " + arguments.compact())
                .build()));
        DurableProcess process = belay.processes()
                .start(ProcessStart.tool("hidden", Json.of("{\"n\":1}")).id("p"));
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("got {\"n\":1}")));
        assertThat(process.status()).isEqualTo(ProcessStatus.COMPLETED);
    }

    @Test
    void aProcessRunsATurnOfASession() throws Exception {
        Belay belay = open(UnaryOperator.identity());
        DurableProcess process = belay.processes().start(ProcessStart.turn("s", "Hello").id("p"));
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("heard [Hello]")));
        assertThat(belay.session("s").messages()).hasSize(2);
        belay.processes().start(ProcessStart.turn("s", "Hello").id("p")).awaitEnd();
        assertThat(belay.session("s").messages()).as("once").hasSize(2);
    }

    @Test
    void aProcessRunsARegisteredBody() throws Exception {
        Belay belay = open(builder -> builder.process("sum",
                (context, input) -> Json.number(input.get("a").orElseThrow().asInt() + 1)));
        assertThat(belay.processes().start(ProcessStart.body("sum", Json.of("{\"a\":2}"))).awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.number(3)));
    }

    @Test
    void aProcessStandsForExternalWork() throws Exception {
        Belay belay = open(UnaryOperator.identity());
        DurableProcess process = belay.processes()
                .start(ProcessStart.external("print", Json.of("{\"page\":7}")).id("p"));
        awaitStatus(process, ProcessStatus.WAITING);
        process.tell("page-1", "printed", Json.number(1));
        process.tell("page-1", "printed", Json.number(1));
        assertThat(process.complete(Json.string("done"))).isInstanceOf(Delivery.Accepted.class);
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("done")));
        assertThat(process.complete(Json.string("done"))).isInstanceOf(Delivery.Same.class);
        assertThat(process.complete(Json.string("other"))).isInstanceOf(Delivery.Lost.class);
        assertThat(process.events(0, 9)).extracting(ProcessEvent::type, ProcessEvent::payload)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("printed", Json.number(1)));
        DurableProcess failing = belay.processes().start(ProcessStart.external("print", NOTHING).id("q"));
        ToolFailure failure = ToolFailure.of(ToolFailure.Kind.EXTERNAL, "no_paper", "there is no paper");
        failing.fail(failure);
        assertThat(failing.awaitEnd()).isEqualTo(new ProcessEnd.Failed(failure));
    }

    @Test
    void statusesAreTold() throws Exception {
        var hold = new CountDownLatch(1);
        Belay belay = with((context, input) -> switch (input.asString()) {
            case "run" -> {
                hold.await();
                yield Json.NULL;
            }
            case "wait" -> context.awaitSignal("go");
            case "fail" -> throw new ToolException("it did not work");
            default -> input;
        });
        assertThat(started(belay, "complete").awaitEnd().status()).isEqualTo(ProcessStatus.COMPLETED);
        assertThat(started(belay, "fail").awaitEnd()).isEqualTo(new ProcessEnd.Failed(
                ToolFailure.of("it did not work")));
        DurableProcess running = started(belay, "run");
        assertThat(running.status()).isEqualTo(ProcessStatus.RUNNING);
        DurableProcess waiting = started(belay, "wait");
        awaitStatus(waiting, ProcessStatus.WAITING);
        assertThat(running.status()).isEqualTo(ProcessStatus.RUNNING);
        assertThat(waiting.cancel("enough")).isInstanceOf(CancelReceipt.Requested.class);
        assertThat(waiting.awaitEnd()).isEqualTo(new ProcessEnd.Cancelled("enough"));
        hold.countDown();
        assertThat(running.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.NULL));
        assertThat(belay.processes().list(0, 9)).extracting(ProcessInfo::status)
                .containsExactly(ProcessStatus.COMPLETED, ProcessStatus.FAILED, ProcessStatus.COMPLETED,
                        ProcessStatus.CANCELLED);
    }

    private static DurableProcess started(Belay belay, String how) {
        return belay.processes().start(ProcessStart.body("work", Json.string(how)).id(how));
    }

    @Test
    void startingAgainFindsTheSameProcess() throws Exception {
        var runs = new AtomicInteger();
        Belay belay = with((context, input) -> Json.number(runs.incrementAndGet()));
        assertThat(belay.processes().start(work()).awaitEnd())
                .isEqualTo(belay.processes().start(work()).awaitEnd());
        assertThat(runs).hasValue(1);
        assertThat(belay.processes().get("p").end()).contains(new ProcessEnd.Completed(Json.number(1)));
    }

    @Test
    void processesAreListedInTheOrderOfTheirStartsAndBySession() throws Exception {
        Belay belay = with((context, input) -> Json.NULL);
        for (String id : List.of("z", "a", "m")) {
            ProcessStart start = work().id(id);
            belay.processes().start(id.equals("a") ? start : start.grantTo("s")).awaitEnd();
        }
        assertThat(belay.processes().list(0, 9)).extracting(info -> info.id().value())
                .containsExactly("z", "a", "m");
        assertThat(belay.processes().list(1, 1)).extracting(info -> info.id().value()).containsExactly("a");
        assertThat(belay.processes().list("s", 0, 9)).extracting(info -> info.id().value())
                .containsExactly("z", "m");
        belay.processes().get("a").grantTo("s");
        assertThat(belay.processes().list("s", 0, 9)).hasSize(3);
    }

    @Test
    void aCancelledBodySeesItAndIsCancelledWhateverItReturns() throws Exception {
        var entered = new CountDownLatch(1);
        var seen = new LinkedBlockingQueue<String>();
        Belay belay = with((context, input) -> {
            entered.countDown();
            while (!context.cancellation().isRequested()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            seen.add(context.cancellation().reason().orElseThrow());
            return Json.string("cleaned up");
        });
        DurableProcess process = belay.processes().start(work());
        entered.await();
        process.cancel("enough");
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Cancelled("enough"));
        assertThat(seen).containsExactly("enough");
        assertThat(process.cancel("again")).isInstanceOf(CancelReceipt.AlreadyEnded.class);
    }

    @Test
    void aToolThatAnsweredBeforeTheCancellationKeepsItsOutcome() throws Exception {
        var entered = new CountDownLatch(1);
        var hold = new CountDownLatch(1);
        Belay belay = open(builder -> builder.tools(StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                    entered.countDown();
                    try {
                        hold.await();
                    } catch (InterruptedException paidAlready) {
                        return "paid";
                    }
                    return "not cancelled";
                })
                .build()));
        DurableProcess process = belay.processes().start(ProcessStart.tool("pay", NOTHING).id("p"));
        entered.await();
        process.cancel("enough");
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("paid")));
    }

    @Test
    void operatorsCancelAProcessByItsId() throws Exception {
        Belay belay = with((context, input) -> context.awaitSignal("never"));
        DurableProcess process = belay.processes().start(work());
        awaitStatus(process, ProcessStatus.WAITING);
        assertThat(belay.processes().cancel(process.id(), "enough")).isEqualTo(VerbResult.DONE);
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Cancelled("enough"));
        assertThat(belay.processes().cancel(process.id(), "again"))
                .isEqualTo(new VerbResult.NotPossible("process p has ended"));
        assertThat(belay.processes().cancel(new ProcessId("q"), "this"))
                .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                        unknown -> assertThat(unknown.reason()).contains("q"));
    }

    @Test
    void theKeyOfAProcessIsTheSameInEveryEntryAndItsFenceGrows() throws Exception {
        var keys = new LinkedBlockingQueue<String>();
        var fences = new LinkedBlockingQueue<Long>();
        Belay belay = with((context, input) -> {
            keys.add(context.idempotencyKey().value());
            fences.add(context.fence().value());
            return context.awaitSignal("go");
        });
        DurableProcess process = belay.processes().start(work());
        awaitStatus(process, ProcessStatus.WAITING);
        process.signal("go", Json.TRUE);
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.TRUE));
        assertThat(keys).hasSize(2);
        assertThat(keys.take()).matches("[0-9a-f]{64}").isEqualTo(keys.take());
        assertThat(fences.take()).isLessThan(fences.take());
    }

    @Test
    void cancellingATurnCancelsTheTurnInItsSession() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        Belay belay = bench.open(SessionBench.calling(List.of(call("a", "ask"))),
                builder -> builder.tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT))
                        .parkAfter(Duration.ZERO));
        DurableProcess process = belay.processes().start(ProcessStart.turn("s", "Go.").id("p"));
        tokens.take();
        awaitStatus(process, ProcessStatus.WAITING);
        process.cancel("enough");
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Cancelled("enough"));
        InputHandle turn = belay.session("s").input("process/p").orElseThrow();
        assertThat(turn.awaitCommit().summary()).contains("cancelled: enough");
    }

    @Test
    void aTurnWhoseSessionIsDeletedEndsItsProcess() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        Belay belay = bench.open(SessionBench.calling(List.of(call("a", "ask"))),
                builder -> builder.tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT))
                        .parkAfter(Duration.ZERO));
        DurableProcess process = belay.processes().start(ProcessStart.turn("s", "Go.").id("p"));
        tokens.take();
        awaitStatus(process, ProcessStatus.WAITING);
        belay.session("s").delete();
        assertThat(process.awaitEnd().status()).isEqualTo(ProcessStatus.CANCELLED);
        assertThat(belay.session("s").head()).as("nothing is made anew").isEmpty();
    }

    @Test
    void aTurnThatIsNotFinishedFailsItsProcess() throws Exception {
        Belay belay = bench.open(model(request -> calls(List.of(call("a", "no_such_tool")))),
                UnaryOperator.identity());
        ProcessEnd end = belay.processes().start(ProcessStart.turn("s", "Go.")).awaitEnd();
        assertThat(end).isInstanceOfSatisfying(ProcessEnd.Failed.class,
                failed -> assertThat(failed.failure().code()).isEqualTo("turn_stopped"));
    }

    @Test
    void aToolThatParksInAProcessIsCompletedByItsKey() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        Belay belay = open(builder -> builder.tools(StaticToolProvider.builder()
                .raw(tool("ask", ToolEffect.ONCE), (arguments, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .build()));
        for (Recovery recovery : List.of(Recovery.RERUN, Recovery.NEVER)) {
            DurableProcess process = belay.processes()
                    .start(ProcessStart.tool("ask", NOTHING).id(recovery.name()).recovery(recovery));
            String token = tokens.take();
            awaitStatus(process, ProcessStatus.WAITING);
            belay.resolve(token, dev.belay.runtime.effect.Resolution.ok(Json.string("yes")));
            assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("yes")));
        }
    }

    @Test
    void aWaitingProcessHoldsNoThread() throws Exception {
        Belay belay = with((context, input) -> context.awaitSignal("go"));
        for (int i = 0; i < 200; i++) {
            belay.processes().start(work().id("p" + i));
        }
        for (int i = 0; i < 200; i++) {
            awaitStatus(belay.processes().get("p" + i), ProcessStatus.WAITING);
        }
        // a scope that is parked has no owner, and so nothing of it is in this process
        assertThat(belay.processes().list(0, 999)).extracting(ProcessInfo::status)
                .hasSize(200)
                .containsOnly(ProcessStatus.WAITING);
        belay.processes().get("p7").signal("go", Json.number(7));
        assertThat(belay.processes().get("p7").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.number(7)));
    }

    @Test
    void capsOnToolsAreNotForBodies() throws Exception {
        var entered = new CountDownLatch(1);
        var hold = new CountDownLatch(1);
        Belay belay = open(builder -> builder.caps(CallCaps.NONE.withRuntime(1))
                .tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                        .build())
                .process("work", (context, input) -> {
                    entered.countDown();
                    hold.await();
                    return Json.NULL;
                }));
        DurableProcess night = belay.processes().start(work());
        entered.await();
        assertThat(belay.processes().start(ProcessStart.tool("look", NOTHING)).awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.string("seen")));
        hold.countDown();
        assertThat(night.awaitEnd().status()).isEqualTo(ProcessStatus.COMPLETED);
    }

    @Test
    void aProcessOutlivesTheSession() throws Exception {
        Belay belay = with((context, input) -> context.awaitSignal("go"));
        DurableProcess process = belay.processes().start(work().grantTo("s"));
        awaitStatus(process, ProcessStatus.WAITING);
        assertThat(belay.session("s").delete()).isEqualTo(VerbResult.DONE);
        assertThat(belay.processes().list("s", 0, 9)).isEmpty();
        process.signal("go", Json.TRUE);
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.TRUE));
        assertThat(belay.session("s").head()).isEmpty();
    }

    @Test
    void anEndIsToldAtTheNextCheckpointAndStartsNoTurn() throws Exception {
        Belay belay = with((context, input) -> Json.string("the report"));
        belay.session("s").turn("first").run();
        belay.processes().start(work().grantTo("s").grantTo("t")).awaitEnd();
        assertThat(belay.session("s").head().orElseThrow().active()).isNull();
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
        assertThat(belay.session("s").turn("second").run().ended().text()).isEqualTo(
                "heard [first, second, Note (process_ended): process p (work) completed: the report]");
        assertThat(belay.session("s").turn("third").run().ended().text()).as("once")
                .endsWith("the report, third]");
        assertThat(belay.session("t").turn("hello").run().ended().text())
                .isEqualTo("heard [hello, Note (process_ended): process p (work) completed: the report]");
    }

    @Test
    void anEndDuringATurnIsToldInItsNextRound() throws Exception {
        var belays = new Belay[1];
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            belays[0].processes().start(work().grantTo("s")).awaitEnd();
            return "seen";
        }).build();
        belays[0] = bench.open(model(request -> SessionBench.lastReplies(request).equals("nothing")
                ? calls(List.of(call("a", "look")))
                : text("heard " + users(request))),
                builder -> builder.tools(tools).process("work", (context, input) -> Json.NULL));
        assertThat(belays[0].session("s").turn("Go.").run().ended().text())
                .isEqualTo("heard [Go., Note (process_ended): process p (work) completed: null]");
        assertThat(belays[0].session("s").messages())
                .extracting(message -> message.getClass().getSimpleName())
                .containsExactly("UserMessage", "AssistantMessage", "ToolMessage", "UserMessage",
                        "AssistantMessage");
    }

    @Test
    void aLongValueIsCutInTheNote() throws Exception {
        Belay belay = with((context, input) -> Json.string("x".repeat(100_000)));
        belay.processes().start(work().grantTo("s")).awaitEnd();
        assertThat(belay.session("s").turn("?").run().ended().text()).hasSizeLessThan(2_200).contains("…");
        assertThat(belay.processes().get("p").end()).hasValueSatisfying(
                end -> assertThat(((ProcessEnd.Completed) end).value().asString()).hasSize(100_000));
    }
}
