package dev.belay.runtime.output.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * References to attachments in the text of an output, as {@link dev.belay.tool.context.Attachments.Reference} is written. A model hands
 * them to other tools, so they must not be lost with the part of an output that is cut.
 */
final class NamedAttachments {

    private static final String BEGINNING = "{\"hash\":\"";
    private static final Pattern REFERENCE = Pattern.compile("\\{\"hash\":\"[0-9a-f]{64}\","
            + "\"mediaType\":\"[ !#-\\[\\]-~]{3,200}\",\"size\":[1-9][0-9]{0,7}}");

    private NamedAttachments() {}

    /** The first references of a text that are not in what is shown of it, each once; at most so many. Linear in the text. */
    static List<String> missing(String text, String shown, int most) {
        int at = most > 0 ? text.indexOf(BEGINNING) : -1;
        if (at < 0) {
            return List.of();
        }
        Set<String> found = new LinkedHashSet<>();
        Matcher reference = REFERENCE.matcher(text);
        for (; at >= 0 && found.size() < most; at = text.indexOf(BEGINNING, at + 1)) {
            if (reference.region(at, text.length()).lookingAt() && !shown.contains(reference.group())) {
                found.add(reference.group());
            }
        }
        return List.copyOf(found);
    }
}
