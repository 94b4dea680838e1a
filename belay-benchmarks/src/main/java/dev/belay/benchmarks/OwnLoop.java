package dev.belay.benchmarks;

import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;

import dev.belay.benchmarks.Weather.Outlook;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.HookedCall;
import dev.belay.toolset.Round;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import dev.belay.toolset.Transcript;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * One call of the user-owned loop: it is admitted, decoded and validated, one typed hook sees it, the body runs and the output is
 * encoded. A round has a thousand calls, so that the request to the model adds almost nothing to a call. Confined to one thread.
 */
final class OwnLoop {

    /** The tools of the loop. */
    @Tools
    sealed interface WeatherTools {

        /**
         * Forecasts the weather of a city.
         *
         * @param city name of the city
         * @param days how many days from today
         * @param metric Celsius rather than Fahrenheit
         * @param threshold counts days that are warmer
         */
        @Tool(effect = ToolEffect.READ)
        record Forecast(String city, int days, boolean metric,
                double threshold) implements WeatherTools, ToolInput<Outlook> {}
    }

    private static final Toolset<WeatherTools> TOOLS = Toolset.of(WeatherTools.class);
    private static final ToolHooks<WeatherTools> HOOKS = ToolHooks.of(TOOLS)
            .on(WeatherTools.Forecast.class,
                    (call, in) -> in.days() > 0 ? proceed(in) : reject("ask for a day at least"));

    private static final int CALLS = 1_000;

    private final Deque<ToolCall<WeatherTools>> waiting = new ArrayDeque<>();

    private OwnLoop() {}

    /** From argument text to result text. */
    static UnaryOperator<String> open() {
        return new OwnLoop()::call;
    }

    private String call(String arguments) {
        ToolCall<WeatherTools> call = waiting.poll();
        if (call == null) {
            waiting.addAll(round(arguments).calls());
            call = waiting.remove();
        }
        return switch (call.apply(HOOKS)) {
            case HookedCall.Pending<WeatherTools>(var next) -> execute(next).outcome().text();
            case HookedCall<WeatherTools> other ->
                throw new IllegalStateException("not pending but " + other);
        };
    }

    private static Round<WeatherTools> round(String arguments) {
        var transcript = new Transcript().user("What will the weather be?");
        return switch (transcript.step(new Caller(arguments)).tools(TOOLS).run()) {
            case Step.NeedsTools<WeatherTools, String>(var round) -> round;
            case Step<WeatherTools, String> other -> throw new IllegalStateException("no call but " + other);
        };
    }

    private static ToolReply execute(ToolCall<WeatherTools> call) {
        return switch (call.input()) {
            case WeatherTools.Forecast in -> call.run(in,
                    context -> Weather.outlook(in.city(), in.days(), in.metric(), in.threshold()));
        };
    }

    /** Answers every request with many calls, and streams nothing. */
    private record Caller(String arguments) implements Model {

        @Override
        public String id() {
            return "caller";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            CallPart[] calls = IntStream.range(0, CALLS)
                    .mapToObj(i -> new CallPart("c" + i, "forecast", arguments))
                    .toArray(CallPart[]::new);
            return new ModelResponse(Message.assistant(calls), FinishReason.TOOL_CALLS, Usage.of(10, 10),
                    "caller",
                    "1");
        }
    }
}
