package dev.belay.tests.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tool.Tool;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolMethods;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Tools that are declared above the class of the object, as the processor sees them. */
class InheritedJavadocTest {

    interface Weather {

        /**
         * Tells the temperature.
         *
         * @param city where
         */
        @Tool
        double temperature(String city);
    }

    abstract static class Station {

        /** Tells the name of the station. */
        @Tool
        abstract String station();
    }

    static class Oslo extends Station implements Weather {

        /** Counts the days of snow. */
        @Tool
        int snow() {
            return 120;
        }

        @Override
        String station() {
            return "Blindern";
        }

        @Override
        public double temperature(String city) {
            return -3.5;
        }
    }

    @Test
    void javadocOfSuperclassesAndInterfacesReachesTheModel() {
        var tools = ToolMethods.of(new Oslo());
        assertThat(tools.definitions()).extracting(tool -> tool.manifest().description())
                .containsExactly("Counts the days of snow.", "Tells the name of the station.",
                        "Tells the temperature.");
        assertThat(tools.definitions().getLast().spec().inputSchema().text())
                .contains("\"description\":\"where\"");
        var caller = ToolCaller.of(tools);
        assertThat(caller.call("station", "").text()).isEqualTo("Blindern");
        assertThat(caller.call("temperature", "{\"city\":\"Oslo\"}").text()).isEqualTo("-3.5");
    }

    @Test
    void aProxyOfAnInterfaceHasItsToolsWithTheirJavadoc() {
        Object proxy = Proxy.newProxyInstance(Weather.class.getClassLoader(), new Class<?>[]{Weather.class},
                (self, method, arguments) -> 21.0);
        assertThat(ToolCaller.of(ToolMethods.of(proxy)).call("temperature", "{\"city\":\"Rome\"}").text())
                .isEqualTo("21");
    }
}
