package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.CallsResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessResult;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes, batches of calls, commands, children and everything that waits behind a resting turn rests as a turn does. */
@ParameterizedClass
@ValueSource(strings = {"memory", "sqlite"})
class RestingWorkTest {

    private static final CallPart REFUND = call("a", "refund");

    @Parameter
    private String where = "";
    @TempDir
    private Path folder;
    /** It stands still, so that nothing is found by looking again. */
    private final FakeTime time = new FakeTime();
    private OperatorBench bench = new OperatorBench("memory", Path.of(""));
    private final List<TurnEvent> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    /** What the body of the tool {@code delegate} does. */
    private volatile Use use = context -> "";

    private interface Use {
        String of(SessionToolContext context) throws Exception;
    }

    @BeforeEach
    void open() {
        bench = new OperatorBench(where, folder);
    }

    @AfterEach
    void close() {
        mayEnd.countDown();
        bench.close();
    }

    /** A parent, told "Go.", makes calls; its children ask for a refund. */
    private static Model parent(CallPart... calls) {
        return model(request -> !SessionBench.lastReplies(request).equals("nothing")
                ? text("done: " + SessionBench.lastReplies(request))
                : SessionBench.calls(((UserMessage) request.messages().getFirst()).text().equals("Go.")
                        ? List.of(calls)
                        : List.of(REFUND)));
    }

    private Belay open(Model model, String... sessions) {
        var tools = StaticToolProvider.builder()
                .raw(tool("refund", ToolEffect.ONCE).approval(Approval.ALWAYS), (in, context) -> "refunded")
                .raw(tool("delegate", ToolEffect.IDEMPOTENT),
                        (in, context) -> use.of((SessionToolContext) context))
                .raw(tool("resume", ToolEffect.IDEMPOTENT).resumable(true),
                        (in, context) -> use.of((SessionToolContext) context))
                .raw(tool("work", ToolEffect.IDEMPOTENT), (in, context) -> {
                    working.countDown();
                    mayEnd.await();
                    return "worked";
                })
                .build();
        return bench.worker(model,
                builder -> (sessions.length > 0 ? builder : builder.time(time)).tools(tools)
                        .sessions(sessions)
                        .process("waits", (context, in) -> context.awaitSignal("go"))
                        .listener((session, event) -> heard.add(event)));
    }

    private static TurnResult.Resting resting(TurnResult result) {
        assertThat(result).isInstanceOf(TurnResult.Resting.class);
        return (TurnResult.Resting) result;
    }

    private static Wait only(List<Wait> waits) {
        assertThat(waits).hasSize(1);
        return waits.getFirst();
    }

    private static void allow(BelayClient belay, List<Wait> waits) {
        for (Wait wait : waits) {
            belay.approvals().decide(wait.keyId(), wait.digest(), ApprovalAnswer.once());
        }
    }

    private interface Waiting<T> {
        T await() throws Exception;
    }

    /** Waits on a thread of its own: it must not return before the test has done something. */
    private static <T> CompletableFuture<T> waits(Waiting<T> waiting) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return waiting.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private long restsTold(String keyId) {
        return heard.stream()
                .filter(TurnEvent.Resting.class::isInstance)
                .filter(event -> ((TurnEvent.Resting) event).waits()
                        .stream()
                        .anyMatch(wait -> wait.keyId().equals(keyId)))
                .count();
    }

    @Test
    void aProcessThatAwaitsASignalRests() throws Exception {
        Belay belay = open(parent());
        var process = belay.processes().start(ProcessStart.body("waits", Json.NULL).id("p"));

        ProcessResult result = process.await();

        assertThat(result).isInstanceOfSatisfying(ProcessResult.Resting.class, rest -> {
            assertThat(only(rest.waits()).kind()).isEqualTo(Wait.Kind.EVENT);
            assertThat(rest.toString()).startsWith("process p rests since ");
        });
        process.signal("go", Json.TRUE);
        assertThat(((ProcessResult.Resting) result).await())
                .isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void externalWorkRests() throws Exception {
        Belay belay = open(parent());
        var process = belay.processes().start(ProcessStart.external("print", Json.NULL).id("p"));

        var rest = (ProcessResult.Resting) process.await();
        var next = waits(rest::await);
        process.tell("1", "page", Json.number(1));
        process.complete(Json.TRUE);

        assertThat(soon(next)).isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void aProcessRestsWithItsTurnAndNotBefore() throws Exception {
        Belay belay = open(calling(List.of(call("w", "work")), List.of(REFUND)));
        var process = belay.processes().start(ProcessStart.turn("s", "Go.").id("p"));
        var result = waits(process::await);
        working.await();
        OperatorBench.until(() -> belay.processes().get("p").info().waits() != null);
        assertThat(result).isNotDone();

        mayEnd.countDown();

        var rest = (ProcessResult.Resting) soon(result);
        assertThat(only(rest.waits()).tool()).isEqualTo("refund");
        assertThat(only(rest.waits()).session()).isEqualTo("s");
        allow(belay, rest.waits());
        assertThat(rest.await()).isEqualTo(new ProcessEnd.Completed(Json.string("done: refunded")));
    }

    @Test
    void aBatchOfCallsRests() throws Exception {
        Belay belay = open(parent());

        CallsResult result = belay.calls().run("b", List.of(new CallRequest("refund", "{}")));

        var rest = (CallsResult.Resting) result;
        assertThat(only(rest.waits()).tool()).isEqualTo("refund");
        assertThat(rest.toString()).startsWith("batch b rests since ");
        assertThatThrownBy(rest::outcomes).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("turn_resting"));
        allow(belay, rest.waits());
        assertThat(rest.await().outcomes()).singleElement()
                .satisfies(outcome -> assertThat(outcome.text()).isEqualTo("refunded"));
    }

    @Test
    void aTurnThatIsTriedAgainRests() throws Exception {
        Belay belay = open(model(request -> heard.stream().anyMatch(TurnEvent.Committed.class::isInstance)
                ? SessionBench.roundsSinceUser(request) == 0
                        ? SessionBench.calls(List.of(REFUND))
                        : text("done")
                : throwing()));
        Session session = belay.session("s");
        assertThat(session.turn("Go.").run()).isInstanceOf(TurnResult.Stopped.class);
        OperatorBench.until(() -> heard.stream().anyMatch(TurnEvent.Committed.class::isInstance));

        InputHandle again = ((Session.Again.Done) session.again()).input();

        allow(belay, resting(again.await()).waits());
        assertThat(again.awaitCommit().text()).isEqualTo("done");
    }

    private static dev.belay.model.ModelResponse throwing() {
        throw new IllegalArgumentException("no");
    }

    @Test
    void anInputThatJoinedATurnRestsWithIt() throws Exception {
        Belay belay = open(calling(List.of(call("w", "work")), List.of(REFUND)));
        InputHandle first = belay.session("s").turn("Go.").id("first").submit();
        working.await();
        InputHandle joined = belay.session("s").turn("And quickly.").id("joined").submit();
        var result = waits(joined::await);

        mayEnd.countDown();

        var rest = resting(soon(result));
        assertThat(rest.turn()).isEqualTo(1);
        assertThat(rest.input()).isEqualTo("first");
        allow(belay, rest.waits());
        assertThat(rest.await().answer()).isEqualTo(first.awaitCommit().answer());
    }

    @Test
    void aStreamReturnsARestAndTellsIt() throws Exception {
        Belay belay = open(calling(List.of(REFUND)));
        List<TurnEvent> streamed = new CopyOnWriteArrayList<>();

        var rest = resting(belay.session("s").turn("Go.").stream(streamed::add));

        assertThat(streamed.getLast()).isEqualTo(new TurnEvent.Resting(1, rest.waits()));
    }

    @Test
    void askingForAShorterConversationDoesNotWait() throws Exception {
        Belay belay = open(calling(List.of(REFUND)));
        var rest = resting(belay.session("s").turn("Go.").run());

        belay.session("s").compact();

        allow(belay, rest.waits());
        assertThat(rest.await().answer()).isEqualTo("done: refunded");
    }

    @Test
    void aTurnRestsWithTheTurnThatItsBodyWaitsFor() throws Exception {
        Belay belay = open(parent(call("d", "delegate")));
        use = context -> context.sessions().create("clerk").turn("t", "Help.").await().text();
        restsWithTheChild(belay);
    }

    @Test
    void aTurnRestsWithTheTurnThatItsResumableBodyWaitsFor() throws Exception {
        Belay belay = open(parent(call("d", "resume")));
        use = context -> context.sessions().create("clerk").turn("t", "Help.").await().text();
        restsWithTheChild(belay);
    }

    private void restsWithTheChild(Belay belay) throws Exception {
        var rest = resting(belay.session("s").turn("Go.").run());

        Wait wait = only(rest.waits());
        assertThat(wait.tool()).isEqualTo("refund");
        assertThat(wait.session()).startsWith("child-");
        OperatorBench.until(() -> restsTold(wait.keyId()) == 2); // of the child and of its parent
        var next = waits(rest::await);
        assertThat(next).isNotDone();
        allow(belay, rest.waits());
        assertThat(soon(next).answer()).isEqualTo("done: done: refunded");
        assertThat(restsTold(wait.keyId())).isEqualTo(2);
    }

    @Test
    void aRestIsToldOfTheParentAlthoughNothingWaitsForIt() throws Exception {
        Belay belay = open(parent(call("d", "resume")));
        use = context -> context.sessions().create("clerk").turn("t", "Help.").await().text();
        belay.session("s").turn("Go.").submit();
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        String key = belay.approvals().open(null, 9).items().getFirst().keyId();

        OperatorBench.until(() -> restsTold(key) == 2);
    }

    @Test
    void aTurnRestsWithTheProcessThatItsBodyWaitsFor() throws Exception {
        Belay belay = open(parent(call("d", "delegate")));
        use = context -> context.processes()
                .start("p", ProcessStart.body("waits", Json.NULL))
                .await()
                .toString();
        restsWithTheProcess(belay);
    }

    @Test
    void aTurnRestsWithTheProcessThatItsResumableBodyWaitsFor() throws Exception {
        Belay belay = open(parent(call("d", "resume")));
        use = context -> context.processes()
                .start("p", ProcessStart.body("waits", Json.NULL))
                .await()
                .toString();
        restsWithTheProcess(belay);
    }

    private void restsWithTheProcess(Belay belay) throws Exception {
        var rest = resting(belay.session("s").turn("Go.").run());

        assertThat(only(rest.waits()).kind()).isEqualTo(Wait.Kind.EVENT);
        var next = waits(rest::await);
        assertThat(next).isNotDone();
        belay.processes().get(belay.processes().list(0, 1).getFirst().id().value()).signal("go", Json.TRUE);
        assertThat(soon(next).answer()).isEqualTo("done: Completed[value=true]");
    }

    @Test
    void aTurnThatWorksBesideARestingChildDoesNotRest() throws Exception {
        Belay belay = open(parent(call("d", "delegate"), call("w", "work")));
        use = context -> context.sessions().create("clerk").turn("t", "Help.").await().text();
        var result = waits(() -> belay.session("s").turn("Go.").run());
        working.await();
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        String key = belay.approvals().open(null, 9).items().getFirst().keyId();
        OperatorBench.until(() -> restsTold(key) == 1); // of the child
        assertThat(result).isNotDone();

        mayEnd.countDown(); // the last body that does something else

        var rest = resting(soon(result));
        assertThat(only(rest.waits()).keyId()).isEqualTo(key);
        allow(belay, rest.waits());
        assertThat(rest.await().answer()).isEqualTo("done: done: refunded, worked");
    }

    @Test
    void aTurnRestsOnItsOwnWaitsAndThoseOfItsChildren() throws Exception {
        Belay belay = open(parent(call("d", "delegate"), REFUND));
        use = context -> context.sessions().create("clerk").turn("t", "Help.").await().text();

        var rest = resting(belay.session("s").turn("Go.").run());

        while (rest.waits().size() == 1) { // the child rests before, or after, its sibling has parked
            rest = resting(rest.await());
        }
        assertThat(rest.waits()).extracting(wait -> wait.session().startsWith("child-"))
                .containsExactlyInAnyOrder(true, false);
        allow(belay, rest.waits());
        TurnResult next = rest.await();
        while (next instanceof TurnResult.Resting other) {
            next = other.await();
        }
        assertThat(next.answer()).isEqualTo("done: done: refunded, refunded");
    }

    @Test
    void anotherProgramHearsOfARestByNews() throws Exception {
        Belay one = open(calling(List.of(call("w", "work")), List.of(REFUND)), "s");
        Belay other = open(calling(), "t");
        one.session("s").turn("Go.").id("in").submit();
        working.await();
        var result = waits(() -> other.session("s").input("in").orElseThrow().await());
        mayEnd.countDown();

        var rest = resting(soon(result));
        var next = waits(rest::await);
        allow(bench.client(), rest.waits());

        assertThat(soon(next).answer()).isEqualTo("done: refunded");
    }

    @Test
    void aSessionThatIsNamedLikeAnEventIsNotWaitedFor() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("listen", ToolEffect.IDEMPOTENT).resumable(true), (in, context) -> context.durable()
                        .awaitEvent(context.durable().externalEventKey("other/paid")))
                .build();
        Belay belay = bench.worker(model(request -> SessionBench.lastReplies(request).equals("nothing")
                && ((UserMessage) request.messages().getFirst()).text().equals("Go.")
                        ? SessionBench.calls(List.of(call("l", "listen")))
                        : text("hello")),
                builder -> builder.tools(tools));
        belay.session("other").turn("Hello.").run();

        assertThat(only(resting(belay.session("s").turn("Go.").run()).waits()).kind())
                .isEqualTo(Wait.Kind.EVENT);
    }

    @Test
    void aResultThatIsAskedForWithoutPatienceIsARest() throws Exception {
        Belay belay = open(calling(List.of(REFUND)));
        InputHandle input = belay.session("s").turn("Go.").id("in").submit();
        resting(input.await());

        assertThat(input.await(java.time.Duration.ZERO)).containsInstanceOf(TurnResult.Resting.class);
        assertThat(belay.session("s").input("in").flatMap(InputHandle::result)).isEmpty();
    }
}
