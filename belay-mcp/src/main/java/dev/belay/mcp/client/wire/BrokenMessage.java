package dev.belay.mcp.client.wire;

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
    private static final Pattern METHOD = Pattern.compile("\"method\"\\s*:");

    private BrokenMessage() {}

    /** Whether a text was meant to be a message: programs write plain text between their messages. */
    public static boolean isMeant(String text) {
        String visible = text.stripLeading();
        return visible.startsWith("{") || visible.startsWith("[{");
    }

    /** The number of the request whose reply this is; null if it is no reply, or to a request that cannot be found. */
    public static @Nullable Long repliedTo(String text) {
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
        return framed(text);
    }

    /** Whether a method follows the id. */
    private static boolean isRequest(String text, int from) {
        Matcher method = METHOD.matcher(text).region(from, text.length());
        return method.find() && text.substring(from, method.start()).chars().noneMatch(c -> c == '{');
    }

    private static @Nullable Long framed(String text) {
        Matcher frame = FRAME.matcher(text);
        if (METHOD.matcher(text).find() || !frame.find()) {
            return null;
        }
        return Long.valueOf(frame.group(1) == null ? frame.group(2) : frame.group(1));
    }
}
