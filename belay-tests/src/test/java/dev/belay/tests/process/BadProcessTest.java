package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes in the hands of people who do what nobody expects. */
@Timeout(120)
class BadProcessTest {

    private static final Json NOTHING = Json.EMPTY_OBJECT;

    private final SessionBench bench = new SessionBench();
    private Belay belay;

    @BeforeEach
    void open() {
        belay = bench.open(model(request -> text("yes")),
                builder -> builder.process("echo", (context, input) -> input)
                        .process("wait", (context, input) -> context.awaitSignal("go"))
                        .process("tell", (context, input) -> {
                            context.emit("big", input);
                            return null;
                        })
                        .process("nothing", (context, input) -> null)
                        .process("never", (context, input) -> input.isNull()
                                ? context.awaitSignal("go")
                                : context.durable().run("x", input, recorded -> recorded))
                        .parkAfter(Duration.ZERO));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static void refused(String code, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BelayException.class,
                e -> {
                    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
                    assertThat(List.of(words)).allSatisfy(word -> assertThat(e).hasMessageContaining(word));
                });
    }

    private DurableProcess start(ProcessStart start) {
        return belay.processes().start(start);
    }

    private static String failure(DurableProcess process) throws InterruptedException {
        return ((ProcessEnd.Failed) process.awaitEnd()).failure().code();
    }

    @Test
    void idsWithOddCharactersAreIds() throws Exception {
        for (String id : List.of("a/b", "'; drop table process; --", "%", "_", "\uD83D\uDE00", " ",
                "ä".repeat(128),
                "../../etc", "{}", "process/1", "turn/1")) {
            assertThat(start(ProcessStart.body("echo", Json.string(id)).id(id).grantTo("s")).await()).as(id)
                    .isEqualTo(new ProcessEnd.Completed(Json.string(id)));
        }
        assertThat(belay.processes().list("s", 0, 99)).hasSize(11);
        belay.session("s").turn("?").run();
        assertThat(belay.session("s").messages()).as("one note each").hasSize(13);
    }

    @Test
    void idsThatCannotBeKeptAreRefusedWithWords() {
        for (String id : List.of("", "a\nb", "x".repeat(129), "\uD83D")) {
            assertThatThrownBy(() -> ProcessStart.body("echo", NOTHING).id(id)).as(id)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a process id has");
            assertThatThrownBy(() -> belay.processes().get(id)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void unknownThingsAreSaidToBeUnknown() throws Exception {
        refused("unknown_process_body", () -> start(ProcessStart.body("nobody", NOTHING).id("p")), "nobody",
                "echo", "wait");
        assertThat(belay.processes().list(0, 9)).as("nothing was written").isEmpty();
        refused("unknown_process", () -> belay.processes().get("p"), "p");
        assertThat(belay.processes().abandon(new ProcessId("p"), "why"))
                .isEqualTo(new VerbResult.NotPossible("there is no process p"));
        assertThat(failure(start(ProcessStart.tool("no_such_tool", NOTHING)))).isEqualTo("unknown_tool");
    }

    @Test
    void anotherContentUnderAKnownIdIsAConflict() throws Exception {
        ProcessStart first = ProcessStart.body("echo", Json.number(1)).id("p");
        start(first).await();
        refused("input_conflict", () -> start(ProcessStart.body("echo", Json.number(2)).id("p")),
                "\"input\":1");
        refused("input_conflict", () -> start(ProcessStart.body("wait", Json.number(1)).id("p")));
        refused("input_conflict", () -> start(first.recovery(Recovery.NEVER)));
        refused("input_conflict", () -> start(ProcessStart.external("echo", Json.number(1)).id("p")));
        assertThat(start(first.grantTo("s")).await()).as("grants are no content")
                .isEqualTo(new ProcessEnd.Completed(Json.number(1)));
        assertThat(belay.processes().list("s", 0, 9)).hasSize(1);
    }

    @Test
    void whatIsTooLargeOrTooDeepIsRefused() throws Exception {
        Json large = Json.string("x".repeat(1 << 20));
        Json deep = Json.of("[".repeat(200) + "]".repeat(200));
        for (Json input : List.of(large, deep)) {
            refused("resource_limit", () -> start(ProcessStart.body("echo", input).id("p")));
            refused("resource_limit", () -> start(ProcessStart.external("echo", input).id("p")));
        }
        assertThat(belay.processes().list(0, 9)).isEmpty();
        DurableProcess waiting = start(ProcessStart.body("wait", NOTHING).id("p"));
        refused("resource_limit", () -> waiting.signal("go", large));
        waiting.signal("go", NOTHING);
        Json almost = Json.string("x".repeat(500_000));
        assertThat(start(ProcessStart.body("echo", almost)).await())
                .isEqualTo(new ProcessEnd.Completed(almost));
        assertThat(failure(start(ProcessStart.body("tell", almost)))).isEqualTo("resource_limit");
        assertThat(failure(start(ProcessStart.body("tell", almost).recovery(Recovery.NEVER))))
                .isEqualTo("resource_limit");
        DurableProcess external = start(ProcessStart.external("x", NOTHING));
        assertThatThrownBy(() -> external.tell("k", "type", almost))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> external.tell("", "type", NOTHING))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> external.tell("k", "a\nb", NOTHING))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatNoRecordCouldHoldIsAFailureAndNotStuck() throws Exception {
        Json deep = Json.of("[".repeat(505) + "]".repeat(505));
        try (var other = new SessionBench()) {
            Belay digging = other.open(model(request -> text("yes")),
                    builder -> builder.process("dig", (context, input) -> deep));
            assertThat(failure(digging.processes().start(ProcessStart.body("dig", NOTHING))))
                    .isEqualTo("resource_limit");
        }
        DurableProcess external = start(ProcessStart.external("x", NOTHING));
        refused("resource_limit", () -> external.complete(deep), "depth");
        Json almost = Json.of("[".repeat(480) + "]".repeat(480));
        external.complete(almost);
        assertThat(external.awaitEnd()).isEqualTo(new ProcessEnd.Completed(almost));
    }

    @Test
    void anEndedProcessTakesNothingMore() throws Exception {
        DurableProcess process = start(ProcessStart.external("x", NOTHING));
        process.tell("k", "type", NOTHING);
        assertThat(process.complete(Json.TRUE)).isInstanceOf(Delivery.Accepted.class);
        process.awaitEnd();
        refused("process_ended", () -> process.tell("l", "type", NOTHING));
        process.tell("k", "type", NOTHING);
        refused("input_conflict", () -> process.tell("k", "other", NOTHING));
        assertThat(process.complete(Json.TRUE)).isInstanceOf(Delivery.Same.class);
        assertThat(process.fail(ToolFailure.of("no"))).isInstanceOf(Delivery.Lost.class);
        assertThat(process.cancel("late")).isInstanceOf(CancelReceipt.AlreadyEnded.class);
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.TRUE));
        DurableProcess body = start(ProcessStart.body("nothing", NOTHING));
        assertThat(body.awaitEnd()).as("null").isEqualTo(new ProcessEnd.Completed(Json.NULL));
        refused("process_ended", () -> body.signal("go", NOTHING));
        DurableProcess cancelled = start(ProcessStart.external("x", NOTHING));
        cancelled.cancel("enough");
        assertThat(cancelled.complete(Json.TRUE)).isNotInstanceOf(Delivery.Accepted.class);
        assertThat(cancelled.awaitEnd()).isEqualTo(new ProcessEnd.Cancelled("enough"));
        assertThat(cancelled.cancel("again")).isInstanceOf(CancelReceipt.AlreadyEnded.class);
    }

    @Test
    void onlyBodiesThatMayBeEnteredAgainTakeSignalsAndOnlyExternalWorkIsCompleted() throws Exception {
        DurableProcess external = start(ProcessStart.external("x", NOTHING));
        refused("process_takes_no_signals", () -> external.signal("go", NOTHING), "EXTERNAL");
        DurableProcess waiting = start(ProcessStart.body("wait", NOTHING));
        refused("process_not_external", () -> waiting.complete(NOTHING));
        refused("process_not_external", () -> waiting.fail(ToolFailure.of("no")));
        refused("process_not_external", () -> waiting.tell("k", "t", NOTHING));
        assertThatThrownBy(() -> waiting.signal("", NOTHING)).isInstanceOf(IllegalArgumentException.class);
        for (Json input : List.of(NOTHING, Json.NULL)) {
            assertThat(failure(start(ProcessStart.body("never", input).recovery(Recovery.NEVER))))
                    .isEqualTo("durable_effects_unavailable");
        }
    }

    @Test
    void recoveriesThatMakeNoSenseAreRefused() {
        for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                () -> ProcessStart.turn("s", "?").recovery(Recovery.NEVER),
                () -> ProcessStart.external("x", NOTHING).recovery(Recovery.RERUN),
                () -> ProcessStart.body("echo", NOTHING).recovery(Recovery.EXTERNAL),
                () -> ProcessStart.tool("x", NOTHING).recovery(Recovery.EXTERNAL))) {
            assertThatThrownBy(wrong).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("recovery");
        }
    }

    @Test
    void bodiesAreNamedOnce() {
        var builder = Belay.builder().process("a", (context, input) -> input);
        refused("duplicate_process_body", () -> builder.process("a", (context, input) -> input), "a");
        for (String name : List.of("", "a b", "x".repeat(65), "ä")) {
            assertThatThrownBy(() -> builder.process(name, (context, input) -> input)).as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void signalsFromAllSidesAreEachGotOnce() throws Exception {
        int many = 40;
        try (var other = new SessionBench()) {
            Belay counting = other.open(model(request -> text("yes")), builder -> builder.process("count",
                    (context, input) -> Json.array(
                            IntStream.range(0, many).mapToObj(i -> context.awaitSignal("n")).toList()))
                    .parkAfter(Duration.ZERO));
            DurableProcess process = counting.processes().start(ProcessStart.body("count", NOTHING));
            List<Thread> senders = IntStream.range(0, many)
                    .mapToObj(i -> Thread.ofVirtual().start(() -> process.signal("n", Json.number(i))))
                    .toList();
            for (Thread sender : senders) {
                sender.join();
            }
            ProcessEnd.Completed end = (ProcessEnd.Completed) process.awaitEnd();
            assertThat(end.value().items()).extracting(Json::asInt)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, many).boxed().toList());
        }
    }

    @Test
    void inputOfATurnThatIsTakenByAnotherIsAFailure() throws Exception {
        belay.session("s").turn("something else").id("process/p").run();
        assertThat(failure(start(ProcessStart.turn("s", "Go.").id("p")))).isEqualTo("input_conflict");
    }

    @Test
    void aProcessWhoseRecordCannotBeReadIsListedAndCanBeAbandoned() throws Exception {
        var sessions = new SharedMemory();
        try (var store = new StoreDriver(sessions.open())) {
            store.start(new NewProcess(new ProcessId("bad"), new Incarnation(1, 2), "hash",
                    Json.of("{\"recovery\":\"LATER\"}")), List.of(), false, Instant.EPOCH);
        }
        try (Belay other = Belay.builder()
                .model(SessionBench.calling())
                .store(sessions.open())
                .build()) {
            while (other.processes().stuck().isEmpty()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            assertThat(other.processes().list(0, 9)).singleElement()
                    .satisfies(info -> assertThat(info.work()).isInstanceOf(ProcessWork.Unreadable.class));
            assertThat(other.processes().abandon(new ProcessId("bad"), "cannot be read"))
                    .isEqualTo(VerbResult.DONE);
            assertThat(other.processes().get("bad").awaitEnd())
                    .isEqualTo(new ProcessEnd.Abandoned("cannot be read"));
        }
    }

    @Test
    void manyEndsAreToldInSeveralQuestions() throws Exception {
        for (int i = 0; i < 60; i++) {
            start(ProcessStart.external("print", NOTHING).id("n" + i).grantTo("many"))
                    .complete(Json.number(i));
            belay.processes().get("n" + i).awaitEnd();
        }
        belay.session("many").turn("?").run();
        assertThat(belay.session("many").messages()).as("fifty notes, the question and the answer")
                .hasSize(52);
        belay.session("many").turn("?").run();
        assertThat(belay.session("many").messages()).hasSize(64);
    }

    @Test
    void aValueThatNoRecordHoldsIsAFailureAndNotTriedAgain() throws Exception {
        String deep = "[".repeat(511) + "]".repeat(511);
        Belay other = bench.open(model(request -> text("yes")),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(SessionBench.tool("deep", ToolEffect.READ),
                                (arguments, context) -> Json.of(deep))
                        .build()));
        assertThat(failure(other.processes().start(ProcessStart.tool("deep", NOTHING))))
                .isEqualTo("resource_limit");
        assertThat(other.processes().stuck()).isEmpty();
    }
}
