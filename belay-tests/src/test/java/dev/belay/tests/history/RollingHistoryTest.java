package dev.belay.tests.history;

import static dev.belay.tests.history.HistoryBench.LONG;
import static dev.belay.tests.history.HistoryBench.look;
import static dev.belay.tests.history.HistoryBench.tokens;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.RollingHistory;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Contract O.9: rolling history, which a runtime has by itself. */
class RollingHistoryTest {

    private static final int CONTEXT = 10_000;

    private final HistoryBench bench = new HistoryBench();

    /** Where sessions are kept; a new place each time. */
    Store store() {
        return InMemoryStore.open();
    }

    private Belay open(int calls, int thousands) {
        return Belay.builder()
                .store(store())
                .model(bench.looking(calls))
                .tools(look(thousands))
                .maxContextTokens(CONTEXT)
                .build();
    }

    private static void turns(Session session, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            assertThat(session.turn("Question " + i).run()).isInstanceOf(TurnResult.Finished.class);
        }
    }

    private static void turnsUntil(Session session, BooleanSupplier is) throws InterruptedException {
        for (int i = 0; !is.getAsBoolean(); i++) {
            assertThat(i).as("turns").isLessThan(100);
            turns(session, 1);
        }
    }

    private static String everything(ModelRequest request) {
        var all = new StringBuilder();
        request.messages().forEach(message -> all.append(dev.belay.model.MessageJson.of(message)));
        return all.toString();
    }

    @Test
    void noRequestExceedsTheContextAndNoTurnFails() throws Exception {
        try (Belay belay = open(2, 1)) {
            turns(belay.session("s"), 40);
            assertThat(bench.requests).hasSize(120)
                    .allSatisfy(request -> assertThat(tokens(request)).isLessThanOrEqualTo(CONTEXT));
            assertThat(belay.session("s").history()).hasSizeGreaterThan(3);
        }
    }

    @Test
    void aStepGoesFromEightyPercentToFifty() throws Exception {
        try (Belay belay = open(2, 1)) {
            turns(belay.session("s"), 20);
            assertThat(belay.session("s").history()).isNotEmpty().allSatisfy(step -> {
                assertThat(step.reason()).isEqualTo(Reason.FULL);
                assertThat(step.plugin()).isEqualTo(RollingHistory.ID);
                assertThat(step.tokensBefore()).isBetween(CONTEXT * 75L / 100, CONTEXT * 100L / 100);
                assertThat(step.tokensAfter()).isLessThanOrEqualTo(CONTEXT * 50L / 100);
            });
        }
    }

    @Test
    void oldOutputsShrinkToTheirHeadsBeforeARoundIsSummarised() throws Exception {
        try (Belay belay = open(2, 1)) {
            Session session = belay.session("s");
            turnsUntil(session, () -> !session.history().isEmpty());
            Compaction first = session.history().getFirst();
            assertThat(first.shortened()).isPositive();
            assertThat(first.dropped()).isZero();
            assertThat(bench.summaries).isEmpty();
            ToolMessage oldest = (ToolMessage) bench.requests.getLast().messages().get(2);
            assertThat(oldest.replies().getFirst().text()).startsWith(LONG.substring(0, 400))
                    .endsWith("[The rest of this old output was left out: " + (LONG.length() - 400)
                            + " characters.]");
            turnsUntil(session, () -> session.history().stream().anyMatch(step -> step.dropped() > 0));
            assertThat(session.history().getLast().models()).containsExactly("default");
            assertThat(bench.summaries).isNotEmpty();
        }
    }

    @Test
    void betweenStepsRequestsOnlyGrowAtTheEnd() throws Exception {
        try (Belay belay = open(3, 1)) {
            turns(belay.session("s"), 50);
            assertThat(bench.requests).hasSize(200);
            int changes = HistoryBench
                    .changedBeginnings(bench.requests.stream().map(ModelRequest::messages).toList());
            assertThat(changes).isEqualTo(belay.session("s").history().size()).isBetween(5, 60);
        }
    }

    @Test
    void theConversationIsNeverRewrittenAndAForkBeforeAStepSeesEverything() throws Exception {
        try (Belay belay = open(2, 1)) {
            Session session = belay.session("s");
            turnsUntil(session, () -> !session.history().isEmpty());
            long turn = session.history().getFirst().turn();
            assertThat(session.messages()).hasSize((int) turn * 6)
                    .allSatisfy(message -> assertThat(message.toString()).doesNotContain("left out"));
            Session before = session.fork("before", turn - 1);
            before.turn("And?").maxContextTokens(1_000_000).run();
            assertThat(everything(bench.requests.getLast())).doesNotContain("left out");
            Session after = session.fork("after");
            after.turn("And?").maxContextTokens(1_000_000).run();
            assertThat(everything(bench.requests.getLast())).contains("left out");
            assertThat(before.history()).isEmpty();
            assertThat(after.history()).isEqualTo(session.history());
        }
    }

    @Test
    void roundsOfTheRunningTurnGoOnlyWhenAllOlderOnesAreGone() throws Exception {
        try (Belay belay = open(1, 1)) {
            turns(belay.session("s"), 3);
        }
        var one = new HistoryBench();
        try (Belay belay = Belay.builder()
                .store(store())
                .model(one.answering(request -> one.requests.size() % 31 == 0
                        ? text("done")
                        : calls(List.of(call("call-" + one.requests.size(), "look")))))
                .tools(look(1))
                .maxContextTokens(CONTEXT)
                .build()) {
            Session session = belay.session("s");
            assertThat(session.turn("Look thirty times.").run()).isInstanceOf(TurnResult.Finished.class);
            assertThat(session.turn("Again.").run()).isInstanceOf(TurnResult.Finished.class);
            assertThat(one.requests).allSatisfy(request -> {
                assertThat(tokens(request)).isLessThanOrEqualTo(CONTEXT);
                String question = one.requests.indexOf(request) <= 30 ? "Look thirty times." : "Again.";
                assertThat(request.messages()).as("what the user says now stays")
                        .contains(Message.user(question));
                assertThat(request.messages().getLast()).as("what the model has not read stays as it is")
                        .satisfiesAnyOf(last -> assertThat(last).isInstanceOf(Message.UserMessage.class),
                                last -> assertThat(((ToolMessage) last).replies().getFirst().text())
                                        .isEqualTo(LONG));
            });
            ModelRequest early = one.requests.get(33);
            assertThat(early.messages()).as("three rounds of the second turn are whole")
                    .filteredOn(ToolMessage.class::isInstance)
                    .filteredOn(tool -> ((ToolMessage) tool).replies().getFirst().text().equals(LONG))
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void aSummaryNamesItsModelAndCountsAsUsageOfItsTurn() throws Exception {
        var small = new HistoryBench();
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(1))
                .model("small", small.looking(0))
                .tools(look(1))
                .maxContextTokens(4_000)
                .configurePlugins(stack -> stack.replace(
                        new RollingHistory(RollingHistory.Config.DEFAULT.withModel("small"))))
                .build()) {
            Session session = belay.session("s");
            TurnResult.Ended result = session.turn("0").run().ended();
            for (int i = 1; small.summaries.isEmpty() && i < 100; i++) {
                result = session.turn("Question " + i + " " + "word ".repeat(300)).run().ended();
            }
            assertThat(bench.summaries).isEmpty();
            int asked = small.summaries.size();
            assertThat(result.usage()).as("call, answer, summaries")
                    .isEqualTo(Usage.of(7 + 10 + 100 * asked, 3 + 5 + 20 * asked));
            assertThat(session.history().getLast().models()).containsOnly("small");
            assertThat(bench.requests.getLast().messages().getFirst()).isInstanceOfSatisfying(
                    Message.UserMessage.class, first -> assertThat(first.text()).startsWith("[Summary of ")
                            .contains("by model small:]\nThey looked around"));
        }
    }

    @Test
    void aSummaryCountsForTheBoundOfItsTurn() throws Exception {
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(1))
                .tools(look(1))
                .maxContextTokens(4_000)
                .bounds(TurnBounds.DEFAULT.withMaxTokens(60)) // a turn needs 25, a summary 120
                .build()) {
            Session session = belay.session("s");
            TurnResult.Ended result = session.turn("0").run().ended();
            for (int i = 1; bench.summaries.isEmpty() && i < 100; i++) {
                assertThat(result).isInstanceOf(TurnResult.Finished.class);
                result = session.turn("Question " + i + " " + "word ".repeat(300)).run().ended();
            }
            assertThat(((TurnResult.Stopped) result).cause()).isEqualTo(TurnEnd.Cause.TOKEN_BUDGET);
        }
    }

    @Test
    void aSummaryThatFailsFallsBackToCutting() throws Exception {
        try (Belay belay = Belay.builder().store(store()).model(model(request -> {
            if (HistoryBench.isSummary(request)) {
                throw new ModelException(ModelException.Kind.UNAVAILABLE, "down");
            }
            bench.requests.add(request);
            return text("ok");
        })).maxContextTokens(2_000).build()) {
            Session session = belay.session("s");
            for (int i = 0; session.history().isEmpty() && i < 100; i++) {
                assertThat(session.turn(i + " word".repeat(300)).run())
                        .isInstanceOf(TurnResult.Finished.class);
            }
            assertThat(session.history().getFirst().models()).containsExactly("default");
            assertThat(bench.requests.getLast().messages().getFirst()).isInstanceOfSatisfying(
                    Message.UserMessage.class, first -> assertThat(first.text())
                            .matches("\\[\\d+ earlier messages of this conversation were left out.]"));
        }
    }

    @Test
    void aSummaryOfALongPastIsAskedInParts() throws Exception {
        try (Belay belay = Belay.builder().store(store()).model(bench.looking(0)).build()) {
            Session session = belay.session("s");
            for (int i = 0; i < 30; i++) {
                session.turn(i + " word".repeat(300)).run();
            }
            session.turn("And now with little room?").maxContextTokens(2_000).run();
            assertThat(bench.summaries).hasSizeGreaterThan(4)
                    .allSatisfy(request -> assertThat(tokens(request)).isLessThan(2_000));
            assertThat(bench.summaries.getLast().messages().getLast().toString())
                    .contains("Summary of what came before:\nThey looked around");
            assertThat(tokens(bench.requests.getLast())).isLessThan(1_000);
        }
    }

    @Test
    void anInputLargerThanTheContextEndsItsTurnAndSpoilsNoOther() throws Exception {
        try (Belay belay = open(0, 1)) {
            Session session = belay.session("s");
            turns(session, 2);
            TurnResult.Ended huge = session.turn("word ".repeat(40_000)).run().ended();
            assertThat(huge).isInstanceOfSatisfying(TurnResult.Stopped.class, stop -> {
                assertThat(stop.cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
                assertThat(stop.evidence().get("code")).contains(Json.string("context_too_long"));
                assertThat(stop.message()).contains("estimated at").contains("has " + CONTEXT);
            });
            assertThat(session.history()).as("nothing was lost for it").isEmpty();
            assertThat(bench.summaries).as("no model was asked for it").isEmpty();
            TurnResult.Ended next = session.turn("Still there?").run().ended();
            assertThat(next).isInstanceOf(TurnResult.Finished.class);
            assertThat(everything(bench.requests.getLast())).contains("Question 0")
                    .contains("An input of 200000 characters was left out here");
            assertThat(session.messages()).as("the conversation has it")
                    .contains(Message.user("word ".repeat(40_000)));
        }
    }

    @Test
    void whatAProgramAsksForIsDoneBeforeTheNextRound() throws Exception {
        try (Belay belay = open(0, 1)) {
            Session session = belay.session("s");
            turns(session, 6);
            session.compact();
            assertThat(session.history()).isEmpty();
            turns(session, 2);
            assertThat(session.history()).hasSize(1).first().satisfies(step -> {
                assertThat(step.reason()).isEqualTo(Reason.ASKED);
                assertThat(step.turn()).isEqualTo(7);
                assertThat(step.dropped()).isPositive();
            });
        }
    }

    @Test
    void whatIsAskedForDuringATurnWaitsForItsNextRound() throws Exception {
        List<Session> sessions = new ArrayList<>();
        try (Belay belay = Belay.builder().store(store()).model(bench.answering(request -> {
            if (bench.requests.size() == 5) {
                sessions.getFirst().compact();
            }
            return request.messages().getLast() instanceof ToolMessage || bench.requests.size() < 5
                    ? text("ok")
                    : calls(List.of(call("a", "look")));
        })).tools(look(1)).build()) {
            sessions.add(belay.session("s"));
            turns(sessions.getFirst(), 5);
            assertThat(sessions.getFirst().history()).singleElement().satisfies(step -> {
                assertThat(step.turn()).isEqualTo(5);
                assertThat(step.round()).isEqualTo(2);
            });
        }
    }

    @Test
    void aLoopOfYourOwnIsKeptShortToo() {
        try (Belay belay = open(0, 1)) {
            Session session = belay.session("s");
            for (int i = 0; i < 30; i++) {
                try (OpenTurn turn = session.begin("Question " + i + " word".repeat(700))) {
                    turn.step().answer();
                }
            }
            assertThat(session.history()).isNotEmpty();
            assertThat(bench.requests)
                    .allSatisfy(request -> assertThat(tokens(request)).isLessThanOrEqualTo(CONTEXT));
            assertThat(session.messages()).hasSize(60);
        }
    }

    @Test
    void withoutTheSizeOfAContextNothingIsShortened() throws Exception {
        try (Belay belay = Belay.builder().store(store()).model(bench.looking(1)).tools(look(4)).build()) {
            turns(belay.session("s"), 10);
            assertThat(belay.session("s").history()).isEmpty();
        }
    }

    @Test
    void withoutThePluginAFullContextEndsTheTurn() throws Exception {
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(0))
                .plugins(PluginStack.empty())
                .maxContextTokens(100)
                .build()) {
            Session session = belay.session("s");
            assertThat(session.turn("word ".repeat(80)).run()).isInstanceOf(TurnResult.Finished.class);
            assertThat(session.turn("word ".repeat(20)).run().ended())
                    .isInstanceOf(TurnResult.Stopped.class);
        }
    }
}
