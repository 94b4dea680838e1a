package dev.belay.model.langchain4j;

import dev.belay.model.Generation;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.OutputSpec;
import dev.belay.model.ToolSpec;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import java.util.List;

/** Converts a request to LangChain4j's types; refuses settings that these types do not have. Stateless. */
final class ChatRequests {

    private ChatRequests() {}

    /**
     * The request.
     *
     * @param provider whose native payloads are taken
     */
    static ChatRequest of(ModelRequest request, String provider) {
        ChatRequest.Builder out = ChatRequest.builder()
                .messages(ChatMessages.of(request.messages(), provider));
        generation(request.generation(), out);
        tools(request, out);
        if (request.output() instanceof OutputSpec.Schema(String name, var schema)) {
            out.responseFormat(ResponseFormat.builder()
                    .type(ResponseFormatType.JSON)
                    .jsonSchema(
                            JsonSchema.builder().name(name).rootElement(SchemaElements.of(schema)).build())
                    .build());
        }
        return out.build();
    }

    private static void generation(Generation settings, ChatRequest.Builder out) {
        if (settings.seed().isPresent()) {
            throw refused("a seed");
        }
        if (settings.effort().isPresent()) {
            throw refused("an effort of reasoning");
        }
        settings.temperature().ifPresent(out::temperature);
        settings.topP().ifPresent(out::topP);
        settings.maxOutputTokens().ifPresent(out::maxOutputTokens);
        if (!settings.stop().isEmpty()) {
            out.stopSequences(settings.stop());
        }
    }

    /** LangChain4j cannot require a certain tool, so only that tool is offered and a call is required. */
    private static void tools(ModelRequest request, ChatRequest.Builder out) {
        List<ToolSpec> offered = request.tools();
        if (offered.isEmpty()) {
            return;
        }
        if (request.toolChoice() instanceof dev.belay.model.ToolChoice.Specific(String name)) {
            offered = offered.stream().filter(tool -> tool.name().equals(name)).toList();
        }
        out.toolSpecifications(offered.stream().map(ChatRequests::tool).toList());
        switch (request.toolChoice()) {
            case dev.belay.model.ToolChoice.Auto auto -> {
            } // the default of every provider; some refuse it if it is sent
            case dev.belay.model.ToolChoice.Any any -> out.toolChoice(ToolChoice.REQUIRED);
            case dev.belay.model.ToolChoice.Specific specific -> out.toolChoice(ToolChoice.REQUIRED);
            case dev.belay.model.ToolChoice.None none -> out.toolChoice(ToolChoice.NONE);
        }
    }

    private static ToolSpecification tool(ToolSpec tool) {
        SchemaElements.Parameters parameters = SchemaElements.parameters(tool.inputSchema());
        String description = parameters.isWhole()
                ? tool.description()
                : (tool.description() + "\n\nThe arguments must satisfy this JSON Schema: "
                        + tool.inputSchema().compact()).strip();
        return ToolSpecification.builder()
                .name(tool.name())
                .description(description)
                .parameters(parameters.schema())
                .build();
    }

    static ModelException refused(String what) {
        return new ModelException(ModelException.Kind.INVALID_REQUEST, "a LangChain4j request cannot carry "
                + what
                + "; leave it out, and set it where the LangChain4j model is built if the provider has it");
    }
}
