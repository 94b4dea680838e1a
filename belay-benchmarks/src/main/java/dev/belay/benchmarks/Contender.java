package dev.belay.benchmarks;

import dev.belay.benchmarks.Weather.Forecast;
import dev.belay.benchmarks.Weather.Outlook;
import dev.belay.generated.Companions;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.support.ToolDefinitions;
import tools.jackson.databind.json.JsonMapper;

/** A contender: turns the text of arguments into the text of a result, each in its own way. */
public enum Contender {
    /** Decodes a record and encodes a record, without checks and without tools. */
    JACKSON(Role.FLOOR, "Jackson 3, decode + encode"),
    /** A record declared by class literals, constructed and read by reflection. */
    BELAY_REFLECTION(Role.BELAY, "Belay, record by reflection"),
    /** The same record with the code that the annotation processor generated. */
    BELAY_COMPANION(Role.BELAY, "Belay, record with companion"),
    /** A method with the same parameters. */
    BELAY_METHOD(Role.BELAY, "Belay, method"),
    /** A call in the loop that user code owns, with one typed hook: more than the others do. */
    BELAY_LOOP(Role.BELAY, "Belay, own loop with one typed hook"),
    /** Its executor of annotated methods. */
    LANGCHAIN4J(Role.PEER, "LangChain4j DefaultToolExecutor"),
    /** Its callback of annotated methods. */
    SPRING_AI(Role.PEER, "Spring AI MethodToolCallback");

    /** The part of a contender in the comparison. */
    enum Role {
        /** The least work that every contender must do. */
        FLOOR,
        /** Measured against the others. */
        BELAY,
        /** Does the same job elsewhere. */
        PEER
    }

    private final Role role;
    private final String label;

    Contender(Role role, String label) {
        this.role = role;
        this.label = label;
    }

    Role role() {
        return role;
    }

    String label() {
        return label;
    }

    /** Whether it can run in this build: the companion exists only if the processor ran. */
    boolean isAvailable() {
        return this != BELAY_COMPANION || Companions.of(Forecast.class).isPresent();
    }

    /** From argument text to result text. */
    UnaryOperator<String> open() {
        return switch (this) {
            case JACKSON -> jackson();
            case BELAY_REFLECTION -> belay(reflected());
            case BELAY_COMPANION -> belay(declared());
            case BELAY_METHOD -> belay(ToolMethods.of(new Weather.Service()));
            case BELAY_LOOP -> OwnLoop.open();
            case LANGCHAIN4J -> langChain4j();
            case SPRING_AI -> springAi();
        };
    }

    private static UnaryOperator<String> belay(ToolProvider provider) {
        ToolCaller caller = ToolCaller.of(provider);
        return arguments -> caller.call("forecast", arguments).text();
    }

    private static ToolProvider reflected() {
        ToolBody<Forecast, Outlook> body = (in, context) -> run(in);
        var definition = ToolDefinition.typed(Forecast.class, Outlook.class, "forecast",
                "Forecasts the weather of a city.");
        return StaticToolProvider.builder().tool(definition, Forecast.class, body).build();
    }

    private static ToolProvider declared() {
        return StaticToolProvider.builder().tool(Forecast.class, (in, context) -> run(in)).build();
    }

    private static Outlook run(Forecast in) {
        return Weather.outlook(in.city(), in.days(), in.metric(), in.threshold());
    }

    private static UnaryOperator<String> jackson() {
        JsonMapper mapper = JsonMapper.builder().build();
        var reader = mapper.readerFor(Forecast.class);
        var writer = mapper.writerFor(Outlook.class);
        return arguments -> writer.writeValueAsString(run(reader.readValue(arguments)));
    }

    private static UnaryOperator<String> langChain4j() {
        var executor = new DefaultToolExecutor(new Weather.Service(), method());
        return arguments -> executor.execute(
                ToolExecutionRequest.builder().id("1").name("forecast").arguments(arguments).build(), "1");
    }

    private static UnaryOperator<String> springAi() {
        var callback = MethodToolCallback.builder()
                .toolDefinition(ToolDefinitions.from(method()))
                .toolMethod(method())
                .toolObject(new Weather.Service())
                .build();
        return callback::call;
    }

    private static Method method() {
        try {
            return Weather.Service.class.getMethod("forecast", String.class, int.class, boolean.class,
                    double.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
