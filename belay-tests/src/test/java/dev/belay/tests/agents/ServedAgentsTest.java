package dev.belay.tests.agents;

import static dev.belay.tests.session.SessionBench.asking;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract U.3: a runtime takes only turns of agents that it defines. Two runtimes share a store, as two programs share a file. */
class ServedAgentsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SESSIONS = 200;

    private final List<Belay> opened = new ArrayList<>();
    private final SharedMemory memory = new SharedMemory();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
    }

    private Belay open(String where, java.util.function.UnaryOperator<BelayBuilder> with) {
        Supplier<Store> store = where.equals("memory")
                ? memory::open
                : () -> JdbcStore.sqlite(folder.resolve("belay.db"));
        Belay belay = with.apply(Belay.builder().parkAfter(Duration.ZERO).store(store.get())).build();
        opened.add(belay);
        return belay;
    }

    private static Model telling(String name) {
        return model(request -> text(name));
    }

    private static String end(InputHandle input) throws InterruptedException {
        return input.await(PATIENCE).orElseThrow().ended().text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void noTurnIsInTheWrongHandsWhicheverProgramAcceptsIt(String where) throws Exception {
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        Belay lawyer = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        List<InputHandle> ofLawyer = new ArrayList<>();
        List<InputHandle> ofClerk = new ArrayList<>();
        for (int i = 0; i < SESSIONS / 2; i++) {
            clerk.session("c" + i).turn("1").submit();
            lawyer.agent("lawyer").session("l" + i).turn("1").submit();
            // each asks in the sessions of the other too
            ofClerk.add(lawyer.session("c" + i).turn("2").submit());
            ofLawyer.add(clerk.session("l" + i).turn("2").submit());
        }
        for (InputHandle input : ofClerk) {
            assertThat(end(input)).isEqualTo("clerk");
        }
        for (InputHandle input : ofLawyer) {
            assertThat(end(input)).isEqualTo("lawyer");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnOfAnAgentThatNobodyDefinesWaitsAndIsListed(String where) throws Exception {
        Belay lawyer = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        lawyer.agent("lawyer").session("l").turn("1").run();
        lawyer.close();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        assertThat(clerk.waitingFor()).isEmpty();
        InputHandle input = clerk.session("l").turn("2").submit();
        assertThat(clerk.waitingFor()).containsOnlyKeys("lawyer");
        assertThat(clerk.stuck()).isEmpty();

        Belay again = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        assertThat(end(again.session("l").input(input.inputId()).orElseThrow())).isEqualTo("lawyer");
        assertThat(clerk.waitingFor()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void oldestWorkOfAnAgentSaysSinceWhenItWaits(String where) throws Exception {
        var time = new FakeTime();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")).time(time).start(false));
        for (String name : List.of("old", "young")) {
            clerk.session(name).turn("1").submit();
            clerk.session(name).config().agent("lawyer");
            time.advance(Duration.ofHours(1));
        }
        clerk.processes().start(ProcessStart.tool("statutes", Json.EMPTY_OBJECT).agent("lawyer"));
        assertThat(clerk.waitingFor()).isEqualTo(Map.of("lawyer", FakeTime.START));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void commitLeavesTheNextTurnToTheAgentThatTheSessionWasGivenTo(String where) throws Exception {
        var asked = new CountDownLatch(1);
        var mayAnswer = new CountDownLatch(1);
        Belay clerk = open(where, builder -> builder.model(model(request -> {
            asked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return text("clerk");
        })));
        InputHandle first = clerk.session("s").turn("1").submit();
        asked.await();
        clerk.session("s").config().agent("lawyer");
        InputHandle waits = clerk.session("s").turn("2").queue().submit(); // its turn begins with the commit
        mayAnswer.countDown();
        assertThat(end(first)).as("its turn had begun").isEqualTo("clerk");
        assertThat(clerk.waitingFor()).containsOnlyKeys("lawyer");
        open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        assertThat(end(waits)).isEqualTo("lawyer");
        assertThat(end(clerk.session("s").turn("3").submit())).isEqualTo("lawyer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnThatAnotherProgramWakesGoesOnWhereItsAgentIsDefined(String where) throws Exception {
        Queue<String> tokens = new ConcurrentLinkedQueue<>();
        Belay lawyer = open(where, builder -> builder.agent("lawyer",
                a -> a.model(calling(List.of(call("a", "ask")))).tools(asking(tokens, ToolEffect.READ))));
        InputHandle input = lawyer.agent("lawyer").session("l").turn("1").submit();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        while (lawyer.session("l").waits().isEmpty()) {
            LockSupport.parkNanos(200_000);
        }
        clerk.resolve(tokens.element(), Resolution.ok(Json.string("the answer")));
        assertThat(end(input)).isEqualTo("done: the answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnThatADeadProgramLeftIsTakenOverWhereItsAgentIsDefined(String where) throws Exception {
        var asked = new CountDownLatch(1);
        Belay dies = open(where, builder -> builder.agent("lawyer", a -> a.model(model(request -> {
            asked.countDown();
            while (!Thread.interrupted()) {
                LockSupport.park();
            }
            throw new ModelException(ModelException.Kind.INTERRUPTED, "interrupted");
        }))));
        InputHandle input = dies.agent("lawyer").session("l").turn("1").submit();
        asked.await();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        dies.close(Duration.ZERO); // gives the turn back
        assertThat(clerk.waitingFor()).containsOnlyKeys("lawyer");
        Belay lawyer = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        assertThat(end(lawyer.session("l").input(input.inputId()).orElseThrow())).isEqualTo("lawyer");
    }

    /** The write that takes a turn looks once more whether its agent is served. */
    @Test
    void turnThatIsGivenAwayBetweenTheLookAndTheTakingIsNotTaken() throws Exception {
        Belay gives = open("memory", builder -> builder.model(telling("never")).start(false));
        InputHandle input = gives.session("s").turn("1").submit();
        var looked = new CountDownLatch(1);
        opened.add(Belay.builder().model(telling("clerk")).store(memory.open((moment, name) -> {
            if (moment == JournalProbe.Moment.BEFORE && name.startsWith("take ") && looked.getCount() > 0) {
                gives.session("s").config().agent("lawyer");
                looked.countDown();
            }
        })).build());
        looked.await();
        Belay lawyer = open("memory", builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        assertThat(end(lawyer.session("s").input(input.inputId()).orElseThrow())).isEqualTo("lawyer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void processRunsWhereTheAgentOfItsToolIsDefined(String where) throws Exception {
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        DurableProcess process = clerk.processes()
                .start(ProcessStart.tool("statutes", Json.EMPTY_OBJECT).agent("lawyer").id("p"));
        assertThat(clerk.waitingFor()).containsOnlyKeys("lawyer");
        var statutes = StaticToolProvider.builder()
                .raw(SessionBench.tool("statutes", ToolEffect.READ), (in, context) -> "read")
                .build();
        Belay lawyer = open(where, builder -> builder.agent("lawyer",
                a -> a.model(telling("lawyer")).tools(statutes)));
        assertThat(lawyer.processes().get("p").awaitEnd().toString()).contains("read");
        assertThat(process.awaitEnd().toString()).contains("read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void workThatNeedsNoToolsRunsInARuntimeWithoutTheDefaultAgent(String where) throws Exception {
        Belay lawyer = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        lawyer.agent("lawyer").session("l").turn("1").run();
        assertThat(lawyer.processes().start(ProcessStart.turn("l", "2")).awaitEnd().toString())
                .contains("lawyer");
        DurableProcess outside = lawyer.processes().start(ProcessStart.external("print", Json.NULL));
        outside.complete(Json.string("printed"));
        assertThat(outside.awaitEnd().toString()).contains("printed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnThatNobodyHasEnteredGoesWithItsSession(String where) throws Exception {
        Belay lawyer = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        lawyer.agent("lawyer").session("l").turn("1").run();
        lawyer.close();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        InputHandle waits = clerk.session("l").turn("2").submit();
        assertThat(clerk.session("l").config().agent("default")).isEqualTo(VerbResult.DONE);
        assertThat(end(waits)).isEqualTo("clerk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void loopOfAProgramRunsNoTurnOfAnAgentThatItDoesNotDefine(String where) throws Exception {
        Belay lawyer = open(where, builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        lawyer.agent("lawyer").session("l").turn("1").run();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")));
        assertThatThrownBy(() -> clerk.session("l").begin("2")).isInstanceOf(BelayException.class)
                .hasMessageContaining("no agent \"lawyer\" here");
    }

    private static StaticToolProvider naming(String agent) {
        return StaticToolProvider.builder()
                .raw(SessionBench.tool("who", ToolEffect.READ), (in, context) -> agent)
                .build();
    }

    private static String only(List<ToolOutcome> outcomes) {
        return outcomes.getFirst().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void batchThatAnotherProgramWakesGoesOnWhereItsAgentIsDefined(String where) throws Exception {
        Queue<String> tokens = new ConcurrentLinkedQueue<>();
        Belay lawyer = open(where, builder -> builder.agent("lawyer",
                a -> a.model(telling("lawyer"))
                        .tools(asking(tokens, ToolEffect.READ))
                        .tools(naming("lawyer"))));
        Belay clerk = open(where, builder -> builder.model(telling("clerk")).tools(naming("clerk")));
        DurableCalls calls = lawyer.agent("lawyer").calls();
        calls.submit("b", List.of(new CallRequest("ask", "{}"), new CallRequest("who", "{}")));
        while (clerk.pending(null, 1).items().isEmpty()) {
            LockSupport.parkNanos(200_000);
        }
        clerk.resolve(tokens.element(), Resolution.ok(Json.string("the answer")));
        assertThat(calls.join("b").orElseThrow().toString()).contains("the answer", "lawyer");
        assertThat(only(clerk.calls().run("c", List.of(new CallRequest("who", "{}"))).outcomes()))
                .contains("clerk");
        assertThatThrownBy(lawyer::calls).hasMessageContaining("no agent \"default\" here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void batchOfAClosedProgramIsListedAndTakenOverWhereItsAgentIsDefined(String where) throws Exception {
        var runs = new CountDownLatch(1);
        var waits = StaticToolProvider.builder()
                .raw(SessionBench.tool("who", ToolEffect.READ), (in, context) -> {
                    runs.countDown();
                    new CountDownLatch(1).await();
                    return "never";
                })
                .build();
        Belay dies = open(where,
                builder -> builder.agent("lawyer", a -> a.model(telling("lawyer")).tools(waits)));
        dies.agent("lawyer").calls().submit("b", List.of(new CallRequest("who", "{}")));
        runs.await();
        Belay clerk = open(where, builder -> builder.model(telling("clerk")).tools(naming("clerk")));
        dies.close(Duration.ZERO); // gives the batch back
        assertThat(clerk.waitingFor()).containsOnlyKeys("lawyer");
        Belay lawyer = open(where,
                builder -> builder.agent("lawyer", a -> a.model(telling("lawyer")).tools(naming("lawyer"))));
        assertThat(only(lawyer.agent("lawyer").calls().join("b").orElseThrow())).contains("lawyer");
        assertThat(clerk.waitingFor()).isEmpty();
    }

    @Test
    void batchOfADeadProgramIsTakenOverWhereItsAgentIsDefined() throws Exception {
        var dead = new CountDownLatch(1);
        Belay dies = Belay.builder()
                .agent("lawyer", a -> a.model(telling("lawyer")).tools(naming("dead")))
                .store(memory.open((moment, name) -> {
                    if (moment == JournalProbe.Moment.BEFORE && name.startsWith("end ")) {
                        dead.countDown();
                        throw new StackOverflowError("the process dies");
                    }
                }))
                .build();
        opened.add(dies);
        dies.agent("lawyer").calls().submit("b", List.of(new CallRequest("who", "{}")));
        dead.await();
        Belay clerk = open("memory", builder -> builder.model(telling("clerk")).tools(naming("clerk")));
        while (!clerk.waitingFor().containsKey("lawyer")) { // the owner is dead once its thread has ended
            LockSupport.parkNanos(200_000);
        }
        assertThat(clerk.calls().run("c", List.of(new CallRequest("who", "{}"))).outcomes()).hasSize(1);
        Belay lawyer = open("memory",
                builder -> builder.agent("lawyer", a -> a.model(telling("lawyer")).tools(naming("lawyer"))));
        assertThat(only(lawyer.agent("lawyer").calls().join("b").orElseThrow())).doesNotContain("clerk");
    }

    @Test
    void turnOfAProgramThatDiedIsListedUntilItsAgentIsDefined() throws Exception {
        var dead = new CountDownLatch(1);
        Belay dies = Belay.builder()
                .agent("lawyer", a -> a.model(telling("never")))
                .store(memory.open((moment, name) -> {
                    if (moment == JournalProbe.Moment.BEFORE && name.startsWith("commit ")) {
                        dead.countDown();
                        throw new StackOverflowError("the process dies");
                    }
                }))
                .build();
        opened.add(dies);
        InputHandle input = dies.agent("lawyer").session("l").turn("1").submit();
        dead.await();
        Belay clerk = open("memory", builder -> builder.model(telling("clerk")));
        while (!clerk.waitingFor().containsKey("lawyer")) { // the owner is dead once its thread has ended
            LockSupport.parkNanos(200_000);
        }
        Belay lawyer = open("memory", builder -> builder.agent("lawyer", a -> a.model(telling("lawyer"))));
        assertThat(end(lawyer.session("l").input(input.inputId()).orElseThrow())).isEqualTo("never");
        assertThat(clerk.waitingFor()).isEmpty();
    }
}
