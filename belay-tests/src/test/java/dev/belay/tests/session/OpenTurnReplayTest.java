package dev.belay.tests.session;

import static dev.belay.tests.session.Desk.ASK;
import static dev.belay.tests.session.Desk.LOOK;
import static dev.belay.tests.session.Desk.PAY;
import static dev.belay.tests.session.Desk.TOOLS;
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
import dev.belay.runtime.Belay;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.tests.session.DeskTools.Ask;
import dev.belay.tests.session.DeskTools.Look;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.toolset.Decision;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract N.10 and L.3: what a program's own loop leaves behind, and what may differ when it runs again. */
class OpenTurnReplayTest {

    record Verdict(boolean good) {}

    private final SessionBench bench = new SessionBench();
    private final Desk desk = new Desk();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay open(Model model) {
        return bench.open(model, builder -> builder.parkAfter(Duration.ZERO));
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
                desk.loop(turn);
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
            desk.execute(Desk.round(turn).expectOne());
        }
        assertThat(belay.session("s").head().orElseThrow().revision()).isZero();
    }

    @Test
    void anInputThatJoinedACancelledRoundStaysInTheConversation() throws Exception {
        Belay belay = open(calling(List.of(LOOK)));
        InputHandle joined;
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            joined = belay.session("s").turn("One more thing.").submit();
            belay.session("s").input("in").orElseThrow().cancel("no");
            assertThatThrownBy(() -> desk.loop(turn)).extracting("code").isEqualTo("turn_cancelled");
        }
        assertThat(joined.awaitCommit().input()).satisfiesAnyOf(id -> assertThat(id).isEqualTo("in"),
                id -> assertThat(belay.session("s").messages().toString()).contains("One more thing."));
    }

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
            var first = Desk.round(turn);
            var second = Desk.round(turn);
            assertThatThrownBy(() -> desk.execute(first.expectOne())).hasMessageContaining("stale_round");
            second.commit(List.of(desk.execute(second.expectOne())));
            assertThatThrownBy(() -> first.commit(List.of())).hasMessageContaining("stale_round");
            turn.abandon("enough");
        }
        assertThat(desk.ran).hasSize(1);
        assertThat(History.problems(belay.session("s").messages())).isEmpty();
    }

    @Test
    void anEditedIdempotentCallIsRecordedBeforeItRuns() {
        Belay belay = open(calling(List.of(ASK)));
        ToolHooks<DeskTools> rewording = ToolHooks.of(TOOLS)
                .on(Ask.class, (call, in) -> Decision.proceed(new Ask(in.question() + "!")));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var plan = Desk.round(turn).apply(rewording);
            ToolCall<DeskTools> call = plan.pending().getFirst();
            plan.commit(List.of(call.run((Ask) call.input(), ctx -> "asked")));
        }
        assertThat(bench.writes()).contains("effect round/1/call/0/attempt/1 STARTED");
    }

    @Test
    void aCallThatWasRejectedAtFirstIsNotRunOnReplay() {
        Belay belay = open(calling(List.of(PAY), List.of(ASK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var first = Desk.round(turn);
            first.commit(List.of(first.expectOne().reject("not today")));
            assertThat(desk.loop(turn)).isEqualTo("parked");
        }
        OpenTurn again = belay.session("s").begin("Go.", "in");
        assertThatThrownBy(() -> desk.loop(again)).extracting("code").isEqualTo("replay_mismatch");
        assertThat(desk.ran).containsExactly("ask ok?");
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
    void abandoningAfterAnEmptyReplyLeavesAWellFormedHistory() {
        Belay belay = open(model(request -> text("")));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> turn.step().answer()).hasMessageContaining("neither text nor calls");
            turn.abandon("silence");
        }
        assertThat(History.problems(belay.session("s").messages())).isEmpty();
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
                var first = Desk.round(turn);
                ToolCall<DeskTools> call = first.expectOne();
                first.commit(List.of(call.run((Look) call.input(), ctx -> {
                    ((SessionToolContext) ctx).sessions().setToolMembership(List.of("extra"), false);
                    return "changed";
                })));
                assertThat(desk.loop(turn)).isEqualTo(i == 0 ? "parked" : "done: yes");
            }
            desk.tokens.forEach(token -> belay.resolve(token, Resolution.ok(Json.string("yes"))));
        }
        assertThat(belay.session("s").tools().list())
                .filteredOn(tool -> tool.standing() == ListedTool.Standing.MEMBER)
                .isEmpty();
    }

    @Test
    void whatTheLoopAnswersItselfIsRecordedWithTheNextRound() {
        var times = new AtomicInteger();
        Model model = SessionBench.calling(List.of(LOOK), List.of(ASK));
        Belay one = open(model);
        try (OpenTurn turn = one.session("s").begin("Go.", "in")) {
            firstAnswered(turn, times);
            assertThat(desk.loop(turn)).isEqualTo("parked");
        }
        one.resolve(desk.tokens.remove(), new Resolution.Ok(Json.string("yes")));
        try (OpenTurn turn = one.session("s").begin("Go.", "in")) {
            firstAnswered(turn, times);
            assertThat(desk.loop(turn)).isEqualTo("done: yes");
        }
        assertThat(times).hasValue(2);
        assertThat(one.session("s").messages().toString()).contains("time 1").doesNotContain("time 2");
    }

    private static void firstAnswered(OpenTurn turn, AtomicInteger times) {
        var round = Desk.round(turn);
        ToolCall<DeskTools> call = round.expectOne();
        round.commit(List.of(call.complete((Look) call.input(), "time " + times.incrementAndGet())));
    }
}
