package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.History;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.effect.Journal;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnHandle;
import dev.belay.runtime.store.InMemorySessions;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.tests.session.DeskTools.Ask;
import dev.belay.tests.session.DeskTools.Look;
import dev.belay.tests.session.DeskTools.Pay;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.toolset.BudgetPool;
import dev.belay.toolset.Decision;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.SpendLimit;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract N.10 where it is hardest: races, faults of the store, and loops that do not keep to what they did before. */
@Timeout(60)
class OpenTurnFaultsTest {

    private static final Toolset<DeskTools> TOOLS = Toolset.of(DeskTools.class);
    private static final CallPart LOOK = new CallPart("a", "look", "{\"at\":\"sky\"}");
    private static final CallPart PAY = new CallPart("b", "pay", "{\"amount\":5}");
    private static final CallPart ASK = new CallPart("c", "ask", "{\"question\":\"ok?\"}");

    private final SessionBench bench = new SessionBench();
    private final List<Belay> opened = new CopyOnWriteArrayList<>();
    private final Queue<String> ran = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<String> tokens = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
        bench.close();
    }

    private ToolReply execute(ToolCall<DeskTools> call) {
        return switch (call.input()) {
            case Look in -> call.run(in, ctx -> {
                ran.add("look");
                return "saw " + in.at();
            });
            case Pay in -> call.run(in, ctx -> {
                ran.add("pay " + in.amount());
                return "paid " + in.amount();
            });
            case Ask in -> call.attempt(in, ctx -> {
                tokens.add(ctx.completionKey().token());
                return ToolResult.pending();
            });
        };
    }

    private String loop(OpenTurn turn) {
        while (true) {
            switch (turn.step().tools(TOOLS).run()) {
                case Step.Finished<DeskTools, String>(String text) -> {
                    return text;
                }
                case Step.Refused<DeskTools, String>(String why) -> {
                    return why;
                }
                case Step.NeedsTools<DeskTools, String>(var round) -> {
                    if (round.commit(
                            round.calls().stream().map(this::execute).toList()) instanceof RoundEnd.Parked) {
                        return "parked";
                    }
                }
            }
        }
    }

    private static Round<DeskTools> round(OpenTurn turn) {
        return ((Step.NeedsTools<DeskTools, String>) turn.step().tools(TOOLS).run()).round();
    }

    private Belay open(Model model) {
        return bench.open(model, builder -> builder.parkAfter(Duration.ZERO));
    }

    /** What happens around a call of the store. */
    @FunctionalInterface
    private interface Around {
        void at(boolean before, String method);

        default void after(String method) {
            at(false, method);
        }

        default void before(String method) {
            at(true, method);
        }
    }

    /** A runtime whose store tells of its calls. */
    private Belay watched(Model model, Around around) {
        SessionStore real = new InMemorySessions().open();
        Journal journal = (Journal) watching(Journal.class, real.journal(), around);
        SessionStore store = (SessionStore) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{SessionStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("journal")) {
                        return journal;
                    }
                    around.before(method.getName());
                    return invoke(method, real, arguments);
                });
        Belay belay = Belay.builder().model(model).store(store).parkAfter(Duration.ZERO).build();
        opened.add(belay);
        return belay;
    }

    private static Object watching(Class<?> type, Object real, Around around) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (proxy, method, arguments) -> {
                    around.before(method.getName());
                    Object result = invoke(method, real, arguments);
                    around.after(method.getName());
                    return result;
                });
    }

    @SuppressWarnings("NullAway") // as reflection has it
    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Around once(String method, Runnable action) {
        var left = new AtomicInteger(1);
        return (before, name) -> {
            if (!before && name.equals(method) && left.getAndDecrement() == 1) {
                action.run();
            }
        };
    }

    @Test
    void aKeyThatIsSettledWhileTheTurnIsBeingPutAwayWakesItsLoop() throws Exception {
        var belay = new AtomicReference<Belay>();
        belay.set(watched(calling(List.of(ASK)),
                once("park", () -> belay.get().resolve(tokens.remove(), Resolution.ok(Json.string("yes"))))));
        belay.get().onReady("desk", this::loop);
        try (OpenTurn turn = belay.get().session("s").begin("Go.", "in", "desk")) {
            assertThat(loop(turn)).isEqualTo("parked");
        }
        assertThat(belay.get().session("s").input("in").orElseThrow().await().text()).isEqualTo("done: yes");
    }

    @Test
    void aTurnThatIsBegunAgainWhileItIsBeingPutAwayGoesOnThere() throws Exception {
        var belay = new AtomicReference<Belay>();
        var second = new LinkedBlockingQueue<OpenTurn>();
        belay.set(watched(calling(List.of(LOOK)),
                once("park", () -> second.add(belay.get().session("s").begin("Go.", "in")))));
        OpenTurn first = belay.get().session("s").begin("Go.", "in");
        first.close();
        try (OpenTurn again = second.take()) {
            assertThat(loop(again)).isEqualTo("done: saw sky");
        }
        assertThatThrownBy(() -> first.step().answer()).extracting("code").isEqualTo("turn_lost");
    }

    @Test
    void oneCallThatIsRunByTwoThreadsRunsOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            Belay belay = open(calling(List.of(PAY)));
            ran.clear();
            try (OpenTurn turn = belay.session("s" + i).begin("Go.", "in")) {
                var round = round(turn);
                Queue<ToolReply> replies = new ConcurrentLinkedQueue<>();
                Thread other = Thread.ofVirtual().start(() -> replies.add(execute(round.expectOne())));
                replies.add(execute(round.expectOne()));
                other.join();
                assertThat(replies).extracting(reply -> reply.outcome().text())
                        .containsExactly("paid 5", "paid 5");
                round.commit(List.of(replies.remove()));
                assertThat(loop(turn)).isEqualTo("done: paid 5");
            }
            assertThat(ran).hasSize(1);
        }
    }

    @Test
    void closingWaitsForACallThatRuns() throws Exception {
        Belay belay = open(calling(List.of(PAY)));
        var begun = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var replied = new LinkedBlockingQueue<String>();
        OpenTurn turn = belay.session("s").begin("Go.", "in");
        ToolCall<DeskTools> call = round(turn).expectOne();
        Thread caller = Thread.ofVirtual()
                .start(() -> replied.add(call.run((Pay) call.input(), ctx -> {
                    begun.countDown();
                    release.await();
                    return "paid late";
                }).outcome().text()));
        begun.await();
        Thread closing = Thread.ofVirtual().start(turn::close);
        release.countDown();
        closing.join();
        caller.join();
        assertThat(replied).containsExactly("paid late");
        try (OpenTurn again = belay.session("s").begin("Go.", "in")) {
            assertThat(loop(again)).isEqualTo("done: paid late");
        }
        assertThat(ran).as("the recorded call is answered").isEmpty();
    }

    @Test
    void aTurnThatCannotBeSeatedIsGivenBack() {
        var failures = new AtomicInteger();
        Belay belay = watched(calling(List.of(LOOK)), (before, method) -> {
            if (before && method.equals("messages") && failures.getAndDecrement() > 0) {
                throw new JournalException("the disk hiccups", null);
            }
        });
        try (OpenTurn turn = belay.session("s").begin("Go.", "first")) {
            loop(turn);
        }
        belay.session("other").begin("Go.", "in").close();
        for (int i = 0; i < 2; i++) {
            belay.session("fill" + i).begin("x", "in").close();
        }
        failures.set(1);
        OpenTurn turn = begunAtLast(belay);
        assertThat(loop(turn)).isEqualTo("done: saw sky");
        turn.close();
    }

    private static OpenTurn begunAtLast(Belay belay) {
        try {
            return belay.session("s").begin("Again.", "second");
        } catch (JournalException hiccup) {
            return belay.session("s").begin("Again.", "second");
        }
    }

    @Test
    void aStoreThatFailsForAMomentOnlyMakesTheLoopWait() {
        for (String method : List.of("write", "park", "commit", "effects")) {
            var failures = new AtomicInteger();
            var asked = new AtomicInteger();
            Model model = model(request -> {
                asked.incrementAndGet();
                return calling(List.of(LOOK), List.of(PAY)).complete(request);
            });
            Belay belay = watched(model, (before, name) -> {
                if (before && name.equals(method) && failures.getAndDecrement() > 0) {
                    throw new JournalException("the disk hiccups", null);
                }
            });
            ran.clear();
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                var first = round(turn);
                failures.set(1);
                first.commit(first.calls().stream().map(this::execute).toList());
                assertThat(loop(turn)).as(method).isEqualTo("done: paid 5");
                failures.set(method.equals("commit") ? 1 : 0);
            }
            assertThat(belay.session("s").head().orElseThrow().revision()).as(method).isEqualTo(1);
            assertThat(ran).as(method).contains("pay 5");
            assertThat(ran.stream().filter("pay 5"::equals)).as(method).hasSize(1);
            assertThat(belay.session("s").input("in").orElseThrow().result().orElseThrow().rounds())
                    .as(method)
                    .isEqualTo(3);
        }
    }

    @Test
    void aFailedStepIsNoAnswerToEndWith() {
        var asked = new AtomicInteger();
        Belay belay = open(model(request -> {
            if (asked.incrementAndGet() > 1) {
                throw new ModelException(ModelException.Kind.INVALID_REQUEST, "down");
            }
            return text("my plan");
        }));
        assertThatThrownBy(() -> {
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                turn.step().answer();
                loop(turn);
            }
        }).isInstanceOf(ModelException.class);
        assertThat(belay.session("s").head().orElseThrow().revision()).isZero();
        assertThat(belay.openTurns(null, 9)).hasSize(1);
    }

    @Test
    void aRoundThatWasNotCommittedIsNoAnswerToEndWith() {
        var asked = new AtomicInteger();
        Belay belay = open(
                model(request -> asked.incrementAndGet() == 1 ? text("my plan") : calls(List.of(PAY))));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            turn.step().answer();
            execute(round(turn).expectOne());
        }
        assertThat(belay.session("s").head().orElseThrow().revision()).isZero();
    }

    @Test
    void anAnswerThatCannotBeCommittedIsTold() {
        Belay belay = open(model(request -> text("hello")));
        OpenTurn turn = belay.session("s").begin("Go.", "in");
        turn.step().answer();
        belay.close();
        assertThatThrownBy(turn::close).extracting("code").isEqualTo("turn_lost");
    }

    @Test
    void aTurnCannotBeBegunInARuntimeThatIsClosed() {
        Belay belay = open(model(request -> text("hello")));
        belay.close();
        assertThatThrownBy(() -> belay.session("s").begin("Go.", "in")).extracting("code")
                .isEqualTo("journal_closed");
    }

    @Test
    void aSessionThatIsDeletedUnderItsLoopIsLost() {
        Belay belay = open(calling(List.of(LOOK), List.of(PAY)));
        OpenTurn turn = belay.session("s").begin("Go.", "in");
        var round = round(turn);
        belay.session("s").delete();
        assertThatThrownBy(() -> {
            round.commit(round.calls().stream().map(this::execute).toList());
            loop(turn);
        }).extracting("code").isEqualTo("turn_lost");
        turn.close();
    }

    @Test
    void anInputThatJoinedACancelledRoundStaysInTheConversation() throws Exception {
        Belay belay = open(calling(List.of(LOOK)));
        TurnHandle joined;
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            joined = belay.session("s").turn("One more thing.").submit();
            belay.session("s").input("in").orElseThrow().cancel("no");
            assertThatThrownBy(() -> loop(turn)).extracting("code").isEqualTo("turn_cancelled");
        }
        assertThat(joined.await().input()).satisfiesAnyOf(id -> assertThat(id).isEqualTo("in"),
                id -> assertThat(belay.session("s").messages().toString()).contains("One more thing."));
    }

    record Verdict(boolean good) {}

    @Test
    void anAnswerThatIsCorrectedIsAskedWithWhatJoinedMeanwhile() {
        List<String> requests = new CopyOnWriteArrayList<>();
        Belay belay = open(model(request -> {
            requests.add(request.messages().toString());
            return text(requests.size() == 1 ? "not JSON" : "{\"good\":true}");
        }));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            belay.session("s").turn("STOP.").submit();
            turn.step().as(Verdict.class).answer();
        }
        assertThat(requests).hasSize(2).allSatisfy(request -> assertThat(request).contains("STOP."));
        assertThat(belay.session("s").messages()).hasSize(3);
    }

    @Test
    void anOlderRoundIsStaleOnceTheModelWasAskedAgain() {
        Belay belay = open(calling(List.of(PAY)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var first = round(turn);
            var second = round(turn);
            assertThatThrownBy(() -> execute(first.expectOne())).hasMessageContaining("stale_round");
            second.commit(List.of(execute(second.expectOne())));
            assertThatThrownBy(() -> first.commit(List.of())).hasMessageContaining("stale_round");
            turn.abandon("enough");
        }
        assertThat(ran).hasSize(1);
        assertThat(History.problems(belay.session("s").messages())).isEmpty();
    }

    @Test
    void anEditedIdempotentCallIsRecordedBeforeItRuns() {
        Belay belay = open(calling(List.of(ASK)));
        ToolHooks<DeskTools> rewording = ToolHooks.of(TOOLS)
                .on(Ask.class, (call, in) -> Decision.proceed(new Ask(in.question() + "!")));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var plan = round(turn).apply(rewording);
            ToolCall<DeskTools> call = plan.pending().getFirst();
            plan.commit(List.of(call.run((Ask) call.input(), ctx -> "asked")));
        }
        assertThat(bench.writes()).contains("effect round/1/call/0/attempt/1 STARTED");
    }

    @Test
    void aCallThatWasRejectedAtFirstIsNotRunOnReplay() {
        Belay belay = open(calling(List.of(PAY), List.of(ASK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var first = round(turn);
            first.commit(List.of(first.expectOne().reject("not today")));
            assertThat(loop(turn)).isEqualTo("parked");
        }
        OpenTurn again = belay.session("s").begin("Go.", "in");
        assertThatThrownBy(() -> loop(again)).extracting("code").isEqualTo("replay_mismatch");
        assertThat(ran).isEmpty();
        assertThat(belay.stuck()).hasSize(1);
        assertThatThrownBy(() -> again.step().answer()).extracting("code").isEqualTo("session_stuck");
        again.close();
    }

    @Test
    void aStepThatIsAnsweredFromItsRecordIsNotPaidAgain() {
        Belay belay = open(calling(List.of(LOOK)));
        var pool = BudgetPool.of(SpendLimit.tokens(1_000));
        for (int i = 0; i < 3; i++) {
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                turn.step().tools(TOOLS).budget(pool).generation(Generation.PROVIDER_DECIDES).run();
            }
        }
        assertThat(pool.spent().total()).hasValue(10);
    }

    @Test
    void aListenerThatUsesTheTurnIsToldSo() {
        Belay belay = open(new ScriptedModel().reply("h"));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> turn.step().listener(event -> turn.abandon("now")).answer())
                    .hasMessageContaining("cannot use the turn itself");
        }
    }

    @Test
    void abandoningAfterAnEmptyReplyLeavesAWellFormedHistory() {
        Belay belay = open(model(request -> text("")));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> turn.step().answer()).hasMessageContaining("neither text nor calls");
            turn.abandon("silence");
        }
        assertThat(History.problems(belay.session("s").messages())).isEmpty();
    }

    @Test
    void aTurnOfTheRuntimesLoopCannotBeAbandonedAsOneOfAProgram() {
        Belay belay = bench.open(calling(List.of(new CallPart("a", "ask", "{}"))),
                builder -> builder.tools(SessionBench.asking(tokens, ToolEffect.READ))
                        .parkAfter(Duration.ZERO));
        belay.session("s").turn("Go.").submit();
        var made = new OpenTurnState(new SessionId("s"), 1, "in", null, OpenTurnState.Phase.WAITING);
        assertThatThrownBy(() -> belay.abandon(made, "x")).extracting("code").isEqualTo("unknown_turn");
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void whatCallsAndCommandsChangeAboutToolsIsKeptAlsoOnReplay() {
        var extra = StaticToolProvider.builder()
                .raw(SessionBench.tool("extra", ToolEffect.READ), (arguments, context) -> "x")
                .raw(SessionBench.tool("more", ToolEffect.READ), (arguments, context) -> "x")
                .build();
        Belay belay = bench.open(calling(List.of(LOOK), List.of(ASK)),
                builder -> builder.tools(extra).parkAfter(Duration.ZERO));
        belay.session("s").tools().setMembership(List.of("more"), false);
        for (int i = 0; i < 2; i++) {
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                var first = round(turn);
                ToolCall<DeskTools> call = first.expectOne();
                first.commit(List.of(call.run((Look) call.input(), ctx -> {
                    ((SessionToolContext) ctx).sessions().setToolMembership(List.of("extra"), false);
                    return "changed";
                })));
                assertThat(loop(turn)).isEqualTo(i == 0 ? "parked" : "done: yes");
            }
            tokens.forEach(token -> belay.resolve(token, Resolution.ok(Json.string("yes"))));
        }
        assertThat(belay.session("s").tools().list())
                .filteredOn(tool -> tool.standing() == ListedTool.Standing.MEMBER)
                .isEmpty();
    }
}
