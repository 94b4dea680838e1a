package dev.belay.benchmarks;

import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;

/** The tool that every contender calls: four parameters in, a record of four components out, and almost no work between. */
public final class Weather {

    /** The arguments of the model. */
    static final String ARGUMENTS = """
            {"city":"Novi Sad","days":5,"metric":true,"threshold":21.5}""";

    /** The result for the model, apart from white space. */
    static final String RESULT = """
            {"city":"Novi Sad","warmest":24.5,"above":3,"summary":"warm, in degrees Celsius"}""";

    /**
     * Forecasts the weather of a city.
     *
     * @param city name of the city
     * @param days how many days from today
     * @param metric Celsius rather than Fahrenheit
     * @param threshold counts days that are warmer
     */
    @Tool(effect = ToolEffect.READ)
    public record Forecast(String city, int days, boolean metric,
            double threshold) implements ToolInput<Outlook> {}

    /**
     * The weather to come.
     *
     * @param city name of the city
     * @param warmest the highest temperature
     * @param above days above the threshold
     * @param summary one line
     */
    public record Outlook(String city, double warmest, int above, String summary) {}

    /** The same as a method, for contenders whose tools are methods. */
    public static final class Service {

        /**
         * Forecasts the weather of a city.
         *
         * @param city name of the city
         * @param days how many days from today
         * @param metric Celsius rather than Fahrenheit
         * @param threshold counts days that are warmer
         */
        @Tool(effect = ToolEffect.READ)
        @dev.langchain4j.agent.tool.Tool("Forecasts the weather of a city.")
        @org.springframework.ai.tool.annotation.Tool(description = "Forecasts the weather of a city.")
        public Outlook forecast(String city, int days, boolean metric, double threshold) {
            return outlook(city, days, metric, threshold);
        }
    }

    private Weather() {}

    static Outlook outlook(String city, int days, boolean metric, double threshold) {
        String summary = metric ? "warm, in degrees Celsius" : "warm, in degrees Fahrenheit";
        return new Outlook(city, threshold + 3, days - 2, summary);
    }
}
