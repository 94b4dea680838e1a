package dev.belay.toolset;

import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.ask;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.Dynamic;
import dev.belay.tool.FromHost;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolMethods;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Mcp;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract A.6, row 2: what the host supplies, and what only the runtime has. */
class HostValuesTest {

    record Tenant(String name) {}

    static final class Billing {

        private final List<String> paid = new ArrayList<>();

        @Tool(undescribed = true)
        String pay(@FromHost Tenant tenant, long orderId, ToolContext context) {
            paid.add(tenant.name() + " " + orderId);
            return tenant.name() + " paid " + orderId + " as " + context.callId();
        }
    }

    private static ToolReply run(ToolMethods methods, ToolStepRequest<ShopTools, String> request) {
        ToolCall<ShopTools> call = round(request).expectOne();
        Dynamic in = ((Mcp) call.input()).call();
        return call.attempt(in, ctx -> methods.execute(in, ctx));
    }

    /** Row 2. */
    @Test
    void aParameterFromTheHostIsNotInTheSchemaAndIsSupplied() {
        var methods = ToolMethods.of(new Billing());
        var model = new ScriptedModel().call("pay", "{\"orderId\":7}");
        ToolReply reply = run(methods, ask(model).supply(Tenant.class, () -> new Tenant("acme"))
                .tools(TOOLS)
                .fill(Mcp.class, methods));
        assertThat(reply.outcome().text()).isEqualTo("acme paid 7 as scripted_1");
        Json schema = Shop.last(model).tools().getLast().inputSchema();
        assertThat(schema.at("/properties").orElseThrow().fields().keySet()).containsExactly("orderId");
        assertThat(schema.at("/additionalProperties")).contains(Json.FALSE);
    }

    @Test
    void nothingThatAModelSendsSetsIt() {
        var billing = new Billing();
        var methods = ToolMethods.of(billing);
        for (String arguments : List.of("{\"orderId\":7,\"tenant\":{\"name\":\"evil\"}}",
                "{\"orderId\":7,\"tenant\":\"evil\"}", "{\"orderId\":7,\"arg0\":{\"name\":\"evil\"}}",
                "{\"orderId\":7,\"Tenant\":{\"name\":\"evil\"}}")) {
            Round<ShopTools> round = round(
                    ask(new ScriptedModel().call("pay", arguments))
                            .supply(Tenant.class, () -> new Tenant("acme"))
                            .tools(TOOLS)
                            .fill(Mcp.class, methods));
            assertThat(round.calls()).as(arguments).isEmpty();
            assertThat(round.issues().getFirst().failure().code()).isEqualTo("invalid_arguments");
        }
        assertThat(billing.paid).isEmpty();
    }

    @Test
    void aMissingSupplierIsFoundBeforeTheModelIsAskedAndAnythingIsSpent() {
        var model = new ScriptedModel().call("pay", "{\"orderId\":7}");
        var pool = BudgetPool.of(SpendLimit.tokens(1_000_000));
        var request = ask(model).budget(pool).tools(TOOLS).fill(Mcp.class, ToolMethods.of(new Billing()));
        var thrown = refusal(request::run);
        assertThat(thrown.code()).isEqualTo("host_value_missing");
        assertThat(thrown).hasMessageContainingAll("Tenant", ".supply(Tenant.class");
        assertThat(model.requests()).isEmpty();
        assertThat(pool.spent()).isEqualTo(Usage.of(0, 0));
        request.supply(Tenant.class, () -> new Tenant("acme"));
        assertThat(request.run()).isInstanceOf(Step.NeedsTools.class);
    }

    @Test
    void definitionsAloneSayWhatTheyNeed() {
        var model = new ScriptedModel().call("pay", "{\"orderId\":7}");
        List<ToolDefinition> bare = ToolMethods.of(new Billing()).definitions();
        assertThat(refusalCode(() -> ask(model).tools(TOOLS).fill(Mcp.class, bare).run()))
                .isEqualTo("host_value_missing");
        assertThat(model.requests()).isEmpty();
        List<ToolDefinition> supplied = ToolMethods.of(new Billing())
                .with(Tenant.class, () -> new Tenant("own"))
                .definitions();
        assertThat(ask(model).tools(TOOLS).fill(Mcp.class, supplied).run())
                .isInstanceOf(Step.NeedsTools.class);
    }

    @Test
    void whatIsNotOfferedNeedsNothing() {
        var model = new ScriptedModel().reply("Fine.");
        assertThat(ask(model).tools(TOOLS)
                .fill(Mcp.class, ToolMethods.of(new Billing()))
                .only(ShopTools.FindOrders.class)
                .run()).isInstanceOf(Step.Finished.class);
    }

    @Test
    void aSupplierOfTheMethodsThemselvesIsEnough() {
        var methods = ToolMethods.of(new Billing()).with(Tenant.class, () -> new Tenant("own"));
        var model = new ScriptedModel().call("pay", "{\"orderId\":7}");
        assertThat(run(methods, ask(model).tools(TOOLS).fill(Mcp.class, methods)).outcome().text())
                .isEqualTo("own paid 7 as scripted_1");
    }

    @Test
    void aSupplierIsAskedAtEachCall() {
        var methods = ToolMethods.of(new Billing());
        List<String> names = new ArrayList<>(List.of("one", "two"));
        ToolCall<ShopTools> call = round(ask(new ScriptedModel().call("pay", "{\"orderId\":7}"))
                .supply(Tenant.class, () -> new Tenant(names.removeFirst()))
                .tools(TOOLS)
                .fill(Mcp.class, methods)).expectOne();
        assertThat(names).hasSize(2);
        Dynamic in = ((Mcp) call.input()).call();
        assertThat(call.attempt(in, ctx -> methods.execute(in, ctx)).outcome().text()).startsWith("one ");
        assertThat(call.attempt(in, ctx -> methods.execute(in, ctx)).outcome().text()).startsWith("two ");
    }

    @Test
    void aSupplierThatHasNothingFailsTheCall() {
        var methods = ToolMethods.of(new Billing());
        ToolReply reply = run(methods, ask(new ScriptedModel().call("pay", "{\"orderId\":7}"))
                .supply(Tenant.class, HostValuesTest::nobody)
                .tools(TOOLS)
                .fill(Mcp.class, methods));
        assertThat(reply.outcome().text()).startsWith("Error (host_value_missing): ");
    }

    interface RuntimeContext extends ToolContext {}

    static final class NeedsRuntime {
        @Tool(undescribed = true)
        String work(RuntimeContext context) {
            return String.valueOf(context.callId());
        }
    }

    /** Contract N.13: the runtime's own context extends ToolContext and is unknown here. */
    @Test
    void aToolThatTakesAContextOfTheRuntimeIsRefusedWhenOffered() {
        var model = new ScriptedModel().reply("ok");
        var request = ask(model).tools(TOOLS).fill(Mcp.class, ToolMethods.of(new NeedsRuntime()));
        var thrown = refusal(request::run);
        assertThat(thrown.code()).isEqualTo("capability_unavailable");
        assertThat(thrown).hasMessageContaining("RuntimeContext");
        assertThat(model.requests()).isEmpty();
        assertThat(refusalCode(request::run)).isEqualTo("capability_unavailable");
    }

    /** Null, as careless code returns it. */
    @SuppressWarnings("NullAway")
    private static Tenant nobody() {
        return null;
    }
}
