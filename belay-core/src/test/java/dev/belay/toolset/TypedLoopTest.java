package dev.belay.toolset;

import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;
import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.ToolDefinition;
import dev.belay.toolset.Shop.CrmTools;
import dev.belay.toolset.Shop.MailTools;
import dev.belay.toolset.Shop.Order;
import dev.belay.toolset.Shop.Receipt;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Crm;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.ShopTools.Mcp;
import dev.belay.toolset.Shop.ShopTools.OldCrm;
import dev.belay.toolset.Shop.ShopTools.Refund;
import dev.belay.toolset.Shop.User;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The loop of the architecture's section 6, run: valid, invalid, unknown, nested and dynamic calls, hooks, several rounds. */
class TypedLoopTest {

    private static final ToolHooks<ShopTools> HOOKS = ToolHooks.of(TOOLS)
            .on(Refund.class, (call, in) -> in.amount().signum() > 0
                    ? proceed(in)
                    : reject("amount must be positive"))
            .in(CRM, ToolHooks.of(CRM.toolset())
                    .on(CrmTools.GetUser.class,
                            (call, in) -> in.userId() == 1
                                    ? Decision.complete(in, new User("root"))
                                    : proceed(in)));

    private static final ToolDefinition WEATHER = ToolDefinition.raw("weather", "Tells the weather.",
            Json.of("{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}"));

    private final List<String> done = new ArrayList<>();

    private String loop(Transcript transcript, Model model) {
        while (true) {
            switch (transcript.step(model)
                    .tools(TOOLS)
                    .plus(Refund.class)
                    .fill(Mcp.class, List.of(WEATHER))
                    .run()) {
                case Step.Finished(var text) -> {
                    return text;
                }
                case Step.Refused(var why) -> {
                    return "refused: " + why;
                }
                case Step.NeedsTools(var round) -> {
                    var plan = round.apply(HOOKS);
                    plan.commit(plan.pending().stream().map(this::execute).toList());
                }
            }
        }
    }

    private ToolReply execute(ToolCall<ShopTools> call) {
        done.add(call.name());
        return switch (call.input()) {
            case FindOrders in -> call.run(in, ctx -> List.of(new Order(42, in.customer())));
            case Refund in -> call.run(in, ctx -> new Receipt(ctx.idempotencyKey().value().substring(0, 4)));
            case Echo in -> call.run(in, ctx -> in.text());
            case Crm(CrmTools tools) -> crm(call, tools);
            case OldCrm(CrmTools tools) -> crm(call, tools);
            case Mcp(var in) -> call.run(in, ctx -> Json.string(in.tool().name() + in.arguments().text()));
        };
    }

    /** A set that stands in two places has one method. */
    private static ToolReply crm(ToolCall<ShopTools> call, CrmTools tools) {
        return switch (tools) {
            case CrmTools.GetUser in -> call.run(in, ctx -> new User("user " + in.userId()));
            case CrmTools.Forget in -> call.run(in, ctx -> true);
            case CrmTools.Mail(MailTools.Send in) -> call.run(in, ctx -> "sent to " + in.to());
        };
    }

    @Test
    void theLoopRunsToItsEndAndTheHistoryIsWellFormed() {
        var model = new ScriptedModel()
                .then(ScriptStep.text("Let me look.")
                        .andCall("find_orders", "{\"customer\":\"ada\"}")
                        .andCall("crm_get_user", "{\"userId\":1}")
                        .andCall("crm_get_user", "{\"userId\":2}")
                        .andCall("crm_mail_send", "{\"to\":\"a@b\"}"))
                .then(ScriptStep.call("refund", "{\"orderId\":42,\"amount\":-5}")
                        .andCall("refund", "{\"orderId\":\"x\"}")
                        .andCall("old_get_user", "{\"userId\":1}")
                        .andCall("weather", "{\"city\":\"Rome\"}"))
                .then(ScriptStep.call("refund", "{\"orderId\":42,\"amount\":5}"))
                .reply("Refunded.");
        Transcript transcript = new Transcript().user("Refund order 42");
        assertThat(loop(transcript, model)).isEqualTo("Refunded.");
        model.assertExhausted();
        assertThat(done).containsExactly("find_orders", "crm_get_user", "crm_mail_send", "weather", "refund");
        assertThat(replies(transcript, 2)).containsExactly("[{\"id\":42,\"customer\":\"ada\"}]",
                "{\"name\":\"root\"}", "{\"name\":\"user 2\"}", "sent to a@b");
        assertThat(replies(transcript, 4)).satisfiesExactly(
                rejected -> assertThat(rejected).isEqualTo("Rejected: amount must be positive"),
                invalid -> assertThat(invalid).startsWith("Error (invalid_arguments): "),
                off -> assertThat(off).startsWith("Error (tool_unavailable): "),
                dynamic -> assertThat(dynamic).isEqualTo("weather{\"city\":\"Rome\"}"));
        assertThat(replies(transcript, 6)).singleElement().asString().startsWith("{\"code\":\"");
        assertThat(transcript.messages().getLast()).isEqualTo(Message.assistant("Refunded."));
        assertThat(transcript.messages()).hasSize(8);
        assertThat(History.problems(transcript.messages())).isEmpty();
    }

    @Test
    void aRefusalEndsTheLoop() {
        assertThat(loop(new Transcript().user("x"), new ScriptedModel().refuse("I will not"))).isEqualTo(
                "refused: I will not");
        assertThat(done).isEmpty();
    }

    private static List<String> replies(Transcript transcript, int index) {
        return ((Message.ToolMessage) transcript.messages().get(index)).replies()
                .stream()
                .map(ReplyPart::text)
                .toList();
    }
}
