package dev.belay.model;

import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a list of messages is well-formed: every call of an assistant message has an id of its own and exactly one
 * reply, in the message directly after, and there are no other replies. Stateless.
 */
public final class History {

    private final List<RequestProblem> problems = new ArrayList<>();

    private History() {}

    /**
     * Everything that is wrong with these messages as a history to be sent; nothing if they are well-formed.
     *
     * @param messages from the oldest on
     * @return in the order of the messages
     */
    public static List<RequestProblem> problems(List<Message> messages) {
        History history = new History();
        if (messages.isEmpty()) {
            history.report(RequestProblem.NO_MESSAGES, "messages", "a request needs at least one message");
        }
        Message before = null;
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            Message next = i + 1 < messages.size() ? messages.get(i + 1) : null;
            switch (message) {
                case SystemMessage system -> {
                }
                case UserMessage user -> {
                }
                case AssistantMessage assistant -> history.assistant(i, assistant, next);
                case ToolMessage tool -> history.stray(i, tool, before);
            }
            before = message;
        }
        return List.copyOf(history.problems);
    }

    private void assistant(int at, AssistantMessage message, @Nullable Message next) {
        if (message.parts().isEmpty() && message.nativePayload() == null) {
            report(RequestProblem.EMPTY_MESSAGE, messageAt(at),
                    "an assistant message needs at least one part");
        }
        List<CallPart> calls = message.calls();
        ids(at, calls);
        List<ReplyPart> replies = next instanceof ToolMessage tool ? tool.replies() : List.of();
        List<CallPart> open = new ArrayList<>(calls);
        if (!calls.isEmpty()) {
            for (int i = 0; i < replies.size(); i++) {
                reply(messageAt(at + 1) + ".replies[" + i + "]", replies.get(i), calls, open);
            }
        }
        for (CallPart call : open) {
            report(RequestProblem.MISSING_REPLY, messageAt(at), "call " + name(call.id(), call.name())
                    + " needs exactly one reply, in the message directly after, and has none");
        }
    }

    private void ids(int at, List<CallPart> calls) {
        Set<String> seen = new HashSet<>();
        for (CallPart call : calls) {
            if (call.id().isEmpty()) {
                report(RequestProblem.MISSING_CALL_ID, messageAt(at),
                        "a call of \"" + call.name() + "\" has no id; withCallIds(round) gives it one");
            } else if (!seen.add(call.id())) {
                report(RequestProblem.REPEATED_CALL_ID, messageAt(at), "two calls have the id \"" + call.id()
                        + "\"; ids are unique within a message, withCallIds(round) makes them so");
            }
        }
    }

    private void reply(String at, ReplyPart reply, List<CallPart> calls, List<CallPart> open) {
        for (CallPart call : open) {
            if (call.id().equals(reply.callId())) {
                open.remove(call);
                if (!call.name().equals(reply.toolName())) {
                    report(RequestProblem.WRONG_TOOL_NAME, at,
                            "the reply to call " + name(call.id(), call.name())
                                    + " names the tool \"" + reply.toolName() + "\"");
                }
                return;
            }
        }
        boolean known = calls.stream().anyMatch(call -> call.id().equals(reply.callId()));
        report(known ? RequestProblem.DUPLICATE_REPLY : RequestProblem.FOREIGN_REPLY, at,
                "the reply to call " + name(reply.callId(), reply.toolName())
                        + (known
                                ? " is not the first; a call has exactly one"
                                : " answers no call of the message before"));
    }

    private void stray(int at, ToolMessage message, @Nullable Message before) {
        if (before instanceof AssistantMessage assistant && !assistant.calls().isEmpty()) {
            return;
        }
        String found = switch (before) {
            case null -> "there is none";
            case SystemMessage system -> "that is a system message";
            case UserMessage user -> "that is a user message";
            case AssistantMessage assistant -> "that one has no calls";
            case ToolMessage tool -> "that is a tool message; all replies of a round stand in one";
        };
        for (int i = 0; i < message.replies().size(); i++) {
            ReplyPart reply = message.replies().get(i);
            report(RequestProblem.FOREIGN_REPLY, messageAt(at) + ".replies[" + i + "]",
                    "the reply to call " + name(reply.callId(), reply.toolName())
                            + " needs an assistant message with that call directly before, but " + found);
        }
    }

    private void report(String code, String at, String message) {
        problems.add(new RequestProblem(code, at, message));
    }

    private static String messageAt(int index) {
        return "messages[" + index + "]";
    }

    private static String name(String id, String tool) {
        return "\"" + id + "\" of tool \"" + tool + "\"";
    }
}
