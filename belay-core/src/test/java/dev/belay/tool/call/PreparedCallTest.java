package dev.belay.tool.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostSupplied;
import dev.belay.tool.context.HostSupplied.Frozen;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A call in a place for tools known only at run time runs with the payload that was frozen before it was approved. */
class PreparedCallTest {

    private static final ToolDefinition BUY = ToolDefinition.raw("buy", "Buys.",
            Json.of("{\"type\":\"object\"}"));
    private static final Json ROPE = Json.of("{\"item\":\"rope\"}");
    private static final Json AXE = Json.of("{\"item\":\"axe\"}");

    /** Freezes another price each time. */
    private static final class Prices implements ToolProvider {

        private int price;

        @Override
        public List<ToolDefinition> definitions() {
            return List.of(BUY);
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            return call.freeze(Json.of(String.valueOf(++price)));
        }

        @Override
        public Object execute(PreparedCall call) {
            return call.payload().orElseThrow();
        }
    }

    private static ToolContext context(@Nullable Frozen frozen) {
        return (ToolContext) Proxy.newProxyInstance(PreparedCallTest.class.getClassLoader(),
                new Class<?>[]{ToolContext.class, HostSupplied.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "frozen" -> frozen;
                    case "callId" -> CallId.of(1, 0);
                    default -> throw new AssertionError("not asked for: " + method);
                });
    }

    private static Object paid(@Nullable Frozen frozen) throws Exception {
        var call = Dynamic.of(BUY, Arguments.require(BUY, ROPE));
        return ((ToolResult.Done<?>) new Prices().execute(call, context(frozen))).value();
    }

    @Test
    void whatWasFrozenForThisCallIsWhatItRunsWith() throws Exception {
        assertThat(paid(new Frozen(BUY.id(), ROPE, Json.of("99")))).isEqualTo(Json.of("99"));
    }

    @Test
    void aCallThatWasNotFrozenIsPreparedNow() throws Exception {
        assertThat(paid(null)).isEqualTo(Json.of("1"));
        assertThat(paid(new Frozen(BUY.id(), AXE, Json.of("99")))).isEqualTo(Json.of("1"));
        assertThat(paid(new Frozen(BUY.id("another").id(), ROPE, Json.of("99")))).isEqualTo(Json.of("1"));
    }
}
