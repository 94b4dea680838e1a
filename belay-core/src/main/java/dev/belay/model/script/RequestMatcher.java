package dev.belay.model.script;

import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A condition on a request that can say what it is, for the rules of a {@link ScriptedModel}.
 *
 * @param description what it asks, for messages
 * @param condition what it asks
 */
public record RequestMatcher(String description,
        Predicate<ModelRequest> condition) implements Predicate<ModelRequest> {

    /** Refuses null only. */
    public RequestMatcher {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(condition, "condition");
    }

    /** Asks whether the last user message contains a text, in the same case. */
    public static RequestMatcher lastUserTextContains(String text) {
        return new RequestMatcher("last user text contains \"" + text + "\"", request -> {
            int last = lastUserMessage(request.messages());
            return last >= 0 && ((UserMessage) request.messages().get(last)).text().contains(text);
        });
    }

    /** Asks whether, since the last user message, a call of this tool was answered. */
    public static RequestMatcher hasReplyFor(String toolName) {
        return new RequestMatcher("has reply for \"" + toolName + "\"", request -> {
            List<Message> messages = request.messages();
            return messages.subList(lastUserMessage(messages) + 1, messages.size())
                    .stream()
                    .anyMatch(message -> message instanceof ToolMessage tool
                            && tool.replies().stream().anyMatch(reply -> reply.toolName().equals(toolName)));
        });
    }

    /** Asks whether a tool is offered. */
    public static RequestMatcher offers(String toolName) {
        return new RequestMatcher("offers \"" + toolName + "\"",
                request -> request.tools().stream().anyMatch(tool -> tool.name().equals(toolName)));
    }

    @Override
    public boolean test(ModelRequest request) {
        return condition.test(request);
    }

    /** Asks both. */
    @Override
    public RequestMatcher and(Predicate<? super ModelRequest> other) {
        return new RequestMatcher(description + " and " + describe(other), condition.and(other));
    }

    static String describe(Predicate<? super ModelRequest> condition) {
        return condition instanceof RequestMatcher matcher ? matcher.description() : "a predicate holds";
    }

    private static int lastUserMessage(List<Message> messages) {
        int last = messages.size() - 1;
        while (last >= 0 && !(messages.get(last) instanceof UserMessage)) {
            last--;
        }
        return last;
    }
}
