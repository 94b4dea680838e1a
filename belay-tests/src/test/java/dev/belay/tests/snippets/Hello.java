package dev.belay.tests.snippets;

// region program
import dev.belay.tool.Tool;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolMethods;

class Hello {

    static class Weather {

        /** Tells the temperature of a city in degrees Celsius. */
        @Tool
        double temperature(String city) {
            return city.equals("Oslo") ? -3.5 : 21;
        }
    }

    public static void main(String[] args) {
        var tools = ToolCaller.of(ToolMethods.of(new Weather()));
        System.out.println(tools.call("temperature", "{\"city\": \"Oslo\"}").text());
        System.out.println(tools.call("temperature", "{\"town\": \"Oslo\"}").text());
        System.out.println(tools.call("temprature", "{\"city\": \"Oslo\"}").text());
    }
}
// endregion
