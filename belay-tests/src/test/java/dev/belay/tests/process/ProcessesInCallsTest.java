package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract Q, T.1 and K.3: what a body does with processes, and what a tool does within one. */
@Timeout(120)
class ProcessesInCallsTest {

    private static final Json NOTHING = Json.EMPTY_OBJECT;

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private interface Body {
        Object run(SessionToolContext context) throws Exception;
    }

    private static Model acting() {
        return model(request -> SessionBench.roundsSinceUser(request) == 0
                && SessionBench.lastReplies(request).equals("nothing")
                        ? calls(List.of(call("a", "act")))
                        : text(SessionBench.lastReplies(request)));
    }

    /** The tool {@code act} for sessions and processes, and the body {@code wait} that waits for a signal. */
    private static BelayBuilder with(BelayBuilder builder, boolean resumable, Body body) {
        return builder.tools(StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(resumable),
                        (arguments, context) -> body.run((SessionToolContext) context))
                .build())
                .process("wait", (context, input) -> context.awaitSignal("go"))
                .process("echo", (context, input) -> input)
                .process("twice",
                        (context, input) -> Json.array(
                                List.of(context.awaitSignal("go"), context.awaitSignal("go"))))
                .parkAfter(Duration.ZERO);
    }

    private Belay open(boolean resumable, Body body) {
        return bench.open(acting(), builder -> with(builder, resumable, body));
    }

    @Test
    void whatIsNoIdIsNotGrantedEither() throws Exception {
        for (String id : List.of("", "a\nb", "x".repeat(500))) {
            Belay belay = open(false, context -> context.processes().get(id).status().name());
            assertThat(belay.session("s").turn("Act.").run().ended().text()).as(id)
                    .startsWith("Error (process_not_granted)");
        }
    }

    @Test
    void aProcessThatWasNotGrantedCannotBeHandled() throws Exception {
        Belay belay = open(false, context -> context.processes().get("p").status().name());
        belay.processes().start(ProcessStart.body("wait", NOTHING).id("p").grantTo("friend"));
        assertThat(belay.session("s").turn("Act.").run().ended().text())
                .startsWith("Error (process_not_granted)");
        assertThat(belay.session("friend").turn("Act.").run().ended().text()).doesNotStartWith("Error");
    }

    @Test
    void aProcessThatWasGrantedCanBeHandled() throws Exception {
        Belay belay = open(false, context -> {
            DurableProcess process = context.processes().get("p");
            process.signal("go", Json.string("from a tool"));
            return process.awaitEnd().summary() + " " + context.processes().list().size();
        });
        belay.processes().start(ProcessStart.body("wait", NOTHING).id("p").grantTo("s"));
        assertThat(belay.session("s").turn("Act.").run().ended().text())
                .isEqualTo("completed: from a tool 1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startingAgainAttaches(boolean resumable) throws Exception {
        Belay belay = open(resumable, context -> {
            ProcessStart echo = ProcessStart.body("echo", Json.number(1));
            DurableProcess first = context.processes().start("x", echo);
            DurableProcess again = context.processes().start("x", echo);
            DurableProcess other = context.processes().start("y", echo);
            return first.id().equals(again.id()) + " " + first.id().equals(other.id());
        });
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("true false");
        assertThat(belay.processes().list("s", 0, 9)).as("granted to the session that started them")
                .hasSize(2);
    }

    @Test
    void awaitInAResumableBodyParksTheTurn() throws Exception {
        var entries = new AtomicInteger();
        Belay belay = open(true, context -> {
            entries.incrementAndGet();
            DurableProcess process = context.processes().start("x", ProcessStart.body("wait", NOTHING));
            return process.awaitEnd().summary();
        });
        InputHandle turn = belay.session("s").turn("Act.").submit();
        while (belay.session("s").waits().isEmpty() || belay.processes().list("s", 0, 9).isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        DurableProcess process = belay.processes()
                .get(belay.processes().list("s", 0, 9).getFirst().id().value());
        process.signal("go", Json.string("now"));
        assertThat(turn.awaitCommit().text()).isEqualTo("completed: now");
        assertThat(entries.get()).as("entered again").isGreaterThan(1);
    }

    @Test
    void awaitOfAnEndedProcessIsAnsweredAtOnceAndMayBeRepeated() throws Exception {
        Belay belay = open(true, context -> {
            DurableProcess process = context.processes().get("p");
            return process.awaitEnd().summary() + ", " + process.awaitEnd().summary();
        });
        belay.processes().start(ProcessStart.body("echo", Json.number(7)).id("p").grantTo("s")).awaitEnd();
        assertThat(belay.session("s").turn("Act.").run().ended().text())
                .isEqualTo("completed: 7, completed: 7");
    }

    @Test
    void aSignalOfAResumableBodyIsSentOnceHoweverOftenItIsEntered() throws Exception {
        Belay belay = open(true, context -> {
            DurableProcess process = context.processes().get("p");
            process.signal("go", Json.number(1));
            context.durable().sleep("nap", Duration.ofMillis(1));
            process.signal("go", Json.number(2));
            return "sent";
        });
        DurableProcess process = belay.processes().start(ProcessStart.body("twice", NOTHING).id("p"));
        process.grantTo("s");
        belay.session("s").turn("Act.").run();
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.of("[1,2]")));
    }

    @Test
    void aProcessThatCannotBeStartedIsAFailureOfTheCall() throws Exception {
        Belay plain = open(false, context -> context.processes()
                .start("x", ProcessStart.body("nobody", NOTHING))
                .id());
        assertThat(plain.session("s").turn("Act.").run().ended().text())
                .startsWith("Error (unknown_process_body)");
        Belay resumable = open(true, context -> context.processes()
                .start("x", ProcessStart.body("nobody", NOTHING))
                .id());
        assertThat(resumable.session("t").turn("Act.").run().ended().text())
                .startsWith("Error (unknown_process_body)");
    }

    @Test
    void anEventNeedsAProcess() throws Exception {
        for (boolean resumable : List.of(false, true)) {
            Belay belay = open(resumable, context -> {
                if (resumable) {
                    context.durable().emitProcessEvent("x", NOTHING);
                } else {
                    context.processEvents().emit("x", NOTHING);
                }
                return "told";
            });
            assertThat(belay.session("s" + resumable).turn("Act.").run().ended().text())
                    .startsWith("Error (durable_effect_process_event_unavailable)");
        }
    }

    @Test
    void aToolInAProcessTellsEventsAndHasNoSession() throws Exception {
        for (boolean resumable : List.of(false, true)) {
            Belay belay = open(resumable, context -> {
                context.processEvents().emit("one", Json.number(1));
                if (resumable) {
                    context.durable().emitProcessEvent("two", Json.number(2));
                }
                try {
                    return context.sessions().current();
                } catch (ToolException e) {
                    return e.code();
                }
            });
            DurableProcess process = belay.processes()
                    .start(ProcessStart.tool("act", NOTHING).id("p" + resumable));
            assertThat(process.awaitEnd())
                    .isEqualTo(new ProcessEnd.Completed(Json.string("capability_unavailable")));
            assertThat(process.events(0, 9)).extracting(ProcessEvent::type)
                    .isEqualTo(resumable ? List.of("one", "two") : List.of("one"));
        }
    }

    @Test
    void replayDoesNotDuplicateAnEvent() throws Exception {
        var entries = new AtomicInteger();
        Body body = context -> {
            entries.incrementAndGet();
            for (int i = 0; i < 3; i++) {
                context.durable().emitProcessEvent("n", Json.number(i));
                context.durable().sleep("nap" + i, Duration.ofMillis(1));
            }
            return "done";
        };
        SessionBench.Dying dying = bench.dying(acting(), Death.at(Moment.AFTER, "event p step/1/2"),
                builder -> with(builder, true, body));
        dying.belay.processes().start(ProcessStart.tool("act", NOTHING).id("p"));
        dying.awaitDeath();
        DurableProcess process = open(true, body).processes().get("p");
        assertThat(process.awaitEnd().status()).isEqualTo(ProcessStatus.COMPLETED);
        assertThat(process.events(0, 9)).extracting(event -> event.payload().asInt())
                .containsExactly(0, 1, 2);
        assertThat(entries.get()).as("entered again").isGreaterThan(1);
        assertThat(bench.writes()).as("what was told is read, not written again")
                .doesNotContain("event p step/1/1", "event p step/1/2");
    }

    @Test
    void aBodyThatTellsSomethingElseThanBeforeIsStuck() throws Exception {
        var told = new AtomicReference<>("first");
        var waits = new LinkedBlockingQueue<String>();
        Belay belay = bench.open(acting(), builder -> builder.parkAfter(Duration.ZERO)
                .process("fickle", (context, input) -> {
                    try {
                        context.emit(told.get(), NOTHING);
                    } catch (RuntimeException swallowed) {
                        return Json.string("went on all the same");
                    }
                    waits.add("x");
                    return context.awaitSignal("go");
                }));
        DurableProcess process = belay.processes().start(ProcessStart.body("fickle", NOTHING).id("p"));
        waits.take();
        while (process.status() != ProcessStatus.WAITING) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        told.set("second");
        process.signal("go", NOTHING);
        while (belay.processes().stuck().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        assertThat(belay.processes().stuck()).singleElement()
                .satisfies(info -> assertThat(info.stuckBecause()).contains("step/1/1", "second"));
        told.set("first");
        assertThat(belay.processes().retry(process.id())).isEqualTo(VerbResult.DONE);
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(NOTHING));
    }

    @Test
    void eachAttemptOfAResumableToolTellsItsOwnEvents() throws Exception {
        var attempts = new AtomicInteger();
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true)
                        .retry(new RetryPolicy(2, Duration.ZERO, 1, Duration.ZERO)), (arguments, context) -> {
                            int attempt = attempts.incrementAndGet();
                            context.durable().emitProcessEvent("attempt", Json.number(attempt));
                            if (attempt == 1) {
                                throw new ToolException(
                                        ToolFailure.of("not yet").withRetry(RetryAdvice.ALLOWED));
                            }
                            return "done";
                        })
                .build();
        Belay belay = bench.open(acting(), builder -> builder.tools(tools));
        DurableProcess process = belay.processes().start(ProcessStart.tool("act", NOTHING).id("p"));
        assertThat(process.awaitEnd().status()).isEqualTo(ProcessStatus.COMPLETED);
        assertThat(process.events(0, 9)).extracting(event -> event.payload().asInt()).containsExactly(1, 2);
    }
}
