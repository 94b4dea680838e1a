package dev.belay.toolset;

import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.asked;
import static dev.belay.toolset.Shop.call;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.script.ScriptStep;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.Shop.CrmTools.GetUser;
import dev.belay.toolset.Shop.Order;
import dev.belay.toolset.Shop.Receipt;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.User;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Contract N.5, N.9 and F: what one call in your hands can be answered with. */
class ToolCallTest {

    private static final String ARGUMENTS = "{ \"limit\" : 5.0e0, \"customer\":\"4\\u0032\" }";
    private static final FindOrders IN = new FindOrders("42", OptionalInt.of(5));

    private static ToolCall<ShopTools> orders() {
        return call("find_orders", ARGUMENTS);
    }

    private static ToolOutcome.Failure failure(ToolReply reply) {
        assertThat(reply.outcome()).isInstanceOf(ToolOutcome.Failure.class);
        return (ToolOutcome.Failure) reply.outcome();
    }

    /** Row 1. */
    @Test
    void aCallHasIdNameInputAndExactlyTheTextOfItsArguments() {
        ToolCall<ShopTools> call = orders();
        assertThat(call.id()).isEqualTo(new CallId("scripted_1"));
        assertThat(call.name()).isEqualTo("find_orders");
        assertThat(call.input()).isEqualTo(IN);
        assertThat(call.arguments()).isEqualTo(ARGUMENTS);
        assertThat(call.info()).isEqualTo(
                new CallInfo(call.id(), TOOLS.byName("find_orders").definition(), ARGUMENTS));
    }

    /** Row 1. */
    @Test
    void completeEchoesIdAndNameAndTheTranscriptKeepsTheArguments() {
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript, ScriptStep.call("find_orders", ARGUMENTS));
        ToolReply reply = round.expectOne().complete(IN, List.of(new Order(1, "x")));
        assertThat(reply.callId()).isEqualTo(new CallId("scripted_1"));
        assertThat(reply.toolName()).isEqualTo("find_orders");
        assertThat(reply.outcome()).isEqualTo(
                new ToolOutcome.Success(Json.of("[{\"id\":1,\"customer\":\"x\"}]")));
        round.commit(List.of(reply));
        assertThat(((Message.AssistantMessage) transcript.messages().get(1)).calls().getFirst().arguments())
                .isEqualTo(ARGUMENTS);
    }

    @Test
    void runAnswersWithWhatTheBodyReturns() {
        assertThat(orders().run(IN, ctx -> List.of(new Order(1, "x"))).outcome().text())
                .isEqualTo("[{\"id\":1,\"customer\":\"x\"}]");
        assertThat(call("crm_get_user", "{\"userId\":3}").run(new GetUser(3), ctx -> new User("Ada"))
                .outcome()
                .text()).isEqualTo("{\"name\":\"Ada\"}");
        assertThat(
                call("echo", "{\"text\":\"a\"}").run(new Echo("a"), ctx -> "plain \"text\"").outcome().text())
                .isEqualTo("plain \"text\"");
    }

    @Test
    void attemptAnswersWithASuccessOrAFailure() {
        assertThat(orders().attempt(IN, ctx -> ToolResult.ok(List.of())).outcome().text()).isEqualTo("[]");
        assertThat(orders().attempt(IN, ctx -> ToolResult.failure("no database")).outcome().text())
                .isEqualTo("Error (tool_failed): no database");
    }

    @Test
    void whatABodyThrowsBecomesAFailure() {
        assertThat(failure(orders().run(IN, ctx -> {
            throw new IllegalStateException("broken");
        })).failure()).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo("tool_threw");
            assertThat(failure.kind()).isEqualTo(ToolFailure.Kind.EXECUTION);
            assertThat(failure.message()).isEqualTo("broken");
        });
        assertThat(failure(orders().run(IN, ctx -> {
            throw new IOException("disk");
        })).failure().kind()).isEqualTo(ToolFailure.Kind.IO);
        ToolFailure own = ToolFailure.of(ToolFailure.Kind.PERMISSION_DENIED, "not_yours", "no");
        assertThat(failure(orders().run(IN, ctx -> {
            throw new ToolException(own);
        })).failure()).isEqualTo(own);
        assertThat(failure(orders().run(IN, ctx -> {
            throw new StackOverflowError();
        })).failure().code()).isEqualTo("tool_threw");
    }

    @Test
    void anErrorOfTheVirtualMachinePassesThrough() {
        var error = new OutOfMemoryError("thrown by a test");
        assertThatThrownBy(() -> orders().run(IN, ctx -> {
            throw error;
        })).isSameAs(error);
    }

    @Test
    void anOutputThatItsSchemaForbidsIsTheToolsFault() {
        ToolReply ran = call("refund", "{\"orderId\":1,\"amount\":5}").run(new ShopTools.Refund(1, "5"),
                ctx -> new Receipt(nothing()));
        assertThat(failure(ran).failure().code()).isEqualTo("invalid_tool_output");
        ToolReply completed = call("refund", "{\"orderId\":1,\"amount\":5}").complete(
                new ShopTools.Refund(1, "5"), new Receipt(nothing()));
        assertThat(failure(completed).failure().code()).isEqualTo("invalid_tool_output");
        assertThat(failure(completed).failure().kind()).isEqualTo(ToolFailure.Kind.INTERNAL);
    }

    /** Row 28 and contract N.9. */
    @Test
    void rejectionIsAStatusAndNoText() {
        Round<ShopTools> round = round(ScriptStep.call("echo", "{\"text\":\"a\"}")
                .andCall("echo", "{\"text\":\"b\"}")
                .andCall("echo", "{\"text\":\"c\"}"));
        RoundEnd end = round.commit(List.of(round.calls().get(0).reject("no"),
                round.calls().get(1).complete(new Echo("b"), "Rejected: no"),
                round.calls().get(2).fail("broken")));
        assertThat(((RoundEnd.Committed) end).replies()).satisfiesExactly(rejected -> {
            assertThat(rejected.status()).isEqualTo(Status.REJECTED);
            assertThat(rejected.text()).isEqualTo("Rejected: no");
        }, alike -> {
            assertThat(alike.status()).isEqualTo(Status.OK);
            assertThat(alike.text()).isEqualTo("Rejected: no");
        }, failed -> {
            assertThat(failed.status()).isEqualTo(Status.ERROR);
            assertThat(failed.text()).isEqualTo("Error (tool_failed): broken");
        });
    }

    @Test
    void theInputOfAnotherCallIsRefusedAndNothingRuns() {
        Round<ShopTools> round = round(
                ScriptStep.call("echo", "{\"text\":\"a\"}").andCall("echo", "{\"text\":\"b\"}"));
        ToolCall<ShopTools> call = round.calls().getFirst();
        Echo other = (Echo) round.calls().get(1).input();
        List<String> ran = new ArrayList<>();
        var thrown = refusal(() -> call.run(other, ctx -> {
            ran.add("run");
            return "";
        }));
        assertThat(thrown.code()).isEqualTo("wrong_input");
        assertThat(thrown).hasMessageContainingAll("scripted_1", "echo", "Echo[text=b]", "Echo[text=a]");
        assertThat(refusalCode(() -> call.attempt(other, ctx -> {
            ran.add("attempt");
            return ToolResult.ok("");
        }))).isEqualTo("wrong_input");
        assertThat(refusalCode(() -> call.complete(other, ""))).isEqualTo("wrong_input");
        assertThat(refusalCode(() -> call.complete(new GetUser(1), new User("x")))).isEqualTo("wrong_input");
        assertThat(ran).isEmpty();
        assertThat(call.complete(new Echo("a"), "equal is enough").outcome().text())
                .isEqualTo("equal is enough");
    }

    @Test
    void theInputBeforeAnEditIsRefused() {
        Round<ShopTools> round = round(ScriptStep.call("echo", "{\"text\":\"a\"}"));
        ToolCall<ShopTools> before = round.expectOne();
        var plan = round.apply(ToolHooks.of(TOOLS).on(Echo.class, (info, in) -> proceed(new Echo("edited"))));
        ToolCall<ShopTools> after = plan.pending().getFirst();
        for (ToolCall<ShopTools> call : List.of(before, after)) {
            assertThat(refusalCode(() -> call.run(new Echo("a"), ctx -> ""))).isEqualTo("wrong_input");
            assertThat(refusalCode(() -> call.complete(new Echo("a"), ""))).isEqualTo("wrong_input");
        }
        assertThat(after.run(new Echo("edited"), ctx -> "ran").outcome().text()).isEqualTo("ran");
    }

    @Test
    void theWrapperOfANestedInputIsNotAskedFor() {
        ToolCall<ShopTools> call = call("crm_get_user", "{\"userId\":3}");
        ToolReply reply = switch (call.input()) {
            case ShopTools.Crm(GetUser in) -> call.run(in, ctx -> new User("user " + in.userId()));
            case ShopTools other -> throw new AssertionError(other);
        };
        assertThat(reply.outcome().text()).isEqualTo("{\"name\":\"user 3\"}");
    }

    /** Row 33: one call alone. */
    @Test
    void hooksAreAppliedToOneCallAlone() {
        Round<ShopTools> round = round(
                ScriptStep.call("echo", "{\"text\":\"a\"}").andCall("echo", "{\"text\":\"b\"}"));
        var hooks = ToolHooks.of(TOOLS).on(Echo.class, (info, in) -> Decision.complete(in, in.text() + "!"));
        HookedCall<ShopTools> first = round.calls().getFirst().apply(hooks);
        assertThat(first).isInstanceOf(HookedCall.Handled.class);
        ToolReply reply = ((HookedCall.Handled<ShopTools>) first).reply();
        round.commit(List.of(reply, round.calls().get(1).complete(new Echo("b"), "b")));
        assertThat(reply.outcome().text()).isEqualTo("a!");
    }

    /** Null, as careless code returns it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <V> V nothing() {
        return (V) null;
    }

    @Test
    void aCallOfAClosedRoundRunsNothing() {
        Round<ShopTools> round = round(ScriptStep.call("find_orders", ARGUMENTS));
        ToolCall<ShopTools> call = round.expectOne();
        round.discard();
        List<String> ran = new ArrayList<>();
        assertThat(refusalCode(() -> call.run(IN, context -> {
            ran.add("body");
            return List.of();
        }))).isEqualTo("round_closed");
        assertThat(ran).isEmpty();
    }
}
