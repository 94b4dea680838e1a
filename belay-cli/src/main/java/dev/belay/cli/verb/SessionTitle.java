package dev.belay.cli.verb;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.session.Session;
import dev.belay.schema.Shown;
import java.util.List;
import java.util.Optional;

/** Names a session for people: by the first words that the user said in it. Stateless. */
public final class SessionTitle {

    private static final int LONGEST = 60;

    private SessionTitle() {}

    /** The title; empty if nothing was said yet. */
    public static String of(Session session) {
        return said(session).stream().findFirst().map(SessionTitle::words).orElse("");
    }

    /** The beginning of what the user said last, if that is not the title. */
    public static String last(Session session) {
        List<String> said = said(session);
        return said.size() < 2 ? "" : words(said.getLast());
    }

    private static List<String> said(Session session) {
        List<Message> messages = session.messages();
        if (messages.isEmpty()) {
            messages = begun(session); // nothing is committed yet
        }
        return users(messages);
    }

    /** What the user says in some messages. */
    public static List<String> users(List<Message> messages) {
        return messages.stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .filter(text -> !text.isBlank())
                .toList();
    }

    private static List<Message> begun(Session session) {
        try {
            return session.request(1, 1).map(SentRequest::messages).orElse(List.of());
        } catch (BelayException notKept) {
            return List.of();
        }
    }

    private static String words(String text) {
        Optional<String> line = text.lines().filter(one -> !one.isBlank()).findFirst();
        return Shown.inLine(line.orElse("").strip().replaceAll("\\s+", " "), LONGEST);
    }
}
