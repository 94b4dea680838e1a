package dev.belay.mcp.client.wire;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out which request a message was the reply to, if the message is no JSON. Stateless. */
public final class BrokenMessage {

    private static final String NUMBER = "([0-9]{1,18})(?![0-9.eE])";
    private static final Pattern ID = Pattern.compile("\\s*" + NUMBER);
    /** The frame of a message, for one whose strings do not end where they should. */
    private static final Pattern FRAME = Pattern
            .compile("\"jsonrpc\"\\s*:\\s*\"2\\.0\"\\s*,\\s*\"id\"\\s*:\\s*" + NUMBER
                    + "|\"id\"\\s*:\\s*" + NUMBER + "\\s*,\\s*\"jsonrpc\"");
    /** Lines of so many replies that ran into each other are looked at. */
    private static final int MOST_FRAMES = 100;
    private static final Pattern METHOD = Pattern.compile("\"method\"\\s*:");

    private BrokenMessage() {}

    /** Whether a text was meant to be a message: programs write plain text between their messages. */
    public static boolean isMeant(String text) {
        String visible = (text.startsWith("\uFEFF") ? text.substring(1) : text).stripLeading();
        return visible.startsWith("{") || visible.startsWith("[{");
    }

    /**
     * The numbers of the requests whose replies this is: several if their lines ran into each other, none if it is no reply, or to a request
     * that cannot be found.
     */
    public static Set<Long> repliedTo(String text) {
        Set<Long> found = new LinkedHashSet<>();
        Long first = first(text);
        if (first != null) {
            found.add(first);
        }
        Matcher frame = FRAME.matcher(text);
        for (int frames = 0; frames < MOST_FRAMES && frame.find(); frames++) {
            String before = text.substring(Math.max(0, text.lastIndexOf('{', frame.start())), frame.start());
            if (!METHOD.matcher(before).find() && !isRequest(text, frame.end())) {
                found.add(Long.valueOf(frame.group(1) == null ? frame.group(2) : frame.group(1)));
            }
        }
        return found;
    }

    private static @Nullable Long first(String text) {
        int depth = 0;
        int quote = -1; // of the string that is open
        String name = "";
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote >= 0) {
                at += c == '\\' ? 1 : 0;
                if (c == '"') {
                    name = depth == 1 ? text.substring(quote + 1, at) : "";
                    quote = -1;
                }
                continue;
            }
            switch (c) {
                case '"' -> quote = at;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                case ':' -> {
                    if (name.equals("method")) {
                        return null;
                    }
                    Matcher id = ID.matcher(text);
                    if (name.equals("id") && id.region(at + 1, text.length()).lookingAt()) {
                        return isRequest(text, at) ? null : Long.valueOf(id.group(1));
                    }
                    name = "";
                }
                default -> {
                    // white space, commas, numbers and what is no JSON
                }
            }
        }
        return null;
    }

    /** Whether a method follows the id. */
    private static boolean isRequest(String text, int from) {
        Matcher method = METHOD.matcher(text).region(from, text.length());
        return method.find() && text.substring(from, method.start()).chars().noneMatch(c -> c == '{');
    }
}
