package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.call.PreparedCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract A.7: what a provider is, and the fixed one; A.5: duplicates within one source. */
class StaticToolProviderTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");

    @Tool(undescribed = true)
    record Add(int a, int b) implements ToolInput<Integer> {}

    private static ToolDefinition raw(String name) {
        return ToolDefinition.raw(name, "Does.", ANY);
    }

    @Test
    void definitionsAndExecuteAloneAreAWholeProvider() throws Exception {
        ToolDefinition one = raw("one");
        ToolProvider provider = new ToolProvider() {
            @Override
            public List<ToolDefinition> definitions() {
                return List.of(one, raw("two"));
            }

            @Override
            public @Nullable Object execute(PreparedCall call) {
                return call.name() + call.arguments().text() + call.payload().isPresent();
            }
        };
        assertThat(provider.manifests()).containsExactly(one.manifest(), raw("two").manifest());
        assertThat(provider.contract(new ToolId("tool:one"))).containsSame(one.contract());
        assertThat(provider.contract(new ToolId("tool:three"))).isEmpty();
        assertThat(ToolCaller.of(provider).call("two", "{\"x\":1}").text()).isEqualTo("two{\"x\":1}false");
    }

    @Test
    void oneExecutorServesAllTools() {
        var provider = StaticToolProvider.of(List.of(raw("one"), raw("two")), PreparedCall::name);
        assertThat(ToolCaller.of(provider).call("one", "{}").text()).isEqualTo("one");
        assertThat(ToolCaller.of(provider).call("two", "{}").text()).isEqualTo("two");
    }

    @Test
    void itDerivesOnce() {
        var definitions = new ArrayList<>(List.of(raw("one")));
        var provider = StaticToolProvider.of(definitions, PreparedCall::name);
        definitions.add(raw("two"));
        assertThat(provider.definitions()).hasSize(1).isSameAs(provider.definitions());
    }

    @Test
    void theBuilderGivesEveryToolItsBody() {
        var provider = StaticToolProvider.builder()
                .tool(Add.class, (in, context) -> in.a() + in.b())
                .tool(ToolDefinition.typed(Add.class, String.class, "show", "Shows."), Add.class,
                        (in, context) -> in.a() + " and " + in.b())
                .raw(raw("echo"), (in, context) -> in)
                .build();
        var caller = ToolCaller.of(provider);
        assertThat(provider.definitions()).extracting(ToolDefinition::name)
                .containsExactly("add", "show", "echo");
        assertThat(caller.call("add", "{\"a\":2,\"b\":3}").text()).isEqualTo("5");
        assertThat(caller.call("show", "{\"a\":2,\"b\":3}").text()).isEqualTo("2 and 3");
        assertThat(caller.call("echo", "{ \"a\" : 1.0 }").text()).isEqualTo("{\"a\":1.0}");
    }

    @Test
    void bodiesAreFoundByIdNotByName() {
        var provider = StaticToolProvider.builder()
                .raw(raw("one").id("x"), (in, context) -> "first")
                .raw(raw("two").id("y"), (in, context) -> "second")
                .build();
        assertThat(ToolCaller.of(provider).call("two", "").text()).isEqualTo("second");
    }

    @Test
    void duplicatesWithinTheSourceAreRefused() {
        assertThatThrownBy(() -> StaticToolProvider.of(List.of(raw("one"), raw("one").id("other")),
                PreparedCall::name))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_name"))
                .hasMessage("tool name \"one\" stands twice: tool:one and other");
        assertThatThrownBy(() -> StaticToolProvider.builder()
                .raw(raw("one").id("x"), (in, context) -> 1)
                .raw(raw("two").id("x"), (in, context) -> 2)
                .build())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_id"))
                .hasMessage("tool id x stands twice: \"one\" and \"two\"");
    }

    @Test
    void aBodyOfAnotherInputTypeIsWrongInput() {
        var provider = StaticToolProvider.builder()
                .tool(ToolDefinition.typed(Add.class, Void.class, "add", "Adds."), String.class,
                        (in, context) -> null)
                .build();
        assertThat(ToolCaller.of(provider).call("add", "{\"a\":2,\"b\":3}").text())
                .isEqualTo("Error (wrong_input): tool add was given " + Add.class.getName()
                        + ", not java.lang.String");
    }
}
