package dev.belay.toolset;

import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.asked;
import static dev.belay.toolset.Shop.findOrders;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Contract N.4 and N.5: a round enters the transcript whole and checked, or not at all. */
class RoundCommitTest {

    private static ScriptStep echoes(int count) {
        ScriptStep says = ScriptStep.text("Let me see.");
        for (int i = 0; i < count; i++) {
            says = says.andCall("id" + i, "echo", "{\"text\":\"" + i + "\"}");
        }
        return says;
    }

    private static ToolReply reply(ToolCall<ShopTools> call) {
        return call.complete((Echo) call.input(), "said " + ((Echo) call.input()).text());
    }

    private static List<ToolReply> replies(Round<ShopTools> round) {
        return round.calls().stream().map(RoundCommitTest::reply).toList();
    }

    private static List<CommitException.Problem> problems(Round<ShopTools> round,
            Collection<ToolReply> replies) {
        return ((CommitException) refusal(() -> round.commit(replies))).problems();
    }

    private static List<String> codes(List<CommitException.Problem> problems) {
        return problems.stream()
                .map(problem -> problem.code() + (problem.callId() == null ? "" : " " + problem.callId()))
                .toList();
    }

    /** Row 31. */
    @Test
    void aRoundIsInTheTranscriptOnlyAfterItsCommit() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, echoes(2));
        List<ToolReply> replies = replies(round);
        assertThat(transcript.messages()).hasSize(1);
        round.commit(replies);
        assertThat(transcript.messages()).hasSize(3);
        assertThat(transcript.messages().get(1)).isEqualTo(Message.assistant(
                new TextPart("Let me see."), new CallPart("id0", "echo", "{\"text\":\"0\"}"),
                new CallPart("id1", "echo", "{\"text\":\"1\"}")));
    }

    /** Row 30. */
    @Test
    void repliesAreStoredInTheAssistantsOrderHoweverTheyAreShuffled() {
        long seed = 20_260_731;
        var random = new Random(seed);
        for (int run = 0; run < 20; run++) {
            Transcript transcript = asked();
            Round<ShopTools> round = round(transcript, echoes(12));
            List<ToolReply> replies = new ArrayList<>(replies(round));
            Collections.shuffle(replies, random);
            round.commit(replies);
            assertThat(((Message.ToolMessage) transcript.messages().getLast()).replies()
                    .stream()
                    .map(ReplyPart::text)).as("seed %d, run %d", seed, run)
                    .containsExactly("said 0", "said 1", "said 2", "said 3", "said 4", "said 5", "said 6",
                            "said 7", "said 8", "said 9", "said 10", "said 11");
        }
    }

    @Test
    void callsAreRunBySeveralThreadsAndCommittedByOne() throws Exception {
        Round<ShopTools> round = round(echoes(200));
        List<Future<ToolReply>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (ToolCall<ShopTools> call : round.calls().reversed()) {
                running.add(threads.submit(() -> call.run((Echo) call.input(), ctx -> ctx.callId().value())));
            }
        }
        List<ToolReply> replies = new ArrayList<>();
        for (Future<ToolReply> each : running) {
            replies.add(each.get());
        }
        assertThat(((RoundEnd.Committed) round.commit(replies)).replies()).hasSize(200)
                .allSatisfy(reply -> assertThat(reply.text()).isEqualTo(reply.callId()));
    }

    /** Row 29. */
    @Test
    void aMissingReplyIsRefused() {
        Round<ShopTools> round = round(echoes(3));
        assertThat(codes(problems(round, List.of(reply(round.calls().get(1))))))
                .containsExactly("missing_reply id0", "missing_reply id2");
    }

    /** Row 29. */
    @Test
    void aSecondReplyToOneCallIsRefused() {
        Round<ShopTools> round = round(echoes(1));
        ToolCall<ShopTools> call = round.expectOne();
        assertThat(codes(problems(round, List.of(reply(call), call.fail("or not")))))
                .containsExactly("duplicate_reply id0");
    }

    /** Row 29: a reply with a name or arguments of another call cannot be made; one of another round is foreign. */
    @Test
    void aReplyOfAnotherRoundIsRefused() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, echoes(1));
        Round<ShopTools> sameMessage = round(transcript, echoes(1));
        assertThat(codes(problems(round, List.of(reply(round.expectOne()), reply(sameMessage.expectOne())))))
                .containsExactly("foreign_reply id0");
        assertThat(codes(problems(round, replies(sameMessage))))
                .containsExactly("foreign_reply id0", "missing_reply id0");
    }

    @Test
    void aReplyThatIsNullIsRefused() {
        Round<ShopTools> round = round(echoes(1));
        assertThat(codes(problems(round, Arrays.asList(reply(round.expectOne()), null))))
                .containsExactly("missing_reply");
    }

    /** Row 29. */
    @Test
    void everyProblemIsReportedAtOnce() {
        Transcript transcript = asked();
        Round<ShopTools> other = round(transcript, ScriptStep.call("echo", "{\"text\":\"x\"}"));
        Round<ShopTools> round = round(transcript, echoes(3));
        List<ToolCall<ShopTools>> calls = round.calls();
        List<ToolReply> wrong = Arrays.asList(reply(calls.get(0)), null, reply(other.expectOne()),
                reply(calls.get(0)), reply(calls.get(0)));
        transcript.user("Wait");
        var thrown = (CommitException) refusal(() -> round.commit(wrong));
        assertThat(codes(thrown.problems())).containsExactlyInAnyOrder("stale_round", "missing_reply",
                "foreign_reply scripted_1", "duplicate_reply id0", "duplicate_reply id0", "missing_reply id1",
                "missing_reply id2");
        assertThat(thrown).hasMessageContainingAll("stale_round", "foreign_reply", "duplicate_reply",
                "missing_reply", "id1", "id2");
    }

    /** Row 31. */
    @Test
    void aRefusedCommitLeavesTheRoundOpenAndAMendedOneSucceeds() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, echoes(2));
        long version = transcript.version();
        ToolReply first = reply(round.calls().get(0));
        for (List<ToolReply> wrong : List.of(List.<ToolReply>of(), List.of(first), List.of(first, first))) {
            refusal(() -> round.commit(wrong));
            assertThat(transcript.version()).isEqualTo(version);
            assertThat(transcript.messages()).hasSize(1);
        }
        round.commit(List.of(first, reply(round.calls().get(1))));
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void aRoundOfAnEarlierVersionIsStale() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, echoes(1));
        transcript.user("And one thing more");
        assertThat(codes(problems(round, replies(round)))).containsExactly("stale_round");
        assertThat(transcript.messages()).hasSize(2);
    }

    @Test
    void ofTwoRoundsAskedOnOneVersionOnlyOneIsCommitted() {
        Transcript transcript = asked();
        Round<ShopTools> first = round(transcript, echoes(1));
        Round<ShopTools> second = round(transcript, echoes(1));
        second.commit(replies(second));
        assertThat(codes(problems(first, replies(first)))).containsExactly("stale_round");
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void aRoundIsCommittedOnce() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, echoes(1));
        List<ToolReply> replies = replies(round);
        round.commit(replies);
        assertThat(codes(problems(round, replies))).containsExactly("round_closed");
        assertThat(refusal(() -> round.commit(replies))).hasMessageContaining("committed already");
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void aDiscardedRoundIsGone() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, echoes(1));
        round.discard();
        assertThat(codes(problems(round, replies(round)))).containsExactly("round_closed");
        assertThat(refusal(() -> round.commit(List.of()))).hasMessageContaining("discarded");
        assertThat(transcript.messages()).hasSize(1);
    }

    @Test
    void closingDiscardsWhatWasNotCommittedAndKeepsWhatWas() {
        Transcript transcript = asked();
        Round<ShopTools> dropped;
        try (Round<ShopTools> round = round(transcript, echoes(1))) {
            dropped = round;
        }
        assertThat(refusalCode(() -> dropped.commit(List.of()))).isEqualTo("round_closed");
        try (Round<ShopTools> round = round(transcript, echoes(1))) {
            round.commit(replies(round));
        }
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void aCommittedRoundIsSentWithTheNextStep() {
        Transcript transcript = asked();
        var model = new ScriptedModel().then(echoes(1)).reply("done");
        Round<ShopTools> round = round(transcript.step(model).tools(TOOLS));
        round.commit(replies(round));
        assertThat(transcript.step(model).tools(TOOLS).run()).isEqualTo(new Step.Finished<>("done"));
        assertThat(Shop.last(model).messages()).hasSize(3)
                .last()
                .isEqualTo(Message.replies(
                        new ReplyPart("id0", "echo", ReplyPart.Status.OK, "said 0")));
    }

    @Test
    void callsWithoutOrWithEqualIdsGetOneOfTheirOwn() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, ScriptStep.text("")
                .andCall("", "echo", "{\"text\":\"a\"}")
                .andCall("x", "echo", "{\"text\":\"b\"}")
                .andCall("x", "echo", "{\"text\":\"c\"}"));
        assertThat(round.calls().stream().map(ToolCall::id)).containsExactly(new CallId("call_0_0"),
                new CallId("x"), new CallId("call_0_2"));
        round.commit(replies(round));
        assertThat(((Message.ToolMessage) transcript.messages().getLast()).replies()
                .stream()
                .map(reply -> reply.callId() + " " + reply.text()))
                .containsExactly("call_0_0 said a", "x said b", "call_0_2 said c");
    }

    /** Row 32. */
    @Test
    void expectOneWantsExactlyOneCall() {
        assertThat(round(findOrders()).expectOne().name()).isEqualTo("find_orders");
        var two = refusal(() -> round(echoes(2)).expectOne());
        assertThat(two.code()).isEqualTo("unexpected_call_count");
        assertThat(two).hasMessageContaining("2");
        assertThat(refusalCode(() -> round(ScriptStep.call("nonsense", "{}")).expectOne()))
                .isEqualTo("unexpected_call_count");
        assertThat(refusalCode(() -> round(findOrders().andCall("nonsense", "{}")).expectOne()))
                .isEqualTo("unexpected_call_count");
    }

    /** Row 32. */
    @Test
    void expectAtMostOneAllowsNone() {
        assertThat(round(findOrders()).expectAtMostOne()).isPresent();
        assertThat(round(ScriptStep.call("nonsense", "{}")).expectAtMostOne()).isEmpty();
        assertThat(refusalCode(() -> round(echoes(2)).expectAtMostOne())).isEqualTo("unexpected_call_count");
    }

    /** Row 32: the round can still be committed after a failed expectation. */
    @Test
    void anExpectationThatFailsCostsNothing() {
        Round<ShopTools> round = round(echoes(2));
        refusal(round::expectOne);
        assertThat(round.commit(replies(round))).isInstanceOf(RoundEnd.Committed.class);
    }

    @Test
    void theTextBesideTheCallsIsKept() {
        assertThat(round(echoes(1)).text()).isEqualTo("Let me see.");
        assertThat(round(findOrders()).text()).isEmpty();
    }

    @Test
    void onlyACallMakesAReply() {
        assertThat(ToolReply.class.getConstructors()).isEmpty();
        assertThat(ToolCall.class.getConstructors()).isEmpty();
        assertThat(CallIssue.class.getConstructors()).isEmpty();
    }
}
