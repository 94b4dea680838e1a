package dev.belay.tool.call;

import dev.belay.model.Part.ReplyPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The reply of the tool that searches tools: text for any model, from which a protocol that loads tools in the middle of a conversation
 * takes their names. Stateless.
 */
public final class FoundTools {

    /** The name of the tool that searches. */
    public static final String SEARCH = "search_tools";

    private static final String HEADING = "These tools can be called from the next message on:";
    private static final String BEFORE = "\n- ";
    private static final String AFTER = ": ";

    private FoundTools() {}

    /**
     * The reply to a search.
     *
     * @param found names of tools that were not offered before, each with a description of one line
     * @param offered the same for tools that the model can call already
     */
    public static String reply(Map<String, String> found, Map<String, String> offered) {
        var text = new StringBuilder();
        if (!found.isEmpty()) {
            list(text.append(HEADING), found);
        }
        if (!offered.isEmpty()) {
            list(text.append(text.isEmpty() ? "" : "\n").append("You have these already:"), offered);
        }
        return text.toString();
    }

    private static void list(StringBuilder text, Map<String, String> tools) {
        tools.forEach((name, description) -> text.append(BEFORE)
                .append(name)
                .append(AFTER)
                .append(description));
    }

    /** The names of tools that a reply has made known; empty if it is no reply to a search. */
    public static List<String> names(ReplyPart reply) {
        List<String> names = new ArrayList<>();
        if (!reply.toolName().equals(SEARCH) || reply.status() != ReplyPart.Status.OK
                || !reply.text().startsWith(HEADING)) {
            return names;
        }
        for (String line : reply.text().substring(HEADING.length()).split("\n", -1)) {
            int end = line.indexOf(AFTER);
            if (line.startsWith("- ") && end > 0) {
                names.add(line.substring(2, end));
            } else if (!line.isEmpty()) {
                break; // the tools that were there before, or a cut
            }
        }
        return names;
    }
}
