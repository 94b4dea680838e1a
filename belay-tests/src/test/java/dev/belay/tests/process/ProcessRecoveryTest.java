package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
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

/** Contract Q and L.7: recovery is declared; processes that another runtime left, that wait, that are stuck. */
@Timeout(120)
class ProcessRecoveryTest {

    private static final Json NOTHING = Json.EMPTY_OBJECT;
    private static final ProcessId P = new ProcessId("p");

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static Model hearing() {
        return model(request -> text("heard " + request.messages().getLast()));
    }

    private static UnaryOperator<BelayBuilder> with(ProcessBody body) {
        return builder -> builder.process("work", body).parkAfter(Duration.ZERO);
    }

    private static ProcessStart work() {
        return ProcessStart.body("work", NOTHING).id("p").grantTo("s");
    }

    /** Runs the process in a runtime that dies at a write. */
    private void dies(ProcessStart start, String write, ProcessBody body) throws InterruptedException {
        SessionBench.Dying dying = bench.dying(hearing(), Death.at(Moment.AFTER, write), with(body));
        try {
            dying.belay.processes().start(start);
        } catch (StackOverflowError dead) {
            // while it was started
        }
        dying.awaitDeath();
    }

    @Test
    void rerunEntersTheBodyAgainAndAnswersItsSteps() throws Exception {
        var entries = new AtomicInteger();
        var steps = new AtomicInteger();
        ProcessBody body = (context, input) -> {
            entries.incrementAndGet();
            Json paid = context.durable()
                    .run("pay", NOTHING, recorded -> Json.number(steps.incrementAndGet()));
            context.emit("paid", paid);
            return paid;
        };
        dies(work(), "effect call/0/step/1/pay COMPLETED", body);
        DurableProcess process = bench.open(hearing(), with(body)).processes().get("p");
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.number(1)));
        assertThat(entries).hasValue(2);
        assertThat(steps).as("a step that is recorded is answered").hasValue(1);
        assertThat(process.info().recovery()).isEqualTo(Recovery.RERUN);
    }

    @Test
    void aStoreThatFailsInAStepIsNoAnswerOfTheStep() throws Exception {
        var tries = new AtomicInteger();
        Belay belay = bench.open(hearing(), with((context, input) -> {
            try {
                return context.durable().run("ask", NOTHING, ToolEffect.IDEMPOTENT, recorded -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new JournalException("the disk is full", null);
                    }
                    return Json.string("asked");
                });
            } catch (RuntimeException swallowed) {
                return Json.string("went on all the same");
            }
        }));
        assertThat(belay.processes().start(work()).awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.string("asked")));
        assertThat(tries).hasValue(2);
    }

    @Test
    void neverAbandonsWhatHadBegun() throws Exception {
        var runs = new AtomicInteger();
        ProcessBody body = (context, input) -> {
            context.emit("began", Json.number(runs.incrementAndGet()));
            return Json.NULL;
        };
        dies(work().recovery(Recovery.NEVER), "event p plain/1", body);
        Belay next = bench.open(hearing(), with(body));
        DurableProcess process = next.processes().get("p");
        assertThat(process.awaitEnd()).isInstanceOfSatisfying(ProcessEnd.Abandoned.class,
                end -> assertThat(end.reason()).contains("may have happened"));
        assertThat(process.status()).isEqualTo(ProcessStatus.ABANDONED);
        assertThat(runs).as("not run a second time").hasValue(1);
        assertThat(process.events(0, 9)).hasSize(1);
        assertThat(next.session("s").turn("?").run().ended().text())
                .contains("process p (work) was abandoned");
    }

    @Test
    void neverRunsWhatHadNotBegun() throws Exception {
        var runs = new AtomicInteger();
        ProcessBody body = (context, input) -> Json.number(runs.incrementAndGet());
        dies(work().recovery(Recovery.NEVER), "start-process p", body);
        assertThat(bench.open(hearing(), with(body)).processes().get("p").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.number(1)));
    }

    @Test
    void neverIsAbandonedWhenItsRuntimeIsClosed() throws Exception {
        var entered = new CountDownLatch(1);
        Belay one = bench.open(hearing(), with((context, input) -> {
            entered.countDown();
            new CountDownLatch(1).await();
            return Json.NULL;
        }));
        one.processes().start(work().recovery(Recovery.NEVER));
        entered.await();
        one.close();
        assertThat(bench.open(hearing(), with((context, input) -> Json.TRUE)).processes().get("p").awaitEnd())
                .isInstanceOf(ProcessEnd.Abandoned.class);
    }

    @Test
    void rerunGoesOnWhenItsRuntimeIsClosed() throws Exception {
        var entered = new CountDownLatch(1);
        Belay one = bench.open(hearing(), with((context, input) -> {
            entered.countDown();
            new CountDownLatch(1).await();
            return Json.NULL;
        }));
        one.processes().start(work());
        entered.await();
        one.close();
        assertThat(bench.open(hearing(), with((context, input) -> Json.TRUE)).processes().get("p").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void externalWaitsForWhoeverCompletesIt() throws Exception {
        Belay one = bench.open(hearing(), builder -> builder.parkAfter(Duration.ZERO));
        one.processes().start(ProcessStart.external("print", NOTHING).id("p"));
        one.close();
        Belay two = bench.open(hearing(), builder -> builder.parkAfter(Duration.ZERO));
        assertThat(two.processes().get("p").end()).isEmpty();
        assertThat(two.processes().get("p").info().recovery()).isEqualTo(Recovery.EXTERNAL);
        two.processes().get("p").complete(Json.TRUE);
        assertThat(two.processes().get("p").awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void aProcessThatWaitsGoesOnInAnotherRuntime() throws Exception {
        ProcessBody body = (context, input) -> context.awaitSignal("go");
        Belay one = bench.open(hearing(), with(body));
        one.processes().start(work());
        while (one.processes().get("p").status() != ProcessStatus.WAITING) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        one.close();
        Belay two = bench.open(hearing(), with(body));
        two.processes().get("p").signal("go", Json.string("on"));
        assertThat(two.processes().get("p").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.string("on")));
    }

    @Test
    void aSignalThatDoesNotComeInTimeIsAFailureThatTheBodySees() throws Exception {
        Belay belay = bench.open(hearing(), with((context, input) -> {
            try {
                return context.awaitSignal("go", context.durable().now("now").plusMillis(1));
            } catch (dev.belay.tool.ToolException e) {
                context.emit(e.code(), NOTHING);
                return context.awaitSignal("go");
            }
        }));
        DurableProcess process = belay.processes().start(work());
        while (process.events(0, 9).isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        process.signal("go", Json.string("late"));
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("late")));
        assertThat(process.events(0, 9)).singleElement()
                .satisfies(event -> assertThat(event.type()).isEqualTo("durable_effect_event_timeout"));
    }

    private static ProcessBody telling(String type) {
        return (context, input) -> {
            context.emit(type, NOTHING);
            context.durable().run("after", NOTHING, ToolEffect.READ, recorded -> NOTHING);
            return Json.string("here I am");
        };
    }

    /** A process whose body tells something else in the runtime that found it. */
    private Belay stuck() throws InterruptedException {
        dies(work(), "effect call/0/step/1/after COMPLETED", telling("this"));
        Belay other = bench.open(hearing(), with(telling("that")));
        while (other.processes().stuck().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        return other;
    }

    @Test
    void aProcessWhoseBodyIsNotHereWaitsForAProgramThatHasIt() throws Exception {
        ProcessBody body = (context, input) -> context.awaitSignal("go");
        dies(work(), "start-process p", body);
        Belay without = bench.open(hearing(), UnaryOperator.identity());
        without.processes().get("p").signal("go", Json.string("on"));
        without.session("other").turn("Work.").run();
        assertThat(without.processes().stuck()).isEmpty();
        Belay right = bench.open(hearing(), with(body));
        assertThat(right.processes().get("p").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.string("on")));
    }

    @Test
    void aSignalFromAProgramWithoutTheBodyWakesItWhereItIs() throws Exception {
        Belay right = bench.open(hearing(), with((context, input) -> context.awaitSignal("go")));
        DurableProcess process = right.processes().start(work());
        while (process.status() != ProcessStatus.WAITING) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        Belay without = bench.open(hearing(), UnaryOperator.identity());
        without.processes().get("p").signal("go", Json.string("on"));
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("on")));
    }

    @Test
    void aCancelledProcessIsCancelledAlsoIfItsWorkMustNotBeRepeated() throws Exception {
        var runs = new CountDownLatch(1);
        Belay belay = bench.open(hearing(), with((context, input) -> {
            runs.countDown();
            new CountDownLatch(1).await();
            return NOTHING;
        }));
        DurableProcess process = belay.processes().start(work().recovery(Recovery.NEVER));
        runs.await();
        process.cancel("enough");
        assertThat(process.awaitEnd()).isInstanceOf(ProcessEnd.Cancelled.class);
    }

    @Test
    void aStuckProcessTellsWhoWaits() throws Exception {
        Belay belay = stuck();
        assertThat(belay.processes().stuck()).singleElement().satisfies(info -> {
            assertThat(info.id()).isEqualTo(P);
            assertThat(info.status()).isEqualTo(ProcessStatus.WAITING);
            assertThat(info.stuckBecause()).contains("another event");
        });
        assertThat(belay.stuck()).as("turns only").isEmpty();
        assertThatThrownBy(() -> belay.processes().get("p").awaitEnd())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("process_stuck"))
                .hasMessageContaining("retry it or abandon it");
    }

    @Test
    void aStuckProcessThatIsRetriedGoesOn() throws Exception {
        stuck().close();
        Belay right = bench.open(hearing(), with(telling("this")));
        assertThat(right.processes().retry(P)).isEqualTo(VerbResult.DONE);
        assertThat(right.processes().get("p").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.string("here I am")));
        assertThat(right.processes().retry(P)).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(right.processes().stuck()).isEmpty();
    }

    @Test
    void aStuckProcessThatIsAbandonedTellsItsSessionsAndWhoWaits() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true),
                        (arguments, context) -> ((SessionToolContext) context).processes()
                                .get("p")
                                .awaitEnd()
                                .summary())
                .build();
        stuck().close();
        Belay belay = bench.open(model(request -> SessionBench.lastReplies(request).equals("nothing")
                ? calls(List.of(call("a", "act")))
                : text(SessionBench.lastReplies(request))),
                builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        InputHandle turn = belay.session("s").turn("Act.").submit();
        while (belay.session("s").waits().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        assertThat(belay.processes().abandon(P, "nobody knows why")).isEqualTo(VerbResult.DONE);
        assertThat(belay.processes().abandon(P, "again")).isEqualTo(VerbResult.ALREADY);
        assertThat(turn.awaitCommit().text()).isEqualTo("was abandoned: nobody knows why");
        assertThat(belay.processes().get("p").awaitEnd())
                .isEqualTo(new ProcessEnd.Abandoned("nobody knows why"));
        belay.session("s").turn("And?").run();
        assertThat(belay.session("s").messages()).filteredOn(
                message -> message.toString().contains("process p (work) was abandoned: nobody knows why"))
                .hasSize(1);
    }

    @Test
    void aFailureOfTheVirtualMachineIsNotTakenForAnAnswer() throws Exception {
        Belay belay = bench.open(hearing(), with((context, input) -> {
            throw new InternalError("broken");
        }));
        assertThat(belay.processes().start(work()).awaitEnd()).isInstanceOfSatisfying(ProcessEnd.Failed.class,
                failed -> assertThat(failed.failure().code()).isEqualTo("tool_threw"));
        assertThat(belay.processes().start(work().id("never").recovery(Recovery.NEVER)).awaitEnd())
                .isInstanceOf(ProcessEnd.Abandoned.class);
    }

    @Test
    void aWatcherThatComesWhileTheProcessEndsIsTold() throws Exception {
        var turns = new LinkedBlockingQueue<InputHandle>();
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true),
                        (arguments, context) -> ((SessionToolContext) context).processes()
                                .start("x", ProcessStart.body("work", NOTHING))
                                .awaitEnd()
                                .summary())
                .build();
        Belay belay = bench.open(model(request -> SessionBench.lastReplies(request).equals("nothing")
                ? calls(List.of(call("a", "act")))
                : text(SessionBench.lastReplies(request))),
                builder -> with((context, input) -> Json.TRUE).apply(builder).tools(tools));
        for (int i = 0; i < 100; i++) {
            turns.add(belay.session("s" + i).turn("Act.").submit());
        }
        for (InputHandle turn : turns) {
            assertThat(turn.awaitCommit().text()).isEqualTo("completed: true");
        }
        assertThat(belay.processes().list(0, 999)).extracting(ProcessInfo::status)
                .hasSize(100)
                .containsOnly(ProcessStatus.COMPLETED);
    }
}
