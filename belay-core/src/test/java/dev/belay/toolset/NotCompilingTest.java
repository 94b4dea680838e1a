package dev.belay.toolset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the types refuse. Every case is compiled twice: with the wrong expression, which must be refused on the line marked
 * {@code //!}, and with the right one in its place, which must compile without a warning.
 */
class NotCompilingTest {

    private static final String HEAD = """
            package shop;

            import static dev.belay.toolset.Decision.complete;
            import static dev.belay.toolset.Decision.proceed;
            import static dev.belay.toolset.Decision.reject;

            import dev.belay.model.Model;
            import dev.belay.tool.*;
            import dev.belay.tool.context.*;
            import dev.belay.toolset.*;
            import java.util.List;
            import java.util.Map;

            final class Wrong {
                record Order(long id) {}
                record User(String name) {}

                @Tools sealed interface ShopTools {
                    record FindOrders(String customer) implements ShopTools, ToolInput<List<Order>> {}
                    record Echo(String text) implements ShopTools, ToolInput<String> {}
                    @Nested record Crm(CrmTools tools) implements ShopTools {}
                    @Nested record Mcp(Dynamic call) implements ShopTools {}
                }

                @Tools sealed interface CrmTools {
                    record GetUser(int id) implements CrmTools, ToolInput<User> {}
                    record Forget(int id) implements CrmTools, ToolInput<Boolean> {}
                }

                static final Toolset<ShopTools> TOOLS = Toolset.of(ShopTools.class);
                static final Toolset<CrmTools> CRM_TOOLS = Toolset.of(CrmTools.class);
                static final ToolGroup<ShopTools, CrmTools> CRM = TOOLS.group(ShopTools.Crm.class, ShopTools.Crm::tools);
                static final ToolHooks<ShopTools> HOOKS = ToolHooks.of(TOOLS);
                static final ToolHooks<CrmTools> CRM_HOOKS = ToolHooks.of(CRM_TOOLS);

            """;

    private static Compilation compile(String member, String expression) {
        return Compilation.of("Wrong", HEAD + member.replace("§", expression) + "\n}\n");
    }

    /** Demands that the wrong expression in place of § is refused where //! stands, and that the right one is not. */
    private static void refuses(String member, String wrong, String right, String... words) {
        assertThat(compile(member, right).complaints()).as("with %s", right).isEmpty();
        List<Compilation.Complaint> complaints = compile(member, wrong).complaints();
        String before = HEAD + member.substring(0, member.indexOf("//!"));
        assertThat(complaints).as("with %s", wrong).isNotEmpty();
        assertThat(complaints.getFirst().line()).as("%s", complaints).isEqualTo(before.lines().count());
        assertThat(complaints.getFirst().text()).contains(words);
    }

    @Test
    void aWrongOutputFromRun() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.FindOrders in) {
                    return call.run(in, ctx -> §); //!
                }""", "\"text\"", "List.of(new Order(1))", "String", "List<shop.Wrong.Order>");
    }

    @Test
    void aWrongElementTypeFromRun() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.FindOrders in) {
                    return call.run(in, ctx -> §); //!
                }""", "List.of(\"text\")", "List.of(new Order(1))", "Order");
    }

    @Test
    void aWrongResultFromAttempt() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.FindOrders in) {
                    return call.attempt(in, ctx -> ToolResult.ok(§)); //!
                }""", "\"text\"", "List.of(new Order(1))", "String");
    }

    @Test
    void aWrongOutputFromComplete() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.FindOrders in) {
                    return call.complete(in, §); //!
                }""", "\"text\"", "List.of(new Order(1))", "String", "List<shop.Wrong.Order>");
    }

    @Test
    void aWrongElementTypeFromComplete() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.FindOrders in, List<String> texts, List<Order> orders) {
                    return call.complete(in, §); //!
                }""",
                "texts", "orders", "List<java.lang.String>", "List<shop.Wrong.Order>");
    }

    @Test
    void aWrongOutputOfADynamicCall() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, Dynamic in) {
                    return call.run(in, ctx -> §); //!
                }""", "\"text\"", "dev.belay.json.Json.NULL", "String", "dev.belay.json.Json");
    }

    @Test
    void aMissingCase() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call) {
                    return switch (call.input()) { //!
                        case ShopTools.FindOrders in -> call.run(in, ctx -> List.of());
                        §
                        case ShopTools.Crm(CrmTools.GetUser in) -> call.run(in, ctx -> new User("x"));
                        case ShopTools.Crm(CrmTools.Forget in) -> call.run(in, ctx -> true);
                        case ShopTools.Mcp(Dynamic in) -> call.reject("no");
                    };
                }""", "", "case ShopTools.Echo in -> call.run(in, ctx -> in.text());",
                "does not cover all possible input values");
    }

    @Test
    void aMissingNestedCase() {
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call) {
                    return switch (call.input()) { //!
                        case ShopTools.FindOrders in -> call.run(in, ctx -> List.of());
                        case ShopTools.Echo in -> call.run(in, ctx -> in.text());
                        case ShopTools.Crm(CrmTools.GetUser in) -> call.run(in, ctx -> new User("x"));
                        §
                        case ShopTools.Mcp(Dynamic in) -> call.reject("no");
                    };
                }""", "", "case ShopTools.Crm(CrmTools.Forget in) -> call.run(in, ctx -> true);",
                "does not cover all possible input values");
    }

    @Test
    void aMissingCaseOfAStep() {
        refuses("""
                String loop(Transcript transcript, Model model) {
                    return switch (transcript.step(model).tools(TOOLS).run()) { //!
                        case Step.Finished(var text) -> text;
                        §
                        case Step.NeedsTools(var round) -> round.text();
                    };
                }""", "", "case Step.Refused(var why) -> why;", "does not cover all possible input values");
    }

    /** Row 6. */
    @Test
    void aSelectorOfAnotherSet() {
        for (String option : List.of("plus", "only", "require")) {
            refuses("""
                    Step<ShopTools, String> ask(Transcript transcript, Model model) {
                        return transcript.step(model).tools(TOOLS).OPTION(§).run(); //!
                    }""".replace("OPTION", option), "CRM_TOOLS.byName(\"get_user\")",
                    "CRM.select(CrmTools.GetUser.class)",
                    "ToolSelector<shop.Wrong.CrmTools> cannot be converted to dev.belay.toolset.ToolSelector<shop.Wrong.ShopTools>");
        }
    }

    /** Row 6. */
    @Test
    void aClassOfAnotherSetAsASelector() {
        for (String option : List.of("plus", "only", "require")) {
            refuses("""
                    Step<ShopTools, String> ask(Transcript transcript, Model model) {
                        return transcript.step(model).tools(TOOLS).OPTION(§).run(); //!
                    }""".replace("OPTION", option), "CrmTools.GetUser.class", "ShopTools.Echo.class",
                    "cannot be converted to java.lang.Class<? extends shop.Wrong.ShopTools>");
        }
        refuses("ToolSelector<ShopTools> one = TOOLS.select(§); //!", "CrmTools.GetUser.class",
                "ShopTools.Echo.class",
                "cannot be converted to java.lang.Class<? extends shop.Wrong.ShopTools>");
        refuses("ToolSelector<ShopTools> one = CRM.select(§); //!", "ShopTools.Echo.class",
                "CrmTools.GetUser.class",
                "cannot be converted to java.lang.Class<? extends shop.Wrong.CrmTools>");
        refuses("ToolGroup<ShopTools, CrmTools> one = TOOLS.group(§); //!",
                "CrmTools.GetUser.class, in -> in", "ShopTools.Crm.class, in -> in.tools()",
                "upper bounds: shop.Wrong.ShopTools");
    }

    /** Row 6. */
    @Test
    void descriptionsOfAnotherSet() {
        refuses("""
                Step<ShopTools, String> ask(Transcript transcript, Model model) {
                    return transcript.step(model).tools(TOOLS).describe(§.descriptions()).run(); //!
                }""", "CRM_HOOKS", "HOOKS", "ToolSelector<shop.Wrong.CrmTools>",
                "ToolSelector<shop.Wrong.ShopTools>");
    }

    /** Row 6. */
    @Test
    void aListOfSelectorsOfAnotherSet() {
        refuses("""
                Step<ShopTools, String> ask(Transcript transcript, Model model) {
                    return transcript.step(model).tools(TOOLS).only(§.selectors()).run(); //!
                }""", "CRM_TOOLS", "CRM", "ToolSelector<shop.Wrong.CrmTools>",
                "ToolSelector<shop.Wrong.ShopTools>");
    }

    @Test
    void aHookForAToolOfAnotherSet() {
        refuses("ToolHooks<ShopTools> hooks = HOOKS.on(§.class, (call, in) -> reject(\"no\")); //!",
                "CrmTools.GetUser", "ShopTools.Echo", "upper bounds: shop.Wrong.ShopTools");
    }

    @Test
    void hooksOfAnotherSetAmongHooks() {
        refuses("ToolHooks<ShopTools> hooks = HOOKS.plus(§); //!", "CRM_HOOKS", "HOOKS",
                "ToolHooks<shop.Wrong.CrmTools> cannot be converted to dev.belay.toolset.ToolHooks<shop.Wrong.ShopTools>");
        refuses("ToolHooks<ShopTools> hooks = HOOKS.in(CRM, §); //!", "HOOKS", "CRM_HOOKS",
                "ToolHooks<shop.Wrong.ShopTools>", "shop.Wrong.CrmTools");
        refuses("ToolHooks<ShopTools> hooks = HOOKS.onEvery(§); //!",
                "(CallInfo call, CrmTools in) -> proceed(in)", "(CallInfo call, ShopTools in) -> proceed(in)",
                "shop.Wrong.ShopTools", "shop.Wrong.CrmTools");
    }

    @Test
    void aHookThatCompletesWithAnotherType() {
        refuses("ToolHooks<ShopTools> hooks = HOOKS.on(ShopTools.FindOrders.class, (call, in) -> complete(in, §)); //!",
                "\"text\"", "List.of(new Order(1))", "String", "List<shop.Wrong.Order>");
        refuses("""
                ToolHooks<ShopTools> hooks(List<String> texts, List<Order> orders) {
                    return HOOKS.on(ShopTools.FindOrders.class, (call, in) -> complete(in, §)); //!
                }""", "texts", "orders", "List<java.lang.String>", "List<shop.Wrong.Order>");
    }

    @Test
    void aCompletionMadeWithoutTheWitness() {
        refuses("Decision<ShopTools.FindOrders> decide(ShopTools.FindOrders in) { return §; } //!",
                "new Decision.Complete<ShopTools.FindOrders>(in, \"text\")", "complete(in, List.of())",
                "Complete");
    }

    @Test
    void aHookThatCompletesForAnotherInput() {
        refuses("ToolHooks<ShopTools> hooks = HOOKS.on(ShopTools.FindOrders.class, (call, in) -> complete(§)); //!",
                "new ShopTools.Echo(\"x\"), \"x\"", "in, List.of()", "ShopTools.FindOrders",
                "ShopTools.Echo");
    }

    @Test
    void aHookThatEditsWithAnotherType() {
        refuses("ToolHooks<ShopTools> hooks = HOOKS.on(ShopTools.FindOrders.class, (call, in) -> proceed(§)); //!",
                "new ShopTools.Echo(\"x\")", "new ShopTools.FindOrders(\"x\")", "ShopTools.FindOrders",
                "ShopTools.Echo");
        refuses("ToolHooks<ShopTools> hooks = HOOKS.onEvery((call, in) -> proceed(§)); //!",
                "new CrmTools.GetUser(1)", "new ShopTools.Crm(new CrmTools.GetUser(1))",
                "shop.Wrong.CrmTools.GetUser");
    }

    @Test
    void aPolicyObjectForAnotherTool() {
        refuses("""
                static final class Policy implements ToolHooks.Hook<ShopTools.Echo> {
                    @Override public Decision<ShopTools.Echo> decide(CallInfo call, ShopTools.Echo in) { return proceed(in); }
                }
                ToolHooks<ShopTools> hooks = HOOKS.on(§.class, new Policy()); //!""",
                "ShopTools.FindOrders",
                "ShopTools.Echo", "incompatible equality constraints");
    }

    @Test
    void hooksOfAnotherSetOnARoundAPlanAndACall() {
        refuses("RoundPlan<ShopTools> apply(Round<ShopTools> round) { return round.apply(§); } //!",
                "CRM_HOOKS",
                "HOOKS", "ToolHooks<shop.Wrong.CrmTools> cannot be converted");
        refuses("RoundPlan<ShopTools> apply(RoundPlan<ShopTools> plan) { return plan.apply(§); } //!",
                "CRM_HOOKS",
                "HOOKS", "ToolHooks<shop.Wrong.CrmTools> cannot be converted");
        refuses("HookedCall<ShopTools> apply(ToolCall<ShopTools> call) { return call.apply(§); } //!",
                "CRM_HOOKS",
                "HOOKS", "ToolHooks<shop.Wrong.CrmTools> cannot be converted");
    }

    @Test
    void completeOnAGroupWrapper() {
        refuses("ToolHooks<ShopTools> hooks = HOOKS.on(ShopTools.Crm.class, (call, in) -> §); //!",
                "complete(in, new User(\"x\"))", "proceed(in)", "upper bounds: dev.belay.tool.ToolInput<O>");
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.Crm crm, CrmTools.GetUser in) {
                    return call.complete(§, new User("x")); //!
                }""", "crm", "in", "Crm cannot be converted to dev.belay.tool.ToolInput<O>");
        refuses("""
                ToolReply execute(ToolCall<ShopTools> call, ShopTools.Crm crm, CrmTools.GetUser in) {
                    return call.run(§, ctx -> new User("x")); //!
                }""", "crm", "in", "Crm cannot be converted to dev.belay.tool.ToolInput<O>");
    }

    @Test
    void aReplyThatNoCallMade() {
        refuses("ToolReply reply(ToolCall<ShopTools> call) { return §; } //!", "new ToolReply(null)",
                "call.fail(\"no\")", "not public");
    }

    /** The loop of the architecture's section 6. */
    @Test
    void theWholeLoopCompilesWithoutAWarning() {
        assertThat(Compilation
                .of("Agent",
                        """
                                package shop;

                                import static dev.belay.tool.ToolEffect.READ;
                                import static dev.belay.toolset.Decision.proceed;
                                import static dev.belay.toolset.Decision.reject;

                                import dev.belay.json.Json;
                                import dev.belay.model.Model;
                                import dev.belay.schema.Range;
                                import dev.belay.tool.*;
                                import dev.belay.tool.context.*;
                                import dev.belay.toolset.*;
                                import java.math.BigDecimal;
                                import java.util.List;
                                import java.util.OptionalInt;
                                import shop.Agent.CrmTools.GetUser;
                                import shop.Agent.ShopTools.*;

                                public final class Agent {

                                    public record Order(long id) {}
                                    public record Receipt(String code) {}
                                    public record User(String name) {}

                                    interface Orders { List<Order> find(FindOrders in); }
                                    interface Refunds { Receipt pay(Refund in, IdempotencyKey key); }
                                    interface Users { User user(GetUser in); }
                                    interface McpClient { Json call(String name, Json arguments); }

                                    @Tools
                                    public sealed interface ShopTools {

                                        /** Finds orders of a customer.
                                         *  @param customer e-mail or customer number
                                         *  @param limit    at most this many */
                                        @Tool(effect = READ)
                                        record FindOrders(String customer, @Range(min = 1, max = 50) OptionalInt limit)
                                            implements ShopTools, ToolInput<List<Order>> {}

                                        /** Refunds one order. */
                                        @Tool(defaultOn = false)
                                        record Refund(long orderId, BigDecimal amount) implements ShopTools, ToolInput<Receipt> {}

                                        @Nested(prefix = "crm_") record Crm(CrmTools tools) implements ShopTools {}
                                        @Nested record Mcp(Dynamic call) implements ShopTools {}
                                    }

                                    @Tools
                                    public sealed interface CrmTools {
                                        /** Looks up a user. */
                                        record GetUser(int userId) implements CrmTools, ToolInput<User> {}
                                    }

                                    static final Toolset<ShopTools> TOOLS = Toolset.of(ShopTools.class);
                                    static final ToolGroup<ShopTools, CrmTools> CRM = TOOLS.group(Crm.class, Crm::tools);
                                    static final ToolHooks<ShopTools> HOOKS = ToolHooks.of(TOOLS)
                                        .on(Refund.class, (call, in) -> in.amount().signum() > 0 ? proceed(in) : reject("amount must be positive"));

                                    private final Orders orders;
                                    private final Refunds refunds;
                                    private final Users crm;
                                    private final McpClient mcp;

                                    Agent(Orders orders, Refunds refunds, Users crm, McpClient mcp) {
                                        this.orders = orders;
                                        this.refunds = refunds;
                                        this.crm = crm;
                                        this.mcp = mcp;
                                    }

                                    String loop(Transcript transcript, Model model, List<ToolDefinition> mcpTools) {
                                        transcript.user("Refund order 42");
                                        while (true) {
                                            switch (transcript.step(model).tools(TOOLS).plus(Refund.class).fill(Mcp.class, mcpTools).run()) {
                                                case Step.Finished(var text)    -> { return text; }
                                                case Step.Refused(var why)      -> { return why; }
                                                case Step.NeedsTools(var round) -> {
                                                    var plan = round.apply(HOOKS);
                                                    plan.commit(plan.pending().stream().map(this::execute).toList());
                                                }
                                            }
                                        }
                                    }

                                    ToolReply execute(ToolCall<ShopTools> call) {
                                        return switch (call.input()) {
                                            case FindOrders in            -> call.run(in, ctx -> orders.find(in));
                                            case Refund in                -> call.run(in, ctx -> refunds.pay(in, ctx.idempotencyKey()));
                                            case Crm(CrmTools.GetUser in) -> call.run(in, ctx -> crm.user(in));
                                            case Mcp(var in)              -> call.run(in, ctx -> mcp.call(in.tool().name(), in.arguments()));
                                        };
                                    }
                                }
                                """)
                .complaints()).isEmpty();
    }
}
