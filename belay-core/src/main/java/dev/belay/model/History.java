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
 * reply, in the message directly after, and there are no other replies. The problems of a message are final once the next message
 * is known, so a {@link MessageLog} remembers them and checks only its end again. Stateless.
 */
public final class History {

    private List<RequestProblem> problems = List.of();

    private History() {}

    /**
     * All problems of these messages as a history to be sent; none if they are well-formed.
     *
     * @param messages from the oldest on
     * @return in the order of the messages
     */
    public static List<RequestProblem> problems(List<Message> messages) {
        History history = new History();
        if (messages.isEmpty()) {
            history.report(RequestProblem.NO_MESSAGES, "messages", "a request needs at least one message");
            return List.copyOf(history.problems);
        }
        if (!(messages instanceof MessageLog log) || !log.isSound()) {
            Message before = null;
            int at = 0;
            for (Message message : messages) {
                history.next(at++, before, message);
                before = message;
            }
        }
        history.end(messages.size() - 1, messages.getLast());
        return List.copyOf(history.problems);
    }

    /** Whether the next message is well-formed, and the message before it is well-formed with it. */
    static boolean allows(@Nullable Message before, Message message) {
        History history = new History();
        history.next(0, before, message);
        return history.problems.isEmpty();
    }

    private void next(int at, @Nullable Message before, Message message) {
        if (before instanceof AssistantMessage assistant) {
            answered(at - 1, assistant, message);
        }
        switch (message) {
            case SystemMessage system -> {
            }
            case UserMessage user -> {
            }
            case AssistantMessage assistant -> said(at, assistant);
            case ToolMessage tool -> stray(at, tool, before);
        }
    }

    /** The calls of the last message have no replies. */
    private void end(int at, Message last) {
        if (last instanceof AssistantMessage assistant) {
            missing(at, assistant.calls());
        }
    }

    private void said(int at, AssistantMessage message) {
        if (message.parts().isEmpty() && message.nativePayload() == null) {
            report(RequestProblem.EMPTY_MESSAGE, messageAt(at),
                    "an assistant message needs at least one part");
        }
        ids(at, message.calls());
    }

    private void answered(int at, AssistantMessage message, Message next) {
        List<CallPart> calls = message.calls();
        if (calls.isEmpty()) {
            return;
        }
        List<CallPart> open = new ArrayList<>(calls);
        List<ReplyPart> replies = next instanceof ToolMessage tool ? tool.replies() : List.of();
        for (int i = 0; i < replies.size(); i++) {
            reply(at + 1, i, replies.get(i), calls, open);
        }
        missing(at, open);
    }

    private void missing(int at, List<CallPart> open) {
        for (CallPart call : open) {
            report(RequestProblem.MISSING_REPLY, messageAt(at), "call " + name(call.id(), call.name())
                    + " needs exactly one reply, in the message directly after, and has none");
        }
    }

    private void ids(int at, List<CallPart> calls) {
        Set<String> seen = calls.size() < 2 ? Set.of() : HashSet.newHashSet(calls.size());
        for (CallPart call : calls) {
            if (call.id().isEmpty()) {
                report(RequestProblem.MISSING_CALL_ID, messageAt(at),
                        "a call of \"" + call.name() + "\" has no id; withCallIds(round) gives it one");
            } else if (calls.size() > 1 && !seen.add(call.id())) {
                report(RequestProblem.REPEATED_CALL_ID, messageAt(at), "two calls have the id \"" + call.id()
                        + "\"; ids are unique within a message, withCallIds(round) makes them so");
            }
        }
    }

    private void reply(int at, int index, ReplyPart reply, List<CallPart> calls, List<CallPart> open) {
        for (CallPart call : open) {
            if (call.id().equals(reply.callId())) {
                open.remove(call);
                if (!call.name().equals(reply.toolName())) {
                    report(RequestProblem.WRONG_TOOL_NAME, replyAt(at, index),
                            "the reply to call " + name(call.id(), call.name())
                                    + " names the tool \"" + reply.toolName() + "\"");
                }
                return;
            }
        }
        boolean known = calls.stream().anyMatch(call -> call.id().equals(reply.callId()));
        report(known ? RequestProblem.DUPLICATE_REPLY : RequestProblem.FOREIGN_REPLY, replyAt(at, index),
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
            report(RequestProblem.FOREIGN_REPLY, replyAt(at, i),
                    "the reply to call " + name(reply.callId(), reply.toolName())
                            + " needs an assistant message with that call directly before, but " + found);
        }
    }

    private void report(String code, String at, String message) {
        if (problems.isEmpty()) {
            problems = new ArrayList<>();
        }
        problems.add(new RequestProblem(code, at, message));
    }

    private static String messageAt(int index) {
        return "messages[" + index + "]";
    }

    private static String replyAt(int message, int index) {
        return messageAt(message) + ".replies[" + index + "]";
    }

    private static String name(String id, String tool) {
        return "\"" + id + "\" of tool \"" + tool + "\"";
    }
}
