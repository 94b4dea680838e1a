package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Contract A.8: simple tools and their registry. */
class SimpleToolRegistryTest {

    private record Echo(String name) implements SimpleTool {
        @Override
        public String description() {
            return "Says it again.";
        }

        @Override
        public String invoke(Json arguments) {
            return name + ": " + arguments.get("say")
                    .map(Json::asString)
                    .orElseThrow(() -> new ToolException("say is missing"));
        }
    }

    @Test
    void theModelIsShownThatArgumentsAreAnObject() {
        var registry = new SimpleToolRegistry().register(new Echo("echo"));
        var spec = registry.definitions().getFirst().spec();
        assertThat(spec.name()).isEqualTo("echo");
        assertThat(spec.description()).isEqualTo("Says it again.");
        assertThat(spec.inputSchema().text()).isEqualTo("{\"type\":\"object\"}");
    }

    @Test
    void aSecondToolOfTheSameNameIsRefused() {
        var first = new Echo("echo");
        var registry = new SimpleToolRegistry().register(first);
        assertThatThrownBy(() -> registry.register(new Echo("echo")))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_name"))
                .hasMessage("tool already registered: echo");
        assertThat(registry.get("echo")).containsSame(first);
        assertThat(registry.definitions()).hasSize(1);
    }

    @Test
    void aRefusedToolLeavesNothingBehind() {
        var registry = new SimpleToolRegistry();
        assertThatThrownBy(() -> registry.register(new Echo("no name"))).isInstanceOf(BelayException.class);
        assertThat(registry.names()).isEmpty();
        assertThat(registry.definitions()).isEmpty();
    }

    @Test
    void getAnswersEmptyForAnUnknownName() {
        assertThat(new SimpleToolRegistry().get("echo")).isEmpty();
    }

    @Test
    void namesAreSortedAndDefinitionsKeepTheOrderOfRegistration() {
        var registry = new SimpleToolRegistry().register(new Echo("b"))
                .register(new Echo("c"))
                .register(new Echo("a"));
        assertThat(registry.names()).containsExactly("a", "b", "c");
        assertThat(registry.definitions()).extracting(ToolDefinition::name).containsExactly("b", "c", "a");
    }

    @Test
    void itIsAProvider() {
        var caller = ToolCaller
                .of(new SimpleToolRegistry().register(new Echo("echo")).register(new Echo("x")));
        assertThat(caller.call("echo", "{\"say\":\"hi\"}").text()).isEqualTo("echo: hi");
        assertThat(caller.call("x", "{\"say\":\"hi\",\"more\":[1]}").text()).isEqualTo("x: hi");
    }

    @Test
    void itsArgumentsMustBeAnObjectAndMayBeEmptyText() {
        var caller = ToolCaller.of(new SimpleToolRegistry().register(new Echo("echo")));
        assertThat(caller.call("echo", "").text()).isEqualTo("Error (tool_failed): say is missing");
        assertThat(caller.call("echo", "[]").text())
                .isEqualTo("Error (invalid_arguments): the arguments of echo do not fit its schema:\n"
                        + "(root): expected an object, found []");
        assertThat(caller.call("echo", "{").text()).startsWith("Error (malformed_arguments): ");
    }

    @Test
    void aSimpleToolMayFailToReadOrWrite() {
        var registry = new SimpleToolRegistry().register(new SimpleTool() {
            @Override
            public String name() {
                return "load";
            }

            @Override
            public String description() {
                return "Loads.";
            }

            @Override
            public String invoke(Json arguments) throws IOException {
                throw new FileNotFoundException("notes.txt");
            }
        });
        assertThat(ToolCaller.of(registry).call("load", "{}")).isInstanceOfSatisfying(
                ToolOutcome.Failure.class,
                failed -> {
                    assertThat(failed.failure().kind()).isEqualTo(ToolFailure.Kind.IO);
                    assertThat(failed.text()).isEqualTo("Error (tool_failed): notes.txt");
                });
    }
}
