package dev.belay.runtime.catalog;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.Visibility;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Tools and sources that tests share. */
final class Samples {

    private static final String SCHEMA = "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\"}}}";

    private Samples() {}

    static ToolDefinition tool(String name) {
        return ToolDefinition.raw(name, "Does " + name + ".", Json.of(SCHEMA));
    }

    static ToolDefinition internal(String name) {
        return tool(name).visibility(Visibility.INTERNAL);
    }

    static ToolDefinition nonResident(String name) {
        return tool(name).resident(false);
    }

    /** A source of plain tools of these names. */
    static ToolProvider tools(String... names) {
        return source(Arrays.stream(names).map(Samples::tool).toList());
    }

    static ToolProvider source(ToolDefinition... definitions) {
        return source(List.of(definitions));
    }

    static ToolProvider source(List<ToolDefinition> definitions) {
        return StaticToolProvider.of(definitions, call -> "ran " + call.name());
    }

    /** A source that is changed from outside, or fails. */
    static final class Changing implements ToolProvider {

        private volatile List<ToolDefinition> definitions;
        private volatile @Nullable Throwable failure;

        Changing(ToolDefinition... definitions) {
            this.definitions = List.of(definitions);
        }

        Changing(List<ToolDefinition> definitions) {
            this.definitions = definitions;
        }

        static Changing ofNames(String... names) {
            return new Changing(Arrays.stream(names).map(Samples::tool).toList());
        }

        void set(ToolDefinition... now) {
            definitions = List.of(now);
            failure = null;
        }

        void setNames(String... now) {
            set(Arrays.stream(now).map(Samples::tool).toArray(ToolDefinition[]::new));
        }

        void fail(Throwable thrown) {
            failure = thrown;
        }

        @Override
        public List<ToolDefinition> definitions() {
            Throwable thrown = failure;
            if (thrown != null) {
                throw Samples.<RuntimeException>sneaky(thrown);
            }
            return definitions;
        }

        @Override
        public Object execute(PreparedCall call) {
            return "changing ran " + call.name();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** A result, and what was logged meanwhile. */
    record Logged<T>(T result, String log) {}

    /** Runs something and listens to the log. */
    static <T> Logged<T> logged(Callable<T> action) throws Exception {
        PrintStream before = System.err;
        var printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            T result = action.call();
            return new Logged<>(result, printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(before);
        }
    }

    /** How a tool stands; the tool must be listed. */
    static ListedTool listed(ToolRegistry registry, String name) {
        return registry.list().stream().filter(tool -> tool.name().equals(name)).findFirst().orElseThrow();
    }

    static ListedTool.Standing standing(ToolRegistry registry, String name) {
        return listed(registry, name).standing();
    }
}
