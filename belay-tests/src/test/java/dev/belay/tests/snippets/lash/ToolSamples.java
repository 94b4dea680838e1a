package dev.belay.tests.snippets.lash;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnModel;
import dev.belay.schema.Description;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.DirectModel.DirectRequest;
import dev.belay.tool.context.PluginBinding;
import dev.belay.tool.option.Scheduling;
import java.util.List;
import java.util.Optional;

/** The code of docs/from-lash-tools.md. */
final class ToolSamples {

    private ToolSamples() {}

    // region weather
    record WeatherArgs(String city, Optional<String> units) {}

    record WeatherReport(String summary, float temperatureC) {}

    static ToolProvider weather() {
        ToolDefinition lookup = ToolDefinition.typed(WeatherArgs.class, WeatherReport.class,
                "weather_lookup", "Look up the current weather for a city.").effect(ToolEffect.READ);
        return StaticToolProvider.builder()
                .tool(lookup, WeatherArgs.class, (args, context) -> lookupWeather(args))
                .build();
    }

    static WeatherReport lookupWeather(WeatherArgs args) {
        String units = args.units().orElse("metric");
        return new WeatherReport(units + " weather in " + args.city(), 21.0f);
    }
    // endregion

    // region install
    static Belay install(Model model) {
        return Belay.builder().model(model).tools(weather()).build();
    }
    // endregion

    // region raw
    static final class Echo implements ToolProvider {

        private static final ToolDefinition ECHO = ToolDefinition.raw("echo", "Says it again.",
                Json.of("{\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}}}"));

        @Override
        public List<ToolDefinition> definitions() { // or manifests() and contract(id), asked apart
            return List.of(ECHO);
        }

        @Override
        public Object execute(PreparedCall call) {
            Json arguments = call.arguments(); // checked against the contract
            call.context().progress().report("saying " + call.name()); // told to the stream
            return ToolResult.ok(arguments.get("text").orElse(Json.NULL));
        }
    }
    // endregion

    // region rank
    static final class Ranking {

        @Tool(effect = ToolEffect.READ)
        @Description("Puts answers into an order.")
        String rank(String answers, SessionToolContext context) throws InterruptedException {
            TurnModel model = context.sessions().model(); // name and variant of the session's model
            return context.model()
                    .complete(DirectRequest.of(Message.user("Rank these: " + answers))
                            .withModel(model.name())
                            .withVariant(model.variant()), "my_tool")
                    .text(); // session, cause and replay key are filled in
        }
    }
    // endregion

    // region binding
    record Tenant(String name) {}

    static final PluginBinding<Tenant> TENANT = PluginBinding.of("tenant", Tenant.class);

    static final class Greeting implements ToolProvider {

        @Override
        public List<ToolDefinition> definitions() {
            return List.of(ToolDefinition.raw("greet", "Greets.", Json.of("{\"type\": \"object\"}")));
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) { // execute() cannot read it: it gets what is frozen here
            return call.freeze(Json.string(call.input(TENANT).map(Tenant::name).orElse("nobody")));
        }

        @Override
        public Object execute(PreparedCall call) {
            return "hello, " + call.payload().orElseThrow().asString();
        }
    }

    static String greet(Belay belay) throws InterruptedException {
        return belay.session("s").turn("Greet.").with(TENANT, new Tenant("acme")).run().ended().text();
    }
    // endregion

    // region serial
    static final ToolDefinition WRITE_FILE = ToolDefinition.raw("write_file", "Replace a file's contents.",
            Json.of("{\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}}}"))
            .scheduling(Scheduling.SERIAL);
    // endregion

    // region membership
    static final class Admin {

        @Tool(effect = ToolEffect.READ)
        @Description("Takes a tool out of this session.")
        String drop(String tool, SessionToolContext context) {
            context.sessions().setToolMembership(List.of(tool), false); // counts with this call, from the next question on
            return "there are " + context.sessions().toolCatalog().names();
        }
    }
    // endregion
}
