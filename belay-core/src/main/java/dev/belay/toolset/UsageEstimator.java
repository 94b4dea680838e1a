package dev.belay.toolset;

import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;

/** Guesses what a request will spend, before it is sent. */
@FunctionalInterface
public interface UsageEstimator {

    /** Four characters a token; the answer as long as the request allows, or 256 tokens. */
    UsageEstimator BY_LENGTH = request -> {
        long characters = 0;
        for (Message message : request.messages()) {
            characters += length(message);
        }
        for (ToolSpec tool : request.tools()) {
            characters += tool.description().length() + tool.inputSchema().text().length();
        }
        if (request.output() instanceof OutputSpec.Schema form) {
            characters += form.schema().text().length();
        }
        return Usage.of(tokens(characters), request.generation().maxOutputTokens().orElse(256));
    };

    /** Guesses input and output tokens. */
    Usage estimate(ModelRequest request);

    /** Tokens of a text of this many characters. */
    static long tokens(long characters) {
        return (characters + 3) / 4;
    }

    private static long length(Message message) {
        return switch (message) {
            case Message.SystemMessage system -> system.text().length();
            case Message.UserMessage user -> user.text().length();
            case Message.AssistantMessage assistant -> assistant.parts()
                    .stream()
                    .mapToLong(UsageEstimator::length)
                    .sum();
            case Message.ToolMessage tools ->
                tools.replies().stream().mapToLong(UsageEstimator::length).sum();
        };
    }

    private static long length(Part part) {
        return switch (part) {
            case Part.TextPart text -> text.text().length();
            case Part.ReasoningPart reasoning -> reasoning.text().length();
            case Part.RefusalPart refusal -> refusal.text().length();
            case Part.CallPart call -> call.name().length() + call.arguments().length();
            case Part.ReplyPart reply -> reply.text().length();
            default -> 0;
        };
    }
}
