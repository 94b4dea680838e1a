package dev.belay.tests.session;

import static dev.belay.tests.session.Desk.LOOK;
import static dev.belay.tests.session.Desk.PAY;
import static dev.belay.tests.session.Desk.TOOLS;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.schema.Description;
import dev.belay.tests.session.DeskTools.Look;
import dev.belay.tests.session.DeskTools.Pay;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.Decision;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract N.10: a turn of a session whose loop a program owns. */
class OpenTurnTest {

    private final SessionBench bench = new SessionBench();
    private final Desk desk = new Desk();

    @AfterEach
    void close() {
        bench.close();
    }

    private String run(Belay belay, String inputId) {
        try (OpenTurn turn = belay.session("s").begin("Go.", inputId)) {
            return desk.loop(turn);
        }
    }

    private static CallPart call(String id, String tool, String arguments) {
        return new CallPart(id, tool, arguments);
    }

    private Belay open(Model model) {
        return bench.open(model, builder -> builder.parkAfter(Duration.ZERO));
    }

    @Test
    void aLoopOfYourOwnLeavesACommittedTurnInTheSession() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(LOOK, PAY)));
        Session session = belay.session("s");
        assertThat(run(belay, "in")).isEqualTo("done: saw sky, paid 5");
        assertThat(desk.ran).containsExactly("look sky", "pay 5 64");
        assertThat(session.messages()).hasSize(4);
        TurnResult.Ended result = session.input("in").orElseThrow().result().orElseThrow();
        assertThat(result).isInstanceOf(TurnResult.Finished.class);
        assertThat(result.text()).isEqualTo("done: saw sky, paid 5");
        assertThat(result.rounds()).isEqualTo(2);
        assertThat(result.usage().total()).hasValue(25);
        assertThat(session.turn("And now?").run().ended().text()).as("the runtime's loop goes on")
                .contains("done");
        assertThat(session.messages()).as("with what was said before").hasSizeGreaterThan(6);
    }

    @Test
    void everyCallIsRecordedLikeThoseOfTheRuntimesLoop() {
        Belay belay = open(SessionBench.calling(List.of(LOOK, PAY)));
        run(belay, "in");
        assertThat(bench.writes()).containsSubsequence("effect round/1 COMPLETED",
                "effect round/1/call/0/attempt/1 COMPLETED", "effect round/1/call/1/attempt/1 STARTED",
                "effect round/1/call/1/attempt/1 COMPLETED", "effect round/2 COMPLETED");
        assertThat(bench.writes().stream().filter(write -> !write.startsWith("take"))).hasSize(7);
    }

    @Test
    void theSameInputIdAfterTheCommitIsTheCommittedTurn() {
        Belay belay = open(SessionBench.calling(List.of(LOOK)));
        run(belay, "in");
        OpenTurn again = belay.session("s").begin("Go.", "in");
        assertThat(again.result().map(TurnResult.Ended::text)).contains("done: saw sky");
        assertThatThrownBy(again::step).extracting("code").isEqualTo("turn_ended");
        again.close();
        assertThatThrownBy(() -> belay.session("s").begin("Else.", "in")).extracting("code")
                .isEqualTo("input_conflict");
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void anInputOfTheRuntimesLoopIsNoOpenTurn() throws Exception {
        Belay belay = open(SessionBench.calling());
        belay.session("s").turn("Go.").id("in").run();
        assertThatThrownBy(() -> belay.session("s").begin("Go.", "in")).extracting("code")
                .isEqualTo("input_conflict");
        assertThatThrownBy(() -> belay.session("s").begin("Go.", "in2", "bad\nname"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void recordedRoundsComeBackAndUnrecordedCallsArePendingAgain() {
        var asked = new AtomicInteger();
        Model model = model(request -> {
            asked.incrementAndGet();
            return SessionBench.calling(List.of(LOOK, PAY)).complete(request);
        });
        Belay one = open(model);
        try (OpenTurn turn = one.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            desk.execute(round.calls().getFirst());
        }
        assertThat(one.openTurns(null, 9)).singleElement().satisfies(open -> {
            assertThat(open.inputId()).isEqualTo("in");
            assertThat(open.phase()).isEqualTo(OpenTurnState.Phase.WAITING);
        });
        one.close();
        Belay two = open(model);
        assertThat(run(two, "in")).isEqualTo("done: saw sky, paid 5");
        assertThat(desk.ran).as("the recorded call is answered").containsExactly("look sky", "pay 5 64");
        assertThat(asked).as("the recorded round is not asked again").hasValue(2);
        assertThat(two.openTurns(null, 9)).isEmpty();
    }

    @Test
    void aStartedCallWithoutAnOutcomeIsInDoubt() throws Exception {
        Model model = SessionBench.calling(List.of(PAY));
        SessionBench.Dying one = bench.dying(model,
                Death.at(Moment.BEFORE, "effect round/1/call/0/attempt/1 COMPLETED"), builder -> builder);
        Thread.ofVirtual().start(() -> run(one.belay, "in"));
        one.awaitDeath();
        Belay two = open(model);
        assertThat(two.openTurns(null, 9)).as("recovery does not take it").hasSize(1);
        assertThat(run(two, "in")).contains("in_doubt");
        assertThat(desk.ran).as("the body is not run again").hasSize(1);
    }

    @Test
    void recoveryNeverTakesATurnWithoutALoop() throws Exception {
        Model model = SessionBench.calling(List.of(LOOK));
        SessionBench.Dying one = bench.dying(model, Death.at(Moment.AFTER, "effect round/1 COMPLETED"),
                builder -> builder);
        Thread.ofVirtual().start(() -> run(one.belay, "in"));
        one.awaitDeath();
        Belay two = open(model);
        two.session("other").turn("Work.").run();
        assertThat(bench.writes()).noneMatch(write -> write.startsWith("take"));
        assertThat(two.openTurns(null, 9)).extracting(OpenTurnState::phase)
                .containsExactly(OpenTurnState.Phase.RUNNING);
        assertThat(run(two, "in")).isEqualTo("done: saw sky");
    }

    @Test
    void abandonClosesATurnWithAWellFormedHistory() {
        Belay belay = open(SessionBench.calling(List.of(LOOK, PAY)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            desk.execute(round.calls().getFirst());
        }
        OpenTurnState left = belay.openTurns(null, 9).getFirst();
        assertThat(belay.abandon(left, "nobody comes back")).isEqualTo(VerbResult.DONE);
        assertThat(belay.abandon(left, "again")).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.openTurns(null, 9)).isEmpty();
        List<Message> messages = belay.session("s").messages();
        assertThat(messages).hasSize(3);
        assertThat(((ToolMessage) messages.get(2)).replies()).extracting(reply -> reply.text())
                .satisfiesExactly(look -> assertThat(look).isEqualTo("saw sky"),
                        pay -> assertThat(pay).contains("nobody comes back"));
        TurnResult.Ended result = belay.session("s").input("in").orElseThrow().result().orElseThrow();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class,
                stopped -> assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.ABANDONED));
    }

    @Test
    void abandonKeepsWhatTheLoopAnsweredItselfAndLeavesOutWhatItDropped() {
        var asked = new AtomicInteger();
        Belay belay = open(model(request -> switch (asked.incrementAndGet()) {
            case 1 -> calls(List.of(LOOK));
            case 2 -> text("dropped"); // of no use for a typed answer
            default -> calls(List.of(PAY));
        }));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            round.commit(List.of(round.expectOne().reject("not today")));
            var next = turn.step().tools(TOOLS).as(Verdict.class).run();
            assertThat(next).isInstanceOf(Step.NeedsTools.class);
            turn.abandon("enough");
            assertThat(turn.result()).isPresent();
        }
        assertThat(belay.session("s").messages().toString()).contains("Rejected: not today")
                .doesNotContain("dropped")
                .contains("enough");
        assertThat(belay.session("s").messages()).hasSize(5);
    }

    record Verdict(boolean good) {}

    /** A tool that counts how often its arguments are decoded. */
    @Tools
    sealed interface CountedTools {

        AtomicInteger DECODED = new AtomicInteger();

        @Description("Counts.")
        record Count(String word) implements CountedTools, ToolInput<String> {

            public Count {
                DECODED.incrementAndGet();
            }
        }
    }

    @Test
    void aCallIsDecodedOnce() {
        Belay belay = open(SessionBench.calling(List.of(call("a", "count", "{\"word\":\"x\"}"))));
        CountedTools.DECODED.set(0);
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var step = turn.step().tools(Toolset.of(CountedTools.class)).run();
            var call = ((Step.NeedsTools<CountedTools, String>) step).round().expectOne();
            assertThat(call.run((CountedTools.Count) call.input(), ctx -> "once").outcome().text())
                    .isEqualTo("once");
        }
        assertThat(CountedTools.DECODED).hasValue(1);
    }

    @Test
    void callsOfARoundMayRunSideBySide() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(LOOK, call("x", "look", "{\"at\":\"sea\"}"))));
        var together = new CyclicBarrier(2);
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            List<ToolReply> replies = new CopyOnWriteArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (ToolCall<DeskTools> call : round.calls()) {
                threads.add(Thread.ofVirtual().start(() -> replies.add(call.run((Look) call.input(), ctx -> {
                    together.await(30, TimeUnit.SECONDS);
                    return "both";
                }))));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            round.commit(replies);
            assertThat(desk.loop(turn)).isEqualTo("done: both, both");
        }
    }

    @Test
    void hooksEditWhatIsRecordedAndRun() {
        Belay belay = open(SessionBench.calling(List.of(PAY)));
        ToolHooks<DeskTools> halving = ToolHooks.of(TOOLS)
                .on(Pay.class, (call, in) -> Decision.proceed(new Pay(in.amount() / 2)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            var plan = round.apply(halving);
            plan.commit(plan.pending().stream().map(desk::execute).toList());
            assertThat(desk.loop(turn)).isEqualTo("done: paid 2");
        }
        assertThat(desk.ran).containsExactly("pay 2 64");
    }

    @Test
    void aLoopThatRunsACallWithOtherArgumentsThanRecordedIsAMismatch() {
        Model model = SessionBench.calling(List.of(PAY));
        Belay belay = open(model);
        for (int[] factor = {2}; factor[0] < 4; factor[0]++) {
            ToolHooks<DeskTools> changing = ToolHooks.of(TOOLS)
                    .on(Pay.class, (call, in) -> Decision.proceed(new Pay(in.amount() * factor[0])));
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                var round = Desk.round(turn);
                var plan = round.apply(changing);
                if (factor[0] == 2) {
                    desk.execute(plan.pending().getFirst());
                } else {
                    assertThatThrownBy(() -> desk.execute(plan.pending().getFirst()))
                            .extracting("code")
                            .isEqualTo("replay_mismatch");
                }
            }
        }
        assertThat(desk.ran).containsExactly("pay 10 64");
        assertThat(belay.stuck()).hasSize(1);
    }

    @Test
    void inputsThatArriveMeanwhileAreTakenIntoTheNextStep() throws Exception {
        List<String> read = new CopyOnWriteArrayList<>();
        Model model = model(request -> {
            read.add(request.messages().toString());
            return SessionBench.roundsSinceUser(request) == 0 && read.size() == 1
                    ? calls(List.of(LOOK))
                    : text("all read");
        });
        Belay belay = open(model);
        InputHandle joined;
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            joined = belay.session("s").turn("One more thing.").id("more").submit();
            desk.commit(round);
            assertThat(desk.loop(turn)).isEqualTo("all read");
        }
        assertThat(read.get(1)).contains("One more thing.");
        TurnResult.Ended result = joined.awaitCommit();
        assertThat(result.input()).isEqualTo("in");
        assertThat(result.text()).isEqualTo("all read");
        assertThat(belay.session("s").messages()).extracting(Message::getClass)
                .containsExactly(Message.UserMessage.class, AssistantMessage.class, ToolMessage.class,
                        Message.UserMessage.class, AssistantMessage.class);
    }

    @Test
    void aSessionHasOneTurnAtATime() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(LOOK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> belay.session("s").begin("Else.", "other"))
                    .extracting("code")
                    .isEqualTo("session_busy");
            assertThatThrownBy(() -> belay.session("s").begin("Go.", "in")).extracting("code")
                    .isEqualTo("turn_busy");
            assertThat(belay.abandon(belay.openTurns(null, 9).getFirst(), "x"))
                    .isInstanceOf(VerbResult.NotPossible.class);
            assertThat(desk.loop(turn)).contains("saw sky");
        }
        assertThat(belay.session("s").begin("Else.", "other").turn()).isEqualTo(2);
    }

    @Test
    void cancellingEndsTheNextStepAndClosingCommitsTheTurnAsCancelled() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(LOOK), List.of(LOOK)));
        InputHandle handle;
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            desk.commit(round);
            handle = belay.session("s").input("in").orElseThrow();
            handle.cancel("changed my mind");
            assertThat(turn.cancellation().reason()).contains("changed my mind");
            assertThatThrownBy(() -> desk.loop(turn)).hasMessageContaining("changed my mind")
                    .extracting("code")
                    .isEqualTo("turn_cancelled");
        }
        assertThat(handle.awaitCommit()).isInstanceOfSatisfying(TurnResult.Stopped.class,
                stopped -> assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.CANCELLED));
        assertThat(belay.session("s").messages()).hasSize(3);
    }

    @Test
    void aModelThatFailsIsToldToTheLoopAndMayBeAskedAgain() {
        var asked = new AtomicInteger();
        Belay belay = open(model(request -> {
            if (asked.incrementAndGet() == 1) {
                throw new ModelException(ModelException.Kind.INVALID_REQUEST, "no such model");
            }
            return text("better");
        }));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> turn.step().tools(TOOLS).run()).isInstanceOf(ModelException.class);
            assertThat(turn.step().answer()).isNotNull();
        }
        assertThat(belay.session("s").input("in").orElseThrow().result().map(TurnResult.Ended::text))
                .contains("better");
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void aTurnWithoutAnAnswerCannotBeFinishedButMayEndWithAValue() {
        Belay belay = open(SessionBench.calling(List.of(LOOK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(turn::finish).extracting("code").isEqualTo("turn_unfinished");
            TurnResult.Ended result = turn.finish(Json.of("{\"x\":1}"));
            assertThat(((TurnResult.Finished) result).value()).contains(Json.of("{\"x\":1}"));
            assertThat(turn.result()).contains(result);
            assertThatThrownBy(() -> turn.step().answer()).extracting("code").isEqualTo("turn_ended");
        }
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void aRuntimeThatClosesLeavesTheTurnToTheNext() throws Exception {
        Model model = SessionBench.calling(List.of(LOOK));
        Belay one = open(model);
        OpenTurn turn = one.session("s").begin("Go.", "in");
        turn.step().tools(TOOLS).run();
        one.close();
        assertThatThrownBy(() -> turn.step().tools(TOOLS).run()).extracting("code").isEqualTo("turn_lost");
        turn.close();
        Belay two = open(model);
        assertThat(run(two, "in")).isEqualTo("done: saw sky");
        assertThat(Optional.of(two.stuck())).contains(List.of());
    }
}
