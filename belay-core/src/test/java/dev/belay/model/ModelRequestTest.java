package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ModelRequestTest {

    private static final List<Message> ASK = List.of(Message.user("go"));

    @Test
    void defaultsLeaveEverythingToTheProvider() {
        ModelRequest request = ModelRequest.of(Message.user("go"));
        assertThat(request.tools()).isEmpty();
        assertThat(request.toolChoice()).isEqualTo(ToolChoice.auto());
        assertThat(request.output()).isEqualTo(OutputSpec.text());
        assertThat(request.generation()).isEqualTo(Generation.PROVIDER_DECIDES);
        assertThat(request.generation().temperature()).isEmpty();
    }

    @Test
    void settingsArrive() {
        OutputSpec output = OutputSpec.schema("answer", Json.of("{\"type\":\"object\"}"));
        Generation generation = Generation.PROVIDER_DECIDES.withTemperature(0.5)
                .withTopP(0.9)
                .withMaxOutputTokens(10)
                .withSeed(7)
                .withStop("END")
                .withEffort(Generation.Effort.LOW);
        ModelRequest request = ModelRequest.builder(ASK)
                .tools(List.of(tool("a")))
                .toolChoice(ToolChoice.specific("a"))
                .output(output)
                .generation(generation)
                .build();
        assertThat(request.toolChoice()).isEqualTo(new ToolChoice.Specific("a"));
        assertThat(request.output()).isEqualTo(output);
        assertThat(request.generation().temperature()).isEqualTo(OptionalDouble.of(0.5));
        assertThat(request.generation().topP()).hasValue(0.9);
        assertThat(request.generation().maxOutputTokens()).hasValue(10);
        assertThat(request.generation().seed()).hasValue(7);
        assertThat(request.generation().stop()).containsExactly("END");
        assertThat(request.generation().effort()).contains(Generation.Effort.LOW);
        assertThat(request.toBuilder().build()).isEqualTo(request);
    }

    @Test
    void everyProblemOfHistoryAndToolsIsInOneException() {
        InvalidRequestException error = catchThrowableOfType(InvalidRequestException.class,
                () -> ModelRequest
                        .builder(List.of(Message.user("go"), Message.assistant(new CallPart("1", "a", "{}"))))
                        .tools(List.of(tool("a"), tool("b"), tool("a")))
                        .toolChoice(ToolChoice.specific("c"))
                        .build());
        assertThat(error.code()).isEqualTo("invalid_model_request");
        assertThat(error.retryable()).isFalse();
        assertThat(error.problems()).extracting(RequestProblem::code)
                .containsExactly("missing_reply", "duplicate_tool",
                        "invalid_tool_constraints");
        assertThat(error).hasMessageContaining("3 problems")
                .hasMessageContaining("messages[1]: call \"1\"")
                .hasMessageContaining("tools[2]: another tool is named \"a\"")
                .hasMessageContaining("tool \"c\" must be called but is not offered; offered are [a, b, a]");
    }

    @Test
    void noMessagesIsRefused() {
        assertThatThrownBy(() -> ModelRequest.builder(List.of()).build()).hasMessageContaining("1 problem:")
                .hasMessageContaining("no_messages");
    }

    @Test
    void withoutToolsOnlyAutoAndNoneCanBeChosen() {
        assertThatThrownBy(() -> ModelRequest.builder(ASK).toolChoice(ToolChoice.any()).build())
                .hasMessageContaining("invalid_tool_constraints");
        assertThatThrownBy(() -> ModelRequest.builder(ASK).toolChoice(ToolChoice.specific("a")).build())
                .hasMessageContaining("invalid_tool_constraints");
        assertThat(ModelRequest.builder(ASK).toolChoice(ToolChoice.none()).build().toolChoice())
                .isEqualTo(ToolChoice.none());
    }

    @Test
    void anyNeedsOnlySomeTool() {
        assertThat(ModelRequest.builder(ASK)
                .tools(List.of(tool("a")))
                .toolChoice(ToolChoice.any())
                .build()
                .tools())
                .hasSize(1);
    }

    @Test
    void toolsNoProviderTakesAreRefused() {
        Json schema = Json.of("{}");
        assertThatThrownBy(() -> new ToolSpec("a b", "", schema)).hasMessageContaining("[a-zA-Z0-9_-]{1,64}")
                .hasMessageContaining("\"a b\"");
        assertThatThrownBy(() -> new ToolSpec("x".repeat(65), "", schema))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ToolSpec("a", "", Json.of("[]")))
                .hasMessageContaining("JSON object, not ARRAY");
        assertThatThrownBy(() -> OutputSpec.schema("", schema)).hasMessageContaining("output schema");
        assertThatThrownBy(() -> OutputSpec.schema("a", Json.of("true"))).hasMessageContaining("not BOOLEAN");
        assertThatThrownBy(() -> ToolChoice.specific("")).hasMessageContaining("tool to be chosen");
    }

    @Test
    void generationOutOfRangeIsRefused() {
        Generation start = Generation.PROVIDER_DECIDES;
        assertThatThrownBy(() -> start.withTemperature(2.1))
                .hasMessage("temperature must be from 0 to 2, not 2.1");
        assertThatThrownBy(() -> start.withTemperature(Double.NaN)).hasMessageContaining("not NaN");
        assertThatThrownBy(() -> start.withTopP(0)).hasMessageContaining("over 0 and at most 1, not 0.0");
        assertThatThrownBy(() -> start.withTopP(1.5)).hasMessageContaining("not 1.5");
        assertThatThrownBy(() -> start.withTemperature(-0.1)).hasMessageContaining("not -0.1");
        assertThatThrownBy(() -> start.withMaxOutputTokens(0)).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> start.withStop("")).hasMessageContaining("texts that are not empty");
    }

    private static ToolSpec tool(String name) {
        return new ToolSpec(name, "does " + name, Json.of("{\"type\":\"object\"}"));
    }
}
