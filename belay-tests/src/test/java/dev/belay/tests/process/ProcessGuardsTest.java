package dev.belay.tests.process;

import static dev.belay.tests.operate.OperatorBench.until;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What guards the calls of a session guards the processes that its calls start: doubts, pauses, counts and repeats. */
@Timeout(120)
class ProcessGuardsTest {

    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of("."));
    private final AtomicBoolean breaks = new AtomicBoolean();
    private final AtomicInteger paid = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    /** Runs in a body that starts a process, before it does. */
    private Runnable beforeStart = () -> {};
    private Runnable beforeLast = () -> {};
    private boolean awaits = true;
    private String agent = SessionProfile.DEFAULT_AGENT;

    @AfterEach
    void close() {
        bench.close();
    }

    /**
     * Makes the calls that the user names: rounds are parted by {@code ;}, calls of a round by {@code +}, a tool and what it is told by a blank.
     * Then says what came of all of them.
     */
    private static Model obeying() {
        return model(request -> {
            List<Message> since = sinceUser(request);
            String[] rounds = ((UserMessage) since.getFirst()).text().split(";", -1);
            List<ToolMessage> done = since.stream()
                    .filter(ToolMessage.class::isInstance)
                    .map(ToolMessage.class::cast)
                    .toList();
            return done.size() < rounds.length
                    ? calls(asked(done.size(), rounds[done.size()].split("\\+")))
                    : text(String.join(" | ",
                            done.stream()
                                    .flatMap(replies -> replies.replies().stream())
                                    .map(reply -> reply.text())
                                    .toList()));
        });
    }

    private static List<Message> sinceUser(ModelRequest request) {
        List<Message> all = request.messages();
        int last = 0;
        for (int at = 0; at < all.size(); at++) {
            last = all.get(at) instanceof UserMessage user && !user.text().startsWith("Note ") ? at : last;
        }
        return all.subList(last, all.size());
    }

    private static List<CallPart> asked(int round, String[] words) {
        List<CallPart> asked = new ArrayList<>();
        for (String word : words) {
            String[] parts = (word.strip() + " ").split(" ", 2);
            asked.add(new CallPart("c" + round + asked.size(), parts[0], told(parts[1].strip()).text()));
        }
        return asked;
    }

    private static Json told(String what) {
        return Json.write(out -> out.beginObject().name("what").value(what).endObject());
    }

    private ProcessStart calling(String tool) {
        return ProcessStart.tool(tool, told("")).agent(agent);
    }

    private StaticToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                    if (breaks.getAndSet(false)) {
                        throw new InternalError("broken");
                    }
                    return "paid " + paid.incrementAndGet();
                })
                .raw(tool("fail", ToolEffect.READ), (arguments, context) -> {
                    failed.incrementAndGet();
                    throw new ToolException(
                            ToolFailure.of(ToolFailure.Kind.EXTERNAL, "tool_failed", "it does not work"));
                })
                .raw(tool("begin", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> started(context, calling(what(arguments))))
                .raw(tool("once", ToolEffect.ONCE),
                        (arguments, context) -> started(context, calling(what(arguments))))
                .raw(tool("steps", ToolEffect.IDEMPOTENT).resumable(true),
                        (arguments, context) -> started(context, calling(what(arguments))))
                .raw(tool("book", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> started(context, ProcessStart
                                .body("booking", arguments)
                                .recovery(Recovery.NEVER)))
                .raw(tool("below", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("helper")
                                .turn("t", what(arguments))
                                .await()
                                .text())
                .raw(tool("turn", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> started(context,
                                ProcessStart.turn("by-" + ((SessionToolContext) context).sessions().current(),
                                        what(arguments))))
                .raw(tool("finally", ToolEffect.IDEMPOTENT), (arguments, context) -> {
                    beforeLast.run();
                    String[] words = what(arguments).split(" ", 2);
                    ProcessStart start = words[0].equals("turn")
                            ? ProcessStart.turn("by-" + ((SessionToolContext) context).sessions().current(),
                                    words[1])
                            : calling(words[0]);
                    return ToolResult.finish(Json.string(String.valueOf(started(context, start))));
                })
                .build();
    }

    private static String what(Json arguments) {
        return arguments.get("what").orElseThrow().asString();
    }

    private Object started(Object context, ProcessStart start) throws InterruptedException {
        beforeStart.run();
        ProcessesCapability processes = ((SessionToolContext) context).processes();
        var process = processes.start("p", start);
        return awaits ? process.awaitEnd().summary() : process.id().value();
    }

    private BelayBuilder with(BelayBuilder builder) {
        return builder.parkAfter(Duration.ZERO)
                .tools(tools())
                .process("booking", (context, input) -> {
                    if (breaks.getAndSet(false)) {
                        throw new InternalError("broken");
                    }
                    return Json.string("booked " + paid.incrementAndGet());
                });
    }

    private Belay open(String where, UnaryOperator<BelayBuilder> more) {
        bench = new OperatorBench(where, folder);
        return bench.worker(obeying(), builder -> more.apply(with(builder)));
    }

    private static String said(Belay belay, String what) throws InterruptedException {
        return belay.session("s").turn(what).run().ended().text();
    }

    private static Doubt only(Belay belay) {
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
        return belay.doubts().open(0, 9).getFirst();
    }

    private static Policy atMost(int calls) {
        return Policy.rules(PolicyRule.deny("enough").tools("pay").afterCalls(calls).reason("enough"));
    }

    @ParameterizedTest
    @CsvSource({"memory, begin", "memory, steps", "sqlite, begin"})
    void doubtOfAProcessGuardsTheCallsOfItsSession(String where, String begin) throws Exception {
        Belay belay = open(where, builder -> builder);
        breaks.set(true);
        assertThat(said(belay, begin + " pay")).contains("may have happened");
        assertThat(said(belay, "pay")).contains("doubt_unsettled").contains(only(belay).id());
        assertThat(said(belay, begin + " pay")).as("another process").contains("doubt_unsettled");
        assertThat(paid).hasValue(0);
        assertThat(belay.session("other").turn("pay").run().ended().text()).as("another family")
                .isEqualTo("paid 1");
        belay.doubts().didNotHappen(only(belay).id(), "no trace");
        assertThat(said(belay, "pay")).isEqualTo("paid 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void doubtOfASessionGuardsTheProcessesOfItsCalls(String where) throws Exception {
        Belay belay = open(where, builder -> builder);
        breaks.set(true);
        assertThat(belay.session("s").turn("pay").run().ended().doubts()).hasSize(1);
        for (String behind : List.of("begin pay", "below begin pay", "turn begin pay")) {
            assertThat(said(belay, behind)).as(behind).contains("doubt_unsettled");
        }
        assertThat(paid).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"turn pay", "turn begin pay", "below begin pay", "below turn begin pay"})
    void doubtBehindAnyNumberOfProcessesAndChildrenGuardsTheSession(String behind) throws Exception {
        Belay belay = open("memory", builder -> builder);
        breaks.set(true);
        assertThat(said(belay, behind)).contains("may have happened");
        assertThat(said(belay, "pay")).contains("doubt_unsettled");
        assertThat(paid).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void doubtOfAProcessBelongsToTheSessionThatStartedItWhereverItWasGranted(String where) throws Exception {
        Belay belay = open(where, builder -> builder
                .policy(Policy.rules(PolicyRule.deny("unsure").tools("fail").inDoubt().reason("settle it"))));
        breaks.set(true);
        awaits = false;
        String id = said(belay, "begin pay");
        belay.session("friend").turn("fail").run();
        belay.processes().get(id).grantTo("friend");
        var unused = belay.processes().get(id).awaitEnd();
        assertThat(only(belay).about().call().session()).isEqualTo("s");
        assertThat(belay.session("friend").turn("pay").run().ended().text()).isEqualTo("paid 1");
        assertThat(said(belay, "fail")).as("its policy knows").contains("settle it");
        assertThat(belay.session("s").delete()).isInstanceOf(VerbResult.NotPossible.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void bodyOfAProcessThatMayHaveHappenedIsNotRunAgainWithTheSameInput(String where) throws Exception {
        Belay belay = open(where, builder -> builder);
        breaks.set(true);
        assertThat(said(belay, "book Rome")).contains("may have happened");
        assertThat(said(belay, "book Rome")).contains("doubt_unsettled");
        assertThat(said(belay, "book Oslo")).contains("booked 1");
        assertThat(belay.processes().start(ProcessStart.body("booking", told("Rome"))).awaitEnd())
                .as("started by a program")
                .isEqualTo(new ProcessEnd.Completed(Json.string("booked 2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void sessionsThatProcessesOfDeletedSessionsMakeAreOfDifferentFamilies(String where) throws Exception {
        Belay belay = open(where, builder -> builder);
        awaits = false;
        for (String session : List.of("s", "t")) {
            beforeLast = () -> belay.pause(Target.session(session), "wait");
            belay.session(session).turn("finally turn pay").run();
            until(() -> belay.processes().list(0, 9).stream().anyMatch(ProcessGuardsTest::isHeld));
            assertThat(belay.session(session).delete()).isEqualTo(VerbResult.DONE);
            breaks.set(session.equals("s"));
            belay.unpause(Target.session(session), "go on");
            until(() -> belay.processes().list(0, 9).stream().allMatch(info -> info.end() != null));
        }
        assertThat(belay.session("by-s").turn("pay").run().ended().text()).contains("doubt_unsettled");
        assertThat(paid).as("by the other one").hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"memory, begin pay", "sqlite, begin pay", "memory, book Rome", "memory, turn begin pay",
        "memory, below begin pay"})
    void pauseOfASessionHoldsTheProcessesOfItsCalls(String where, String behind) throws Exception {
        Belay belay = open(where, builder -> builder);
        awaits = false;
        var pauses = new CountDownLatch(behind.startsWith("turn ") ? 2 : 1);
        beforeStart = () -> {
            pauses.countDown();
            if (pauses.getCount() == 0) {
                belay.pause(Target.session("s"), "wait");
            }
        };
        belay.session("s").turn(behind).id("in").submit();
        until(() -> belay.processes()
                .list(0, 9)
                .stream()
                .anyMatch(process -> isHeld(process) && !process.work().name().startsWith("turn of")));
        assertThat(paid).hasValue(0);
        belay.unpause(Target.session("s"), "go on");
        until(() -> belay.processes().list(0, 9).stream().allMatch(info -> info.end() != null));
        assertThat(paid).hasValue(1);
    }

    private static boolean isHeld(ProcessInfo process) {
        WaitsFor waits = process.waits();
        return waits != null && waits.what() == WaitsFor.For.PAUSE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void processThatIsHeldCanBeCancelled(String where) throws Exception {
        Belay belay = open(where, builder -> builder);
        awaits = false;
        beforeLast = () -> belay.pause(Target.session("s"), "wait");
        belay.session("s").turn("finally pay").run();
        String id = belay.processes().list("s", 0, 9).getFirst().id().value();
        until(() -> isHeld(belay.processes().get(id).info()));
        belay.processes().get(id).cancel("enough");
        assertThat(belay.processes().get(id).awaitEnd()).isInstanceOf(ProcessEnd.Cancelled.class);
        assertThat(paid).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void listSaysThatAProcessWaitsForThePauseOfItsSession(String where) throws Exception {
        Belay belay = open(where, builder -> builder);
        awaits = false;
        agent = "elsewhere";
        String id = said(belay, "below begin pay").strip();
        belay.pause(Target.session("s"), "wait");
        WaitsFor held = Objects.requireNonNull(belay.processes().get(id).info().waits());
        assertThat(held.what()).isEqualTo(WaitsFor.For.PAUSE);
        assertThat(held.detail()).isEqualTo(Target.session("s").toString());
        belay.unpause(Target.session("s"), "go on");
        assertThat(Objects.requireNonNull(belay.processes().get(id).info().waits()).what())
                .isEqualTo(WaitsFor.For.AGENT);
    }

    @ParameterizedTest
    @CsvSource({"memory, begin pay; begin pay; begin pay", "memory, steps pay; steps pay; steps pay",
        "memory, begin pay + begin pay + begin pay", "memory, pay; begin pay; begin pay",
        "memory, begin pay; begin pay; pay", "memory, pay + begin pay; pay",
        "memory, begin pay; below pay; begin pay; begin pay", "sqlite, begin pay; pay; begin pay"})
    void callsOfProcessesCountInTheTurnThatStartedThem(String where, String rounds) throws Exception {
        Belay belay = open(where, builder -> builder.policy(atMost(2)));
        String said = said(belay, rounds);
        assertThat(said).containsOnlyOnce("denied by rule \"enough\"");
        assertThat(paid.get()).isEqualTo(rounds.contains("below") ? 3 : 2);
        assertThat(said(belay, "begin pay; pay")).as("the next turn").doesNotContain("enough");
    }

    /** The last call of the turn starts the process, which a pause holds until the turn is committed. */
    @ParameterizedTest
    @CsvSource({"memory, begin pay; finally pay", "sqlite, begin pay; finally pay",
        "memory, fail; fail; fail; finally fail"})
    void nothingCountsForAProcessAfterTheTurnIsCommittedThatStartedIt(String where, String rounds)
            throws Exception {
        Belay belay = open(where, builder -> builder.policy(atMost(1)));
        awaits = false;
        beforeLast = () -> belay.pause(Target.session("s"), "wait");
        said(belay, rounds);
        belay.unpause(Target.session("s"), "go on");
        until(() -> belay.processes().list(0, 9).stream().allMatch(info -> info.end() != null));
        assertThat(paid.get() + failed.get()).as("of what it asked for").isEqualTo(rounds.split(";").length);
    }

    @ParameterizedTest
    @CsvSource({"memory, BEFORE", "memory, AFTER", "sqlite, BEFORE"})
    void processesOfACallThatIsRunAgainCountOnce(String where, Moment moment) throws Exception {
        bench = new OperatorBench(where, folder);
        var dead = new CountDownLatch(1);
        Belay dying = bench.dying(obeying(), (when, write) -> {
            if (when == moment && write.equals("effect round/1/call/0/attempt/1 COMPLETED")) {
                dead.countDown();
                throw new StackOverflowError("the process dies");
            }
        }, builder -> with(builder).policy(atMost(2)));
        dying.session("s").turn("begin pay; begin pay; begin pay; pay").id("in").submit();
        dead.await();
        dying.close();
        Belay belay = bench.worker(obeying(), builder -> with(builder).policy(atMost(2)));
        assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().text().split("enough", -1))
                .hasSize(5);
        assertThat(belay.processes().list(0, 9)).hasSize(3);
        assertThat(paid).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({"memory, once pay; pay, 1, denied by rule", "sqlite, once pay; pay, 1, denied by rule",
        "memory, pay; once pay; begin pay, 2, denied by rule",
        "memory, fail; fail; once fail; fail, 3, repeat_guard"})
    void processesOfACallCountThatDiedBeforeItsOwnEnd(String where, String rounds, int round, String says)
            throws Exception {
        bench = new OperatorBench(where, folder);
        var dead = new CountDownLatch(1);
        Policy policy = atMost(rounds.startsWith("pay") ? 2 : 1);
        Belay dying = bench.dying(obeying(), (when, write) -> {
            if (when == Moment.BEFORE
                    && write.equals("effect round/" + round + "/call/0/attempt/1 COMPLETED")) {
                dead.countDown();
                throw new StackOverflowError("the process dies");
            }
        }, builder -> with(builder).policy(policy));
        dying.session("s").turn(rounds).id("in").submit();
        dead.await();
        dying.close();
        Belay belay = bench.worker(obeying(), builder -> with(builder).policy(policy));
        assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().text())
                .contains("may have happened")
                .containsOnlyOnce(says);
        assertThat(belay.processes().list(0, 9)).hasSize(rounds.contains("begin") ? 2 : 1);
        assertThat(paid.get() + failed.get()).isEqualTo(rounds.split(";").length - 1);
    }

    @ParameterizedTest
    @CsvSource({"memory, begin fail; begin fail; begin fail; begin fail",
        "memory, begin fail; begin fail; begin fail; fail",
        "memory, fail; fail; fail; begin fail", "sqlite, begin fail; fail; begin fail; fail"})
    void failuresOfProcessesCountForTheRepeatGuard(String where, String rounds) throws Exception {
        Belay belay = open(where, builder -> builder);
        assertThat(said(belay, rounds)).containsOnlyOnce("repeat_guard");
        assertThat(failed).hasValue(3);
        assertThat(said(belay, "begin fail")).as("the next turn").doesNotContain("repeat_guard");
    }
}
