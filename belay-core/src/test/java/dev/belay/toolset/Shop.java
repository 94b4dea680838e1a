package dev.belay.toolset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.BelayException;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.ToolSpec;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.schema.Description;
import dev.belay.schema.Range;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The sets of tools that these tests use: one set that stands in two places of another, default-off tools and groups, a set
 * within a nested set, and a place for tools that are known only at run time.
 */
final class Shop {

    record Order(long id, String customer) {}

    record Receipt(String code) {}

    record User(String name) {}

    @Tools
    sealed interface ShopTools {

        @Description("Finds orders of a customer.")
        @Tool(effect = ToolEffect.READ)
        record FindOrders(@Description("e-mail or customer number") String customer,
                @Range(min = 1, max = 50) OptionalInt limit) implements ShopTools, ToolInput<List<Order>> {

            FindOrders(String customer) {
                this(customer, OptionalInt.empty());
            }
        }

        @Description("Refunds one order.")
        @Tool(defaultOn = false)
        record Refund(long orderId, BigDecimal amount) implements ShopTools, ToolInput<Receipt> {

            Refund(long orderId, String amount) {
                this(orderId, new BigDecimal(amount));
            }
        }

        @Nested(prefix = "crm_")
        record Crm(CrmTools tools) implements ShopTools {}

        @Description("Says a text back.")
        record Echo(String text) implements ShopTools, ToolInput<String> {}

        @Nested(prefix = "old_", defaultOn = false)
        record OldCrm(CrmTools tools) implements ShopTools {}

        @Nested
        record Mcp(Dynamic call) implements ShopTools {}
    }

    @Tools
    sealed interface CrmTools {

        @Description("Looks up a user.")
        record GetUser(int userId) implements CrmTools, ToolInput<User> {}

        @Description("Forgets a user.")
        @Tool(defaultOn = false)
        record Forget(int userId) implements CrmTools, ToolInput<Boolean> {}

        @Nested(prefix = "mail_")
        record Mail(MailTools tools) implements CrmTools {}
    }

    @Tools
    sealed interface MailTools {

        @Description("Sends a mail.")
        record Send(String to) implements MailTools, ToolInput<String> {}
    }

    static final Toolset<ShopTools> TOOLS = Toolset.of(ShopTools.class);
    static final ToolGroup<ShopTools, CrmTools> CRM = TOOLS.group(ShopTools.Crm.class, ShopTools.Crm::tools);
    static final ToolGroup<ShopTools, CrmTools> OLD_CRM = TOOLS.group(ShopTools.OldCrm.class,
            ShopTools.OldCrm::tools);
    static final ToolGroup<ShopTools, MailTools> CRM_MAIL = CRM.group(CrmTools.Mail.class,
            CrmTools.Mail::tools);

    private Shop() {}

    /** A transcript in which somebody asked something. */
    static Transcript asked() {
        return new Transcript().user("Help me");
    }

    /** The round that a message of the model opens when all tools were offered. */
    static Round<ShopTools> round(ScriptStep says) {
        return round(asked(), says);
    }

    static Round<ShopTools> round(Transcript transcript, ScriptStep says) {
        return round(transcript.step(new ScriptedModel().then(says)).tools(TOOLS).all());
    }

    static <T> Round<T> round(ToolStepRequest<T, String> request) {
        return switch (request.run()) {
            case Step.NeedsTools<T, String>(Round<T> round) -> round;
            case Step<T, String> other -> throw new AssertionError("no round but " + other);
        };
    }

    /** The only call of a message with one call. */
    static ToolCall<ShopTools> call(String name, String arguments) {
        return round(ScriptStep.call(name, arguments)).expectOne();
    }

    static ScriptStep findOrders() {
        return ScriptStep.call("find_orders", "{\"customer\":\"42\"}");
    }

    /** Names of the tools that a request sent. */
    static List<String> sent(ScriptedModel model) {
        return last(model).tools().stream().map(ToolSpec::name).toList();
    }

    static ModelRequest last(ScriptedModel model) {
        return model.lastRequest().orElseThrow();
    }

    static List<String> names(List<? extends ToolSelector<?>> selectors) {
        return selectors.stream().map(ToolSelector::name).toList();
    }

    static StepRequest<String> ask(Model model) {
        return asked().step(model);
    }

    /** What was thrown, which must carry a code. */
    static BelayException refusal(ThrowingCallable code) {
        Throwable thrown = catchThrowable(code);
        assertThat(thrown).isInstanceOf(BelayException.class);
        return (BelayException) thrown;
    }

    static String refusalCode(ThrowingCallable code) {
        return refusal(code).code();
    }
}
