package dev.belay.toolset;

import static dev.belay.toolset.Shop.TOOLS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.ToolContexts;
import dev.belay.toolset.Shop.CrmTools.Forget;
import dev.belay.toolset.Shop.CrmTools.GetUser;
import dev.belay.toolset.Shop.CrmTools.Mail;
import dev.belay.toolset.Shop.MailTools.Send;
import dev.belay.toolset.Shop.Order;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Crm;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.ShopTools.Mcp;
import dev.belay.toolset.Shop.ShopTools.OldCrm;
import dev.belay.toolset.Shop.ShopTools.Refund;
import dev.belay.toolset.Shop.User;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Architecture 7: the method that answers calls in a loop of your own serves a runtime too. */
class ExecutedByTest {

    private static ToolReply execute(ToolCall<ShopTools> call) {
        return switch (call.input()) {
            case FindOrders in -> call.run(in, ctx -> List.of(new Order(1, in.customer())));
            case Refund in -> call.reject("refunds are closed");
            case Crm(GetUser in) -> call.complete(in, new User("u" + in.userId()));
            case Crm(Forget in) -> call.fail("cannot forget");
            case Crm(Mail(Send in)) -> call.run(in, ctx -> "sent under " + ctx.callId());
            case Echo in -> call.attempt(in, ctx -> ToolResult.finish(in.text()));
            case OldCrm old -> call.fail("old");
            case Mcp(var in) -> call.fail("no such tool here");
        };
    }

    private static ToolOutcome call(String name, String arguments) {
        return ToolCaller.of(TOOLS.executedBy(ExecutedByTest::execute)).call(name, arguments);
    }

    @Test
    void theProviderHasTheToolsOfTheSetInItsOrder() {
        assertThat(TOOLS.executedBy(ExecutedByTest::execute).definitions())
                .extracting(ToolDefinition::name)
                .containsExactlyElementsOf(TOOLS.definitions().stream().map(ToolDefinition::name).toList());
    }

    @Test
    void whatTheSetDoesNotOfferByDefaultIsNotResident() {
        assertThat(TOOLS.executedBy(ExecutedByTest::execute).manifests())
                .filteredOn(ToolManifest::resident)
                .extracting(ToolManifest::name)
                .containsExactly("find_orders", "crm_get_user", "crm_mail_send", "echo");
    }

    @Test
    void aBodyThatIsRunAnswersWithItsValue() {
        assertThat(call("find_orders", "{\"customer\":\"42\"}"))
                .isEqualTo(new ToolOutcome.Success(Json.of("[{\"id\":1,\"customer\":\"42\"}]")));
    }

    @Test
    void aToolOfANestedSetComesWithTheRecordsAroundIt() {
        assertThat(call("crm_get_user", "{\"userId\":7}"))
                .isEqualTo(new ToolOutcome.Success(Json.of("{\"name\":\"u7\"}")));
    }

    @Test
    void theBodyHasTheContextOfTheCall() throws Exception {
        Object result = execute("crm_mail_send", "{\"to\":\"a\"}", ExecutedByTest::execute);
        assertThat(result).isEqualTo("sent under the_call");
    }

    @Test
    void whatTheBodyReturnsReachesTheRuntimeAsItIs() throws Exception {
        assertThat(execute("echo", "{\"text\":\"x\"}", ExecutedByTest::execute))
                .isEqualTo(ToolResult.finish("x"));
    }

    @Test
    void failureAndRejectionWithoutABodyKeepTheirStatus() {
        assertThat(call("crm_forget", "{\"userId\":7}").text())
                .isEqualTo("Error (tool_failed): cannot forget");
        assertThat(call("refund", "{\"orderId\":7,\"amount\":1}").text())
                .isEqualTo("Rejected: refunds are closed");
    }

    @Test
    void whatTheBodyThrowsReachesTheRuntimeAsItIs() {
        var broken = new IOException("broken");
        assertThatThrownBy(() -> execute("echo", "{\"text\":\"x\"}",
                call -> call.run((Echo) call.input(), ctx -> {
                    throw broken;
                }))).isSameAs(broken);
    }

    @Test
    void theReplyTellsTheMethodHowTheBodyEnded() throws Exception {
        List<String> seen = new ArrayList<>();
        Function<ToolCall<ShopTools>, ToolReply> looking = call -> {
            ToolReply reply = call.run((Echo) call.input(), ctx -> {
                if (((Echo) call.input()).text().isEmpty()) {
                    throw new IOException("nothing to say");
                }
                return "said";
            });
            seen.add(reply.outcome().text());
            return reply;
        };
        execute("echo", "{\"text\":\"x\"}", looking);
        assertThatThrownBy(() -> execute("echo", "{\"text\":\"\"}", looking)).isInstanceOf(IOException.class);
        assertThat(seen).containsExactly("said", "Error (tool_failed): nothing to say");
    }

    @Test
    void aBodyThatIsRunTwiceCountsWithItsLastEnd() throws Exception {
        assertThat(execute("echo", "{\"text\":\"x\"}", call -> {
            Echo in = (Echo) call.input();
            call.run(in, ctx -> {
                throw new IOException("first");
            });
            return call.run(in, ctx -> "second");
        })).isEqualTo("second");
    }

    @Test
    void aReplyToAnotherCallAndNoReplyAreRefused() {
        List<ToolReply> first = new ArrayList<>();
        Function<ToolCall<ShopTools>, ToolReply> keeping = call -> {
            first.add(call.complete((Echo) call.input(), "x"));
            return first.getFirst();
        };
        ToolProvider provider = TOOLS.executedBy(keeping);
        assertThat(ToolCaller.of(provider).call("echo", "{\"text\":\"x\"}").text()).isEqualTo("x");
        assertThat(ToolCaller.of(provider).call("echo", "{\"text\":\"x\"}").text())
                .contains("the reply to another call")
                .contains("return what run, attempt, complete, fail or reject of this call gave");
        assertThatThrownBy(() -> execute("echo", "{\"text\":\"x\"}", call -> noReply()))
                .isInstanceOf(BelayException.class)
                .hasMessageContaining("no reply");
    }

    @SuppressWarnings("NullAway")
    private static ToolReply noReply() {
        return null;
    }

    @Test
    void aCallOfARuntimeCannotBeAnsweredForAnotherInput() {
        assertThat(ToolCaller.of(TOOLS.executedBy(call -> call.run(new Echo("other"), ctx -> "x")))
                .call("echo", "{\"text\":\"x\"}")
                .text()).contains("was answered for Echo[text=other]");
    }

    private static @Nullable Object execute(String name, String arguments,
            Function<ToolCall<ShopTools>, ToolReply> method) throws Exception {
        ToolProvider provider = TOOLS.executedBy(method);
        ToolDefinition tool = TOOLS.byName(name).definition();
        var valid = (Arguments.Valid) tool.arguments(arguments);
        Callable<@Nullable Object> run = inContext(tool, context -> provider
                .execute(new PreparedCall(tool, valid, null, context)));
        return run.call();
    }

    private interface Use {
        @Nullable
        Object in(ToolContext context) throws Exception;
    }

    private static Callable<@Nullable Object> inContext(ToolDefinition tool, Use use) {
        var place = new IdempotencyKey.Place(new Incarnation(1, 2), 0, 0, 0);
        return ToolContexts.plain(new CallId("the_call"), place, tool.id(), HostValues.NONE, context -> {
            try {
                @Nullable
                Object result = use.in(context);
                return () -> result;
            } catch (Exception e) {
                return () -> {
                    throw e;
                };
            }
        });
    }
}
