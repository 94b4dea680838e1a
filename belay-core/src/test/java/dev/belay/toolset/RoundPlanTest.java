package dev.belay.toolset;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.asked;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.script.ScriptStep;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.ShopTools.Refund;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract N.6: a round after hooks, and its commit. */
class RoundPlanTest {

    private static final ScriptStep SAID = ScriptStep.call("find_orders", "{\"customer\":\"1\"}")
            .andCall("echo", "{\"text\":\"a\"}")
            .andCall("refnd", "{}")
            .andCall("refund", "{\"orderId\":9,\"amount\":-1}")
            .andCall("echo", "{\"text\":\"b\"}");

    private static final ToolHooks<ShopTools> COMPLETE_FIND = ToolHooks.of(TOOLS)
            .on(FindOrders.class, (info, in) -> complete(in, List.of()));
    private static final ToolHooks<ShopTools> REJECT_REFUND = ToolHooks.of(TOOLS)
            .on(Refund.class, (info, in) -> in.amount().signum() > 0 ? proceed(in) : reject("not positive"));

    private static List<String> names(List<ToolCall<ShopTools>> calls) {
        return calls.stream().map(call -> call.name() + call.input()).toList();
    }

    /** Row 38. */
    @Test
    void aPlanSplitsPendingHandledRejectedAndIssues() {
        RoundPlan<ShopTools> plan = round(SAID).apply(COMPLETE_FIND.plus(REJECT_REFUND));
        assertThat(names(plan.pending())).containsExactly("echoEcho[text=a]", "echoEcho[text=b]");
        assertThat(plan.handled().stream().map(handled -> handled.call().name()))
                .containsExactly("find_orders");
        assertThat(plan.rejected().stream().map(rejected -> rejected.call().name()))
                .containsExactly("refund");
        assertThat(plan.issues().stream().map(CallIssue::name)).containsExactly("refnd");
        assertThat(plan.continueSuggestion()).hasValueSatisfying(
                text -> assertThat(text).contains("refnd (unknown_tool)"));
    }

    /** Row 38. */
    @Test
    void eachPassSeesOnlyWhatIsStillPending() {
        List<String> seen = new ArrayList<>();
        var watch = ToolHooks.of(TOOLS).onEvery((info, in) -> {
            seen.add(info.name());
            return proceed(in);
        });
        RoundPlan<ShopTools> first = round(SAID).apply(COMPLETE_FIND);
        RoundPlan<ShopTools> second = first.apply(watch).apply(REJECT_REFUND).apply(watch);
        assertThat(seen).containsExactly("echo", "refund", "echo", "echo", "echo");
        assertThat(first.pending()).hasSize(3);
        assertThat(second.pending()).hasSize(2);
        assertThat(second.handled()).hasSize(1);
        assertThat(second.rejected()).hasSize(1);
    }

    @Test
    void aLaterPassIsGivenTheEditsOfAnEarlierOne() {
        var louder = ToolHooks.of(TOOLS).on(Echo.class, (info, in) -> proceed(new Echo(in.text() + "!")));
        RoundPlan<ShopTools> plan = round(SAID).apply(louder).apply(louder);
        assertThat(plan.pending().get(1).input()).isEqualTo(new Echo("a!!"));
        assertThat(plan.pending().get(1).arguments()).isEqualTo("{\"text\":\"a\"}");
    }

    /** Row 39. */
    @Test
    void commitMergesHandledRejectedPendingAndAutomaticRepliesInTheAssistantsOrder() {
        Transcript transcript = asked();
        RoundPlan<ShopTools> plan = round(transcript, SAID).apply(COMPLETE_FIND.plus(REJECT_REFUND));
        RoundEnd end = plan.commit(plan.pending().reversed().stream().map(RoundPlanTest::echo).toList());
        List<ReplyPart> expected = List.of(new ReplyPart("scripted_1", "find_orders", Status.OK, "[]"),
                new ReplyPart("scripted_2", "echo", Status.OK, "a"),
                new ReplyPart("scripted_3", "refnd", Status.ERROR,
                        "Error (unknown_tool): there is no tool \"refnd\"; did you mean refund?"),
                new ReplyPart("scripted_4", "refund", Status.REJECTED, "Rejected: not positive"),
                new ReplyPart("scripted_5", "echo", Status.OK, "b"));
        assertThat(end).isEqualTo(new RoundEnd.Committed(expected));
        assertThat(transcript.messages().getLast()).isEqualTo(new Message.ToolMessage(expected));
    }

    /** Row 39. */
    @Test
    void aReplyForACallThatAHookHandledIsADuplicate() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, ScriptStep.call("find_orders", "{\"customer\":\"1\"}"));
        ToolCall<ShopTools> call = round.expectOne();
        RoundPlan<ShopTools> plan = round.apply(COMPLETE_FIND);
        var thrown = refusal(() -> plan.commit(List.of(call.fail("again"))));
        assertThat(thrown.code()).isEqualTo("duplicate_reply");
        assertThat(((CommitException) thrown).problems()).hasSize(1);
        plan.commit(List.of());
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void aReplyForACallThatAHookRejectedIsADuplicate() {
        Round<ShopTools> round = round(ScriptStep.call("refund", "{\"orderId\":9,\"amount\":-1}"));
        ToolCall<ShopTools> call = round.expectOne();
        RoundPlan<ShopTools> plan = round.apply(REJECT_REFUND);
        assertThat(refusalCode(() -> plan.commit(List.of(call.fail("again"))))).isEqualTo("duplicate_reply");
    }

    /** Row 35: what is committed is the message as the model sent it. */
    @Test
    void commitKeepsTheOriginalArgumentsAfterAnEdit() {
        Transcript transcript = asked();
        var louder = ToolHooks.of(TOOLS).on(Echo.class, (info, in) -> proceed(new Echo(in.text() + "!")));
        RoundPlan<ShopTools> plan = round(transcript, ScriptStep.call("echo", "{ \"text\" :\"a\"}"))
                .apply(louder);
        plan.commit(plan.pending().stream().map(RoundPlanTest::echo).toList());
        assertThat(transcript.messages().get(1)).isInstanceOfSatisfying(Message.AssistantMessage.class,
                message -> assertThat(message.calls().getFirst().arguments())
                        .isEqualTo("{ \"text\" :\"a\"}"));
        assertThat(transcript.messages().getLast()).isEqualTo(
                Message.replies(new ReplyPart("scripted_1", "echo", Status.OK, "a!")));
    }

    @Test
    void aPlanAndItsRoundShareTheirFate() {
        Round<ShopTools> round = round(SAID);
        RoundPlan<ShopTools> plan = round.apply(COMPLETE_FIND);
        plan.close();
        assertThat(refusalCode(() -> round.apply(COMPLETE_FIND))).isEqualTo("round_closed");
        assertThat(refusalCode(() -> plan.apply(COMPLETE_FIND))).isEqualTo("round_closed");
        assertThat(refusalCode(() -> round.commit(List.of()))).isEqualTo("round_closed");
    }

    @Test
    void issuesAreNeverShownToHooks() {
        List<String> seen = new ArrayList<>();
        round(SAID).apply(ToolHooks.of(TOOLS).onEvery((info, in) -> {
            seen.add(info.name());
            return proceed(in);
        }));
        assertThat(seen).containsExactly("find_orders", "echo", "refund", "echo");
    }

    private static ToolReply echo(ToolCall<ShopTools> call) {
        return call.complete((Echo) call.input(), ((Echo) call.input()).text());
    }
}
