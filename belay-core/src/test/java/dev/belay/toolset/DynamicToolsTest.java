package dev.belay.toolset;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.ask;
import static dev.belay.toolset.Shop.asked;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static dev.belay.toolset.Shop.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.Tools;
import dev.belay.tool.call.Arguments;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Mcp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract N.1: tools known only at run time, and method tools, in a place of a set. */
class DynamicToolsTest {

    private static final Json CITY = Json.of("""
            {"type":"object","properties":{"city":{"type":"string","minLength":2}},"required":["city"]}""");
    private static final ToolDefinition WEATHER = ToolDefinition.raw("weather", "Tells the weather.", CITY);
    private static final ToolDefinition CLIMATE = ToolDefinition.raw("climate", "Tells the climate.", CITY);

    private static ToolCall<ShopTools> weather() {
        return round(ask(new ScriptedModel().call("weather", "{\"city\":\"Rome\"}")).tools(TOOLS)
                .fill(Mcp.class, List.of(WEATHER, CLIMATE))).expectOne();
    }

    private static Dynamic dynamic(ToolCall<ShopTools> call) {
        return ((Mcp) call.input()).call();
    }

    @Test
    void aSlotIsEmptyUntilItIsFilled() {
        var model = new ScriptedModel().reply("ok").reply("ok");
        ask(model).tools(TOOLS).all().run();
        assertThat(sent(model)).doesNotContain("weather").hasSize(9);
        ask(model).tools(TOOLS).fill(Mcp.class, List.of(WEATHER, CLIMATE)).run();
        assertThat(sent(model)).containsExactly("find_orders", "crm_get_user", "crm_mail_send", "echo",
                "weather",
                "climate");
        assertThat(Shop.last(model).tools().get(4).inputSchema()).isEqualTo(CITY);
    }

    @Test
    void aCallArrivesInTheSlotWithToolAndArguments() {
        ToolCall<ShopTools> call = weather();
        assertThat(dynamic(call).tool()).isEqualTo(WEATHER);
        assertThat(dynamic(call).arguments()).isEqualTo(Json.of("{\"city\":\"Rome\"}"));
        assertThat(call.run(dynamic(call), ctx -> Json.of("{\"sun\":true}")).outcome().text())
                .isEqualTo("{\"sun\":true}");
    }

    @Test
    void argumentsAreCheckedAgainstTheDynamicSchema() {
        Round<ShopTools> round = round(
                ask(new ScriptedModel().call("weather", "{\"city\":\"R\"}")).tools(TOOLS)
                        .fill(Mcp.class, List.of(WEATHER)));
        assertThat(round.calls()).isEmpty();
        assertThat(round.issues().getFirst().failure().code()).isEqualTo("invalid_arguments");
        assertThat(round.issues().getFirst().failure().message()).contains("/city");
    }

    @Test
    void aSetWithoutASlotRefusesThemBeforeTheRequest() {
        var model = new ScriptedModel().reply("ok");
        var thrown = refusal(() -> ask(model).tools(TOOLS).fill(ShopTools.Echo.class, List.of(WEATHER)));
        assertThat(thrown.code()).isEqualTo("invalid_tool_constraints");
        assertThat(thrown).hasMessageContainingAll("Echo", "ShopTools", "(Dynamic call)");
        assertThat(refusalCode(() -> ask(model).tools(Toolset.of(Shop.MailTools.class))
                .fill(Shop.MailTools.Send.class, List.of(WEATHER))
                .run())).isEqualTo("invalid_tool_constraints");
        assertThat(model.requests()).isEmpty();
    }

    /** Row 12. */
    @Test
    void aDynamicNameThatIsTakenIsRefusedBeforeTheRequest() {
        var model = new ScriptedModel().reply("ok");
        ToolDefinition echo = ToolDefinition.raw("echo", "Clashes.", CITY);
        var thrown = refusal(() -> ask(model).tools(TOOLS).fill(Mcp.class, List.of(echo)).run());
        assertThat(thrown.code()).isEqualTo("duplicate_tool_name");
        assertThat(thrown).hasMessageContainingAll("\"echo\"", "prefix");
        assertThat(refusalCode(
                () -> ask(model).tools(TOOLS)
                        .fill(Mcp.class, List.of(WEATHER))
                        .fill(Mcp.class, List.of(WEATHER))
                        .run()))
                .isEqualTo("duplicate_tool_name");
        assertThat(refusalCode(() -> ask(model).tools(TOOLS)
                .fill(Mcp.class,
                        List.of(ToolDefinition.raw("refund", "Clashes with a tool that is off.", CITY)))
                .run())).isEqualTo("duplicate_tool_name");
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void twoFillingsOfOneSlotAddUp() {
        var model = new ScriptedModel().reply("ok");
        ask(model).tools(TOOLS)
                .only(Mcp.class)
                .fill(Mcp.class, List.of(WEATHER))
                .fill(Mcp.class, List.of(CLIMATE))
                .run();
        assertThat(sent(model)).containsExactly("weather", "climate");
    }

    @Test
    void aBodyInASlotThatBreaksItsPromiseMayHaveHappened() {
        ToolDefinition promising = ToolDefinition.raw("weather", "Tells the weather.", CITY,
                Json.of("{\"type\":\"string\"}"));
        var provider = StaticToolProvider.builder().raw(promising, (in, ctx) -> 7).build();
        ToolCall<ShopTools> call = round(
                ask(new ScriptedModel().call("weather", "{\"city\":\"Rome\"}")).tools(TOOLS)
                        .fill(Mcp.class, provider))
                .expectOne();
        Dynamic in = dynamic(call);
        assertThat(call.attempt(in, ctx -> provider.execute(in, ctx)).outcome())
                .isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
                    assertThat(failed.failure().code()).isEqualTo("invalid_tool_output");
                    assertThat(failed.failure().mayHaveHappened()).isTrue();
                });
    }

    @Tools
    sealed interface Prefixed {
        @Nested(prefix = "w_", defaultOn = false)
        record World(Dynamic call) implements Prefixed {}

        @Tool(undescribed = true)
        record Weather() implements Prefixed, ToolInput<String> {}
    }

    @Test
    void aSlotMayBeOffByDefaultAndHasItsPrefix() {
        Toolset<Prefixed> set = Toolset.of(Prefixed.class);
        var model = new ScriptedModel().reply("ok").reply("ok");
        ask(model).tools(set).fill(Prefixed.World.class, List.of(WEATHER)).run();
        assertThat(sent(model)).containsExactly("weather");
        ask(model).tools(set).plus(Prefixed.World.class).fill(Prefixed.World.class, List.of(WEATHER)).run();
        assertThat(sent(model)).containsExactlyInAnyOrder("weather", "w_weather");
    }

    @Test
    void whoRunsAToolBehindAPrefixKnowsItByItsOwnName() throws Exception {
        var provider = StaticToolProvider.builder().raw(WEATHER, (in, ctx) -> "sun").build();
        Round<Prefixed> round = round(ask(new ScriptedModel().call("w_weather", "{\"city\":\"Rome\"}"))
                .tools(Toolset.of(Prefixed.class))
                .all()
                .fill(Prefixed.World.class, provider));
        ToolCall<Prefixed> call = round.expectOne();
        Dynamic in = ((Prefixed.World) call.input()).call();
        assertThat(call.name()).isEqualTo("w_weather");
        assertThat(in.tool().name()).isEqualTo("weather");
        ToolReply reply = call.attempt(in, ctx -> provider.execute(in, ctx));
        assertThat(reply.outcome()).isEqualTo(new ToolOutcome.Success(Json.string("sun")));
        assertThat(reply.toolName()).isEqualTo("w_weather");
    }

    @Tools
    sealed interface Deep {
        @Nested
        record Inner(InnerTools tools) implements Deep {}

        @Nested(prefix = "t_")
        record Two(TwoSlots tools) implements Deep {}
    }

    @Tools
    sealed interface InnerTools {
        @Nested(prefix = "i_")
        record Slot(Dynamic call) implements InnerTools {}
    }

    @Tools
    sealed interface TwoSlots {
        @Nested(prefix = "a_")
        record A(Dynamic call) implements TwoSlots {}

        @Nested(prefix = "b_")
        record B(Dynamic call) implements TwoSlots {}
    }

    @Test
    void aSlotInANestedSetIsFilledThroughItsGroup() {
        ToolCall<Deep> call = round(ask(new ScriptedModel().call("i_weather", "{\"city\":\"Rome\"}"))
                .tools(Toolset.of(Deep.class))
                .fill(Deep.Inner.class, List.of(WEATHER))).expectOne();
        assertThat(call.input()).isInstanceOfSatisfying(Deep.Inner.class, inner -> assertThat(inner.tools())
                .isInstanceOfSatisfying(InnerTools.Slot.class,
                        slot -> assertThat(slot.call().tool()).isEqualTo(WEATHER)));
    }

    @Test
    void aGroupWithTwoSlotsDoesNotGuessWhichIsMeant() {
        var thrown = refusal(() -> ask(new ScriptedModel()).tools(Toolset.of(Deep.class))
                .fill(Deep.Two.class, List.of(WEATHER)));
        assertThat(thrown.code()).isEqualTo("invalid_tool_constraints");
        assertThat(thrown).hasMessageContaining("2 places");
        var model = new ScriptedModel().reply("ok");
        ask(model).tools(Toolset.of(TwoSlots.class))
                .fill(TwoSlots.A.class, List.of(WEATHER))
                .fill(TwoSlots.B.class, List.of(WEATHER))
                .run();
        assertThat(sent(model)).containsExactly("a_weather", "b_weather");
    }

    @Test
    void aDynamicToolThatIsNotOfferedIsUnavailable() {
        Round<ShopTools> round = round(ask(new ScriptedModel().call("weather", "{}")).tools(TOOLS)
                .only(ShopTools.Echo.class)
                .fill(Mcp.class, List.of(WEATHER)));
        assertThat(round.issues().getFirst().failure().code()).isEqualTo("tool_unavailable");
    }

    @Test
    void hooksSeeDynamicCallsAndTheirEditsAreValidated() {
        ToolHooks<ShopTools> none = ToolHooks.of(TOOLS);
        var edit = none.on(Mcp.class, (info, in) -> proceed(new Mcp(in.call()
                .withArguments(
                        Json.of("{\"city\":\"Oslo\"}")))));
        assertThat(weather().apply(edit)).isInstanceOfSatisfying(HookedCall.Pending.class, pending -> {
            assertThat(((Mcp) pending.call().input()).call().arguments())
                    .isEqualTo(Json.of("{\"city\":\"Oslo\"}"));
            assertThat(pending.call().arguments()).isEqualTo("{\"city\":\"Rome\"}");
        });
        var wrong = none.on(Mcp.class,
                (info, in) -> proceed(new Mcp(in.call().withArguments(Json.of("{\"city\":\"O\"}")))));
        ToolHooksTest.assertStopped(weather().apply(wrong));
        assertThatThrownBy(() -> dynamic(weather()).withArguments(Json.of("{}")))
                .isInstanceOfSatisfying(ToolException.class,
                        thrown -> assertThat(thrown.failure().code()).isEqualTo("invalid_arguments"));
    }

    @Test
    void aHookCannotTurnOneDynamicToolIntoAnother() {
        Arguments.Valid arguments = Arguments.require(CLIMATE, Json.of("{\"city\":\"Rome\"}"));
        var swap = ToolHooks.of(TOOLS)
                .on(Mcp.class, (info, in) -> proceed(new Mcp(Dynamic.of(CLIMATE, arguments))));
        ToolHooksTest.assertStopped(weather().apply(swap));
    }

    @Test
    void aReplyForAnotherDynamicCallIsRefused() {
        ToolCall<ShopTools> call = weather();
        Dynamic other = dynamic(call).withArguments(Json.of("{\"city\":\"Oslo\"}"));
        assertThat(refusalCode(() -> call.complete(other, Json.NULL))).isEqualTo("wrong_input");
    }

    static final class Calculator {
        @Tool(undescribed = true)
        int add(int left, int right) {
            return left + right;
        }

        @Tool(undescribed = true)
        int divide(int left, int right) {
            return left / right;
        }
    }

    @Test
    void methodToolsRunInASlotLikeAnyOtherCall() {
        var methods = ToolMethods.of(new Calculator());
        Transcript transcript = asked();
        var model = new ScriptedModel().then(ScriptStep.call("add", "{\"left\":2,\"right\":3}")
                .andCall("divide", "{\"left\":2,\"right\":0}")
                .andCall("add", "{\"left\":\"two\",\"right\":3}"));
        Round<ShopTools> round = round(transcript.step(model).tools(TOOLS).fill(Mcp.class, methods));
        assertThat(sent(model)).endsWith("add", "divide");
        round.commit(round.calls().stream().map(call -> {
            Dynamic in = dynamic(call);
            return call.attempt(in, ctx -> methods.execute(in, ctx));
        }).toList());
        List<ReplyPart> replies = ((Message.ToolMessage) transcript.messages().getLast()).replies();
        assertThat(replies.get(0)).isEqualTo(new ReplyPart("scripted_1", "add", Status.OK, "5"));
        assertThat(replies.get(1)).isEqualTo(
                new ReplyPart("scripted_2", "divide", Status.ERROR, "Error (tool_threw): / by zero"));
        assertThat(replies.get(2).text()).startsWith("Error (invalid_arguments): ").contains("/left");
    }

    @Test
    void methodToolsRunBehindAPrefixToo() {
        var methods = ToolMethods.of(new Calculator());
        ToolCall<Prefixed> call = round(ask(new ScriptedModel().call("w_add", "{\"left\":2,\"right\":3}"))
                .tools(Toolset.of(Prefixed.class))
                .all()
                .fill(Prefixed.World.class, methods)).expectOne();
        Dynamic in = ((Prefixed.World) call.input()).call();
        assertThat(call.attempt(in, ctx -> methods.execute(in, ctx)).outcome().text()).isEqualTo("5");
    }

    @Test
    void anEditOfAMethodToolReachesTheMethod() {
        var methods = ToolMethods.of(new Calculator());
        Round<ShopTools> round = round(
                ask(new ScriptedModel().call("add", "{\"left\":2,\"right\":3}")).tools(TOOLS)
                        .fill(Mcp.class, methods));
        var plan = round.apply(ToolHooks.of(TOOLS)
                .on(Mcp.class, (info, in) -> proceed(
                        new Mcp(in.call().withArguments(Json.of("{\"left\":20,\"right\":3}"))))));
        ToolCall<ShopTools> call = plan.pending().getFirst();
        Dynamic in = dynamic(call);
        assertThat(call.attempt(in, ctx -> methods.execute(in, ctx)).outcome().text()).isEqualTo("23");
    }

    @Test
    void aDynamicCallIsCompletedWithJson() {
        ToolCall<ShopTools> call = weather();
        assertThat(call.complete(dynamic(call), Json.of("[1]")).outcome()).isEqualTo(
                new ToolOutcome.Success(Json.of("[1]")));
        assertThat(complete(dynamic(call), Json.NULL)).isInstanceOf(Decision.Complete.class);
    }
}
