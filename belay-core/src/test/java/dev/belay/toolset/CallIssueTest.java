package dev.belay.toolset;

import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.ask;
import static dev.belay.toolset.Shop.asked;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.Refund;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract N.3: what cannot be run is an issue, never a call, and never costs the valid calls beside it. */
class CallIssueTest {

    private static CallIssue issue(ScriptStep says) {
        Round<ShopTools> round = round(ask(new ScriptedModel().then(says)).tools(TOOLS));
        assertThat(round.calls()).isEmpty();
        assertThat(round.issues()).hasSize(1);
        return round.issues().getFirst();
    }

    private static List<ReplyPart> replies(Transcript transcript) {
        return ((Message.ToolMessage) transcript.messages().getLast()).replies();
    }

    /** Row 21. */
    @Test
    void aToolThatWasNotOfferedIsUnavailable() {
        CallIssue issue = issue(ScriptStep.call("refund", "{\"orderId\":1,\"amount\":2}"));
        assertThat(issue.failure().code()).isEqualTo("tool_unavailable");
        assertThat(issue.failure().message()).contains("refund", "find_orders");
        assertThat(issue.id()).isEqualTo(new CallId("scripted_1"));
        assertThat(issue.name()).isEqualTo("refund");
        assertThat(issue.arguments()).isEqualTo("{\"orderId\":1,\"amount\":2}");
    }

    /** Row 21. */
    @Test
    void toolsOfAGroupThatIsOffAreUnavailable() {
        assertThat(issue(ScriptStep.call("old_get_user", "{\"userId\":1}")).failure().code())
                .isEqualTo("tool_unavailable");
    }

    @Test
    void aNameThatNoToolHasIsUnknownAndTheNearestOfferedAreNamed() {
        CallIssue issue = issue(ScriptStep.call("crm_getuser", "{}"));
        assertThat(issue.failure().code()).isEqualTo("unknown_tool");
        assertThat(issue.failure().message()).contains("\"crm_getuser\"", "crm_get_user")
                .doesNotContain("old_get_user");
        assertThat(issue(ScriptStep.call("Refundd", "{}")).failure().message()).doesNotContain("refund,")
                .doesNotContain("did you mean refund");
        assertThat(issue(ScriptStep.call("", "{}")).failure().code()).isEqualTo("unknown_tool");
    }

    /** Row 22. */
    @Test
    void aCallOfAToolThatWasNotOfferedIsToldWhileItStreams() {
        List<StepEvent> heard = new ArrayList<>();
        var model = new ScriptedModel().then(ScriptStep.call("find_orders", "{\"customer\":\"42\"}")
                .andCall("refund", "{}")
                .andCall("refnd", "{}"));
        ask(model).listener(heard::add).tools(TOOLS).run();
        assertThat(heard.stream()
                .filter(StepEvent.NotOffered.class::isInstance)
                .map(StepEvent.NotOffered.class::cast)
                .map(event -> event.name() + " " + event.index() + " " + event.failure().code()))
                .containsExactly("refund 1 tool_unavailable", "refnd 2 unknown_tool");
        int told = heard.indexOf(heard.stream()
                .filter(StepEvent.NotOffered.class::isInstance)
                .findFirst()
                .orElseThrow());
        int finished = heard.indexOf(heard.stream()
                .filter(event -> event instanceof StepEvent.Streamed(ModelEvent.Finished last))
                .findFirst()
                .orElseThrow());
        assertThat(told).isLessThan(finished);
    }

    /** Row 23. */
    @Test
    void argumentsThatDoNotFitSayEveryPlaceAndSuggestToGoOn() {
        Round<ShopTools> round = round(
                ScriptStep.call("find_orders", "{\"custmer\":\"42\",\"limit\":99}"));
        assertThat(round.issues().getFirst().failure().code()).isEqualTo("invalid_arguments");
        assertThat(round.issues().getFirst().failure().message()).contains("/limit", "50", "custmer",
                "customer");
        assertThat(round.continueSuggestion()).hasValueSatisfying(
                text -> assertThat(text).contains("find_orders (invalid_arguments)"));
    }

    @Test
    void withoutIssuesNothingIsSuggested() {
        assertThat(round(Shop.findOrders()).continueSuggestion()).isEmpty();
    }

    /** Row 24. */
    @Test
    void malformedArgumentsAreAnIssueWithThePositionAndTheTextIsKept() {
        for (String text : List.of("{\"customer\":\"42\"", "customer=42", "{} {}", "",
                "{\"customer\":\"1\",\"customer\":\"2\"}")) {
            Transcript transcript = asked();
            Round<ShopTools> round = round(transcript, ScriptStep.call("find_orders", text));
            assertThat(round.calls()).as(text).isEmpty();
            CallIssue issue = round.issues().getFirst();
            assertThat(issue.failure().code()).as(text).isEqualTo("malformed_arguments");
            assertThat(issue.arguments()).isEqualTo(text);
            round.commit(List.of());
            assertThat(
                    ((Message.AssistantMessage) transcript.messages().get(1)).calls().getFirst().arguments())
                    .isEqualTo(text);
        }
        assertThat(issue(ScriptStep.call("find_orders", "{\"customer\":\n oops}")).failure().message())
                .contains("line 2");
    }

    /** Row 25. */
    @Test
    void validCallsOfTheSameMessageAreDelivered() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript.step(new ScriptedModel().then(
                ScriptStep.call("refund", "{}")
                        .andCall("echo", "{\"text\":\"a\"}")
                        .andCall("nonsense", "{}")
                        .andCall("echo", "{\"text\":5}")
                        .andCall("echo", "{")
                        .andCall("echo", "{\"text\":\"b\"}")))
                .tools(TOOLS));
        assertThat(round.calls().stream().map(ToolCall::input)).containsExactly(new Echo("a"), new Echo("b"));
        assertThat(round.issues().stream().map(issue -> issue.failure().code())).containsExactly(
                "tool_unavailable", "unknown_tool", "invalid_arguments", "malformed_arguments");
        round.commit(round.calls().stream().map(call -> call.complete((Echo) call.input(), "said")).toList());
        assertThat(replies(transcript).stream().map(ReplyPart::callId)).containsExactly("scripted_1",
                "scripted_2",
                "scripted_3", "scripted_4", "scripted_5", "scripted_6");
        assertThat(replies(transcript).stream().map(ReplyPart::status)).containsExactly(Status.ERROR,
                Status.OK,
                Status.ERROR, Status.ERROR, Status.ERROR, Status.OK);
    }

    /** Row 26. */
    @Test
    void anIssueIsAnsweredAutomaticallyWithWhatWasWrong() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(
                transcript.step(new ScriptedModel().call("refund", "{}")).tools(TOOLS));
        round.commit(List.of());
        assertThat(replies(transcript)).singleElement().satisfies(reply -> {
            assertThat(reply.callId()).isEqualTo("scripted_1");
            assertThat(reply.toolName()).isEqualTo("refund");
            assertThat(reply.status()).isEqualTo(Status.ERROR);
            assertThat(reply.text()).startsWith("Error (tool_unavailable): tool refund exists");
        });
    }

    /** Row 27. */
    @Test
    void aReplyOfYoursBeatsTheAutomaticOne() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(
                transcript.step(new ScriptedModel().then(ScriptStep.call("refund", "{}")
                        .andCall("refund", "{}")
                        .andCall("refund", "{}")
                        .andCall("refund", "{}"))).tools(TOOLS));
        List<CallIssue> issues = round.issues();
        round.commit(List.of(issues.get(0).complete("Ask a person."), issues.get(1).fail("Not here."),
                issues.get(2).reject("Never."), issues.get(3).reply()));
        assertThat(replies(transcript)).containsExactly(
                new ReplyPart("scripted_1", "refund", Status.OK, "Ask a person."),
                new ReplyPart("scripted_2", "refund", Status.ERROR, "Error (tool_failed): Not here."),
                new ReplyPart("scripted_3", "refund", Status.REJECTED, "Rejected: Never."),
                new ReplyPart("scripted_4", "refund", Status.ERROR,
                        "Error (tool_unavailable): " + issues.get(3).failure().message()));
    }

    @Test
    void twoRepliesOfYoursToOneIssueAreADuplicate() {
        Round<ShopTools> round = round(ScriptStep.call("nonsense", "{}"));
        CallIssue issue = round.issues().getFirst();
        var thrown = (CommitException) refusal(
                () -> round.commit(List.of(issue.complete("one"), issue.reply())));
        assertThat(thrown.problems()).extracting(CommitException.Problem::code)
                .containsExactly("duplicate_reply");
        round.commit(List.of(issue.complete("one")));
    }

    /** Contract N.4: calls and issues make a round whatever the finish reason says. */
    @Test
    void anIssueAloneMakesARoundWhateverTheFinishReason() {
        for (FinishReason reason : FinishReason.values()) {
            Round<ShopTools> round = round(ScriptStep.call("nonsense", "{}").finish(reason));
            assertThat(round.issues()).as("%s", reason).hasSize(1);
        }
    }

    @Test
    void whatWasOfferedIsRunHoweverItWasOffered() {
        var model = new ScriptedModel().call("refund", "{\"orderId\":1,\"amount\":2.50}");
        assertThat(round(ask(model).tools(TOOLS).plus(Refund.class)).expectOne().input())
                .isEqualTo(new Refund(1, "2.50"));
    }

    @Test
    void theSuggestionIsShortWhateverTheModelSaid() {
        ScriptStep says = ScriptStep.call("x".repeat(100_000), "{}");
        for (int i = 0; i < 11; i++) {
            says = says.andCall("nothing_" + i, "{}");
        }
        assertThat(round(says).continueSuggestion().orElseThrow()).hasSizeLessThan(1_000)
                .contains("x".repeat(64) + "… (unknown_tool)")
                .contains("nothing_8 (unknown_tool) and 2 more;");
    }
}
