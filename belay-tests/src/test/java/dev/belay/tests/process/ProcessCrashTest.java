package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.tests.session.Crashes;
import dev.belay.tests.session.Crashes.Play;
import dev.belay.tests.session.Crashes.Scenario;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Contract Q, K.3, L for whole processes: whichever write a runtime dies at, the process ends as if it had not; every event is
 * there once, every granted session is told once, and what must not be repeated is not.
 */
@Timeout(300)
class ProcessCrashTest {

    private static final Json NOTHING = Json.EMPTY_OBJECT;

    /** One process {@code p}, granted to the session {@code s}. */
    private abstract static class OneProcess implements Scenario<String> {

        final AtomicInteger runs = new AtomicInteger();

        abstract ProcessStart start();

        @Override
        public Model model() {
            return SessionBench.model(request -> SessionBench.text("heard"));
        }

        abstract BelayBuilder more(BelayBuilder builder);

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return more(builder).parkAfter(Duration.ZERO).random(new Random(7));
        }

        /** What the world does to the process. */
        void world(DurableProcess process) throws InterruptedException {
            assertThat(process.id().value()).isEqualTo("p");
        }

        static void awaitWaiting(DurableProcess process) throws InterruptedException {
            SessionBench.awaitThat("the process waits, or has ended",
                    () -> process.status() == ProcessStatus.WAITING || process.end().isPresent());
        }

        @Override
        public void begin(Belay belay) throws InterruptedException {
            DurableProcess process = belay.processes().start(start().id("p").grantTo("s"));
            try {
                world(process);
            } catch (BelayException over) {
                assertThat(over.code()).isEqualTo("process_ended");
            }
        }

        @Override
        public String end(Belay belay) throws Exception {
            DurableProcess process = belay.processes().get("p");
            String end = process.awaitEnd().summary();
            return end + "\n" + process.events(0, 99)
                    .stream()
                    .map(event -> event.place() + " " + event.type() + " " + event.payload())
                    .collect(Collectors.joining("\n")) + "\n" + notes(belay);
        }

        /** What the session is told, by a turn of its own. */
        private static List<String> notes(Belay belay) throws InterruptedException {
            belay.session("s").turn("What is new?").id("ask").run();
            return belay.session("s")
                    .messages()
                    .stream()
                    .filter(Message.UserMessage.class::isInstance)
                    .map(message -> ((Message.UserMessage) message).text())
                    .toList();
        }
    }

    private abstract static class OneTool extends OneProcess {

        abstract ToolDefinition definition();

        abstract ToolBody<Json, ?> body();

        @Override
        BelayBuilder more(BelayBuilder builder) {
            return builder.tools(StaticToolProvider.builder().raw(definition(), body()).build());
        }

        @Override
        ProcessStart start() {
            return ProcessStart.tool("act", NOTHING);
        }
    }

    private static void allEndLikeTheFirst(List<Play<String>> plays) {
        Play<String> first = plays.getFirst();
        assertThat(plays).hasSizeGreaterThan(8);
        assertThat(first.end()).contains("Note (process_ended): process p (");
        plays.forEach(play -> assertThat(play.end()).as(play.where()).isEqualTo(first.end()));
    }

    private static void allEndLikeTheFirstAfterAWait(List<Play<String>> plays) {
        allEndLikeTheFirst(plays);
        assertThat(plays).extracting(Play::where).anyMatch(where -> where.contains("write=park process/p,"));
    }

    /** Those that die between the start and the end of what must not be repeated differ in the way that they should. */
    private static void allEndLikeTheFirstUnlessStarted(List<Play<String>> plays, String otherwise) {
        Play<String> first = plays.getFirst();
        int others = 0;
        for (Play<String> play : plays) {
            boolean open = play.written().contains("effect call/0/attempt/1 STARTED")
                    && !play.written().contains("effect call/0/attempt/1 COMPLETED");
            others += open ? 1 : 0;
            if (open) {
                assertThat(play.end()).as(play.where()).startsWith(otherwise);
            } else {
                assertThat(play.end()).as(play.where()).isEqualTo(first.end());
            }
        }
        assertThat(others).isPositive();
    }

    @Test
    void aBodyThatIsRerun() throws Exception {
        allEndLikeTheFirstAfterAWait(new Crashes<String>(() -> new OneProcess() {
            @Override
            ProcessStart start() {
                return ProcessStart.body("work", Json.string("in"));
            }

            @Override
            BelayBuilder more(BelayBuilder builder) {
                ProcessBody body = (context, input) -> {
                    Json one = context.durable()
                            .run("one", input, ToolEffect.IDEMPOTENT, recorded -> Json.string("1"));
                    context.emit("page", one);
                    context.emit("page", one);
                    Json go = context.awaitSignal("go");
                    context.emit("page", go);
                    return context.durable().run("two", go, ToolEffect.READ, recorded -> recorded);
                };
                return builder.process("work", body);
            }

            @Override
            void world(DurableProcess process) throws InterruptedException {
                awaitWaiting(process);
                process.signal("go", Json.string("went"), "the only one");
            }
        }).play());
    }

    @Test
    void aBodyThatIsNeverRunAgain() throws Exception {
        List<Play<String>> plays = new Crashes<String>(() -> new OneProcess() {
            @Override
            ProcessStart start() {
                return ProcessStart.body("work", NOTHING).recovery(Recovery.NEVER);
            }

            @Override
            BelayBuilder more(BelayBuilder builder) {
                return builder.process("work", (context, input) -> Json.number(runs.incrementAndGet()));
            }

            @Override
            public String end(Belay belay) throws Exception {
                String end = super.end(belay);
                assertThat(runs.get()).as("runs").isLessThanOrEqualTo(1);
                return end;
            }
        }).play();
        allEndLikeTheFirstUnlessStarted(plays, "was abandoned: ");
    }

    @Test
    void aToolThatMayBeRepeated() throws Exception {
        allEndLikeTheFirst(new Crashes<String>(() -> new OneTool() {
            @Override
            ToolDefinition definition() {
                return tool("act", ToolEffect.IDEMPOTENT);
            }

            @Override
            ToolBody<Json, ?> body() {
                return (arguments, context) -> {
                    ((SessionToolContext) context).processEvents().emit("page", Json.number(1));
                    ((SessionToolContext) context).processEvents().emit("page", Json.number(2));
                    return "done";
                };
            }
        }).play());
    }

    @Test
    void aToolThatMustNotBeRepeated() throws Exception {
        for (Recovery recovery : List.of(Recovery.RERUN, Recovery.NEVER)) {
            List<Play<String>> plays = new Crashes<String>(() -> new OneTool() {
                @Override
                ProcessStart start() {
                    return super.start().recovery(recovery);
                }

                @Override
                ToolDefinition definition() {
                    // with NEVER it is not repeated whatever it says
                    return tool("act", recovery == Recovery.NEVER ? ToolEffect.READ : ToolEffect.ONCE);
                }

                @Override
                ToolBody<Json, ?> body() {
                    return (arguments, context) -> runs.incrementAndGet();
                }

                @Override
                public String end(Belay belay) throws Exception {
                    String end = super.end(belay);
                    assertThat(runs.get()).as("runs").isLessThanOrEqualTo(1);
                    return end;
                }
            }).play();
            allEndLikeTheFirstUnlessStarted(plays,
                    recovery == Recovery.NEVER ? "was abandoned: " : "failed: Error (in_doubt)");
        }
    }

    @Test
    void aResumableTool() throws Exception {
        allEndLikeTheFirst(new Crashes<String>(() -> new OneTool() {
            @Override
            ToolDefinition definition() {
                return tool("act", ToolEffect.IDEMPOTENT).resumable(true);
            }

            @Override
            ToolBody<Json, ?> body() {
                return (arguments, context) -> {
                    context.durable().emitProcessEvent("page", Json.number(1));
                    context.durable().sleep("nap", Duration.ofMillis(20));
                    context.durable().emitProcessEvent("page", Json.number(2));
                    return "done";
                };
            }
        }).play());
    }

    @Test
    void aTurnOfASession() throws Exception {
        allEndLikeTheFirst(new Crashes<String>(() -> new OneProcess() {
            @Override
            public Model model() {
                return calling(List.of(call("a", "look")));
            }

            @Override
            ProcessStart start() {
                return ProcessStart.turn("other", "Go.");
            }

            @Override
            BelayBuilder more(BelayBuilder builder) {
                return builder.tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                        .build());
            }

            @Override
            public String end(Belay belay) throws Exception {
                return super.end(belay) + belay.session("other").messages();
            }
        }).play());
    }

    @Test
    void externalWork() throws Exception {
        allEndLikeTheFirst(new Crashes<String>(() -> new OneProcess() {
            @Override
            ProcessStart start() {
                return ProcessStart.external("print", NOTHING);
            }

            @Override
            BelayBuilder more(BelayBuilder builder) {
                return builder;
            }

            @Override
            void world(DurableProcess process) {
                process.tell("one", "page", Json.number(1));
                process.tell("two", "page", Json.number(2));
                process.complete(Json.string("printed"));
            }
        }).play());
    }

    @Test
    void aCallThatStartsAProcessAndWaitsForIt() throws Exception {
        for (boolean resumable : List.of(false, true)) {
            allEndLikeTheFirst(new Crashes<String>(() -> new OneProcess() {
                @Override
                public Model model() {
                    return SessionBench.model(request -> {
                        boolean delegates = request.messages().getFirst().equals(Message.user("Go."));
                        boolean again = request.messages()
                                .stream()
                                .anyMatch(Message.ToolMessage.class::isInstance);
                        return delegates && !again
                                ? SessionBench.calls(List.of(call("a", "delegate")))
                                : SessionBench.text("done: " + SessionBench.lastReplies(request));
                    });
                }

                @Override
                ProcessStart start() {
                    return ProcessStart.turn("other", "Go.");
                }

                @Override
                BelayBuilder more(BelayBuilder builder) {
                    return builder.process("work", (context, input) -> {
                        context.emit("page", input);
                        return input;
                    })
                            .tools(StaticToolProvider.builder()
                                    .raw(tool("delegate", ToolEffect.IDEMPOTENT).resumable(resumable),
                                            (arguments, context) -> ((SessionToolContext) context).processes()
                                                    .start("helper",
                                                            ProcessStart.body("work", Json.string("thought")))
                                                    .awaitEnd()
                                                    .summary())
                                    .build());
                }

                @Override
                public String end(Belay belay) throws Exception {
                    String end = super.end(belay);
                    assertThat(end).startsWith("completed: done: completed: thought");
                    assertThat(belay.processes().list("other", 0, 9)).as("started once").hasSize(1);
                    return end;
                }
            }).play());
        }
    }

    @Test
    void aProcessThatIsCancelled() throws Exception {
        allEndLikeTheFirstAfterAWait(new Crashes<String>(() -> new OneProcess() {
            @Override
            ProcessStart start() {
                return ProcessStart.body("work", NOTHING);
            }

            @Override
            BelayBuilder more(BelayBuilder builder) {
                return builder.process("work", (context, input) -> context.awaitSignal("never"));
            }

            @Override
            void world(DurableProcess process) throws InterruptedException {
                awaitWaiting(process);
                process.cancel("enough");
            }
        }).play());
    }
}
