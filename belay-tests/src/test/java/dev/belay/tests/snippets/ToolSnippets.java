package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.TypeRef;
import dev.belay.tool.FromHost;
import dev.belay.tool.SimpleTool;
import dev.belay.tool.SimpleToolRegistry;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.Tools;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The code of {@code docs/tools.md} and {@code docs/tool-results.md}. */
final class ToolSnippets {

    private ToolSnippets() {}

    // region set
    @Tools
    sealed interface AccountTools {

        @Description("Tells the balance of an account.")
        @Tool(effect = ToolEffect.READ)
        record Balance(String account) implements AccountTools, ToolInput<BigDecimal> {}

        @Description("Moves money from one account to another.")
        @Tool(exclusive = "account:{from}", timeout = "PT20S")
        record Transfer(String from, String to, BigDecimal amount)
                implements
                    AccountTools,
                    ToolInput<Receipt> {}
    }

    record Receipt(String number, BigDecimal left) {}
    // endregion

    static ToolProvider accounts() {
        // region bodies
        StaticToolProvider accounts = StaticToolProvider.builder()
                .tool(AccountTools.Balance.class, (in, context) -> new BigDecimal("12.50"))
                .tool(AccountTools.Transfer.class, (in, context) -> new Receipt("R-1", BigDecimal.ZERO))
                .build();
        // endregion
        return accounts;
    }

    // region union
    @Description("Looks up a customer.")
    @Tool(effect = ToolEffect.READ)
    sealed interface Lookup extends ToolInput<String> {

        record ByEmail(String email) implements Lookup {}

        record ByNumber(long number) implements Lookup {}
    }
    // endregion

    // region enum
    @Description("Turns the light on or off.")
    @Tool(effect = ToolEffect.IDEMPOTENT)
    enum Light implements ToolInput<Void> {
        ON, OFF
    }
    // endregion

    /** The tenant, which no model may choose. */
    record Tenant(String name) {}

    // region methods
    static class Notes {

        private final Map<String, String> notes = new ConcurrentHashMap<>();

        @Tool(effect = ToolEffect.IDEMPOTENT)
        @Description("Keeps a note under a title.")
        void keepNote(@FromHost Tenant tenant, String title, String text) {
            notes.put(tenant.name() + "/" + title, text);
        }

        @Tool(effect = ToolEffect.READ)
        @Description("Reads a note.")
        ToolResult<String> readNote(@FromHost Tenant tenant, String title, ToolContext context) {
            String text = notes.get(tenant.name() + "/" + title);
            return text == null ? ToolResult.failure("there is no note " + title) : ToolResult.ok(text);
        }
    }
    // endregion

    static ToolMethods notes() {
        // region host
        ToolMethods notes = ToolMethods.of(new Notes())
                .with(Tenant.class, () -> new Tenant("acme"))
                .customize("keep_note", tool -> tool.preview(arguments -> "keeps " + arguments.text()));
        // endregion
        return notes;
    }

    // region typed
    record Query(String text, int page) {}

    static final ToolDefinition SEARCH = ToolDefinition
            .typed(Query.class, new TypeRef<List<String>>() {}, "search", "Searches the manual.")
            .effect(ToolEffect.READ)
            .scheduling(Scheduling.SERIAL)
            .retry(RetryPolicy.attempts(3));
    // endregion

    // region raw
    static final ToolDefinition PING = ToolDefinition.raw("ping", "Asks a host for a sign of life.",
            Json.of("""
                    {"type": "object",
                     "properties": {"host": {"type": "string"}},
                     "required": ["host"],
                     "additionalProperties": false}
                    """));
    // endregion

    static ToolProvider mixed() {
        // region mixed
        return StaticToolProvider.builder()
                .tool(SEARCH, Query.class, (in, context) -> List.of(in.text() + " on page " + in.page()))
                .raw(PING, (arguments, context) -> arguments.at("/host").orElseThrow().asString() + " is up")
                .build();
        // endregion
    }

    // region simple
    static final class AddNumbers implements SimpleTool {

        @Override
        public String name() {
            return "add_numbers";
        }

        @Override
        public String description() {
            return "Adds the numbers a and b.";
        }

        @Override
        public String invoke(Json arguments) {
            long a = arguments.get("a").orElseThrow(() -> new ToolException("a is missing")).asLong();
            long b = arguments.get("b").orElseThrow(() -> new ToolException("b is missing")).asLong();
            return Long.toString(a + b);
        }
    }
    // endregion

    static SimpleToolRegistry simple() {
        return new SimpleToolRegistry().register(new AddNumbers());
    }

    // region provider
    static final class Prices implements ToolProvider {

        private static final ToolDefinition BUY = ToolDefinition.raw("buy", "Buys an item at today's price.",
                Json.of("""
                        {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}"""));

        @Override
        public List<ToolDefinition> definitions() {
            return List.of(BUY);
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            return call.freeze(Json.number(250)); // the price that the approver sees
        }

        @Override
        public Object execute(PreparedCall call) {
            return "bought for " + call.payload().orElseThrow().asLong();
        }
    }
    // endregion

    // region results
    static Object pay(long cents) throws Exception {
        if (cents < 0) {
            throw new ToolException("cents must not be negative"); // Error (tool_failed): …
        }
        if (cents > 100_000) {
            return ToolResult.failure(ToolFailure.of(ToolFailure.Kind.PERMISSION_DENIED, "over_limit",
                    "at most 100000 cents; ask a person for more")); // Error (over_limit): …
        }
        if (cents == 13) {
            throw new IllegalStateException("printer on fire"); // Error (tool_threw): printer on fire
        }
        return cents == 0 ? "" : "paid " + cents; // (no output), or the text as it is
    }
    // endregion

    // region listed
    /** Tools of a server that is asked over the network. */
    record ServerTools(Server server) implements ToolProvider {

        @Override
        public List<ToolManifest> manifests() {
            return server.names()
                    .stream()
                    .map(name -> ToolDefinition.raw(name, "Runs " + name + " on the server.", ANY).manifest())
                    .toList();
        }

        @Override
        public Optional<ToolContract> contract(ToolId id) { // may take a while, and may fail
            return server.schema(id.value()).map(schema -> new ToolContract(JsonSchema.of(schema), null));
        }

        @Override
        public Object execute(PreparedCall call) {
            return server.call(call.name(), call.arguments());
        }
    }
    // endregion

    static final Json ANY = Json.of("{\"type\":\"object\"}");

    /** What a server can do. */
    interface Server {

        List<String> names();

        Optional<Json> schema(String id);

        Json call(String name, Json arguments);
    }
}
