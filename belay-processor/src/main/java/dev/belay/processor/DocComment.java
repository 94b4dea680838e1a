package dev.belay.processor;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Javadoc comment as plain text: the part before the block tags, and the texts of {@code @param}.
 *
 * @param text the description, or empty
 * @param params by name, without type parameters
 */
record DocComment(String text, Map<String, String> params) {

    /** No comment at all. */
    static final DocComment NONE = new DocComment("", Map.of());

    /** Copies the map. */
    DocComment {
        params = Map.copyOf(params);
    }

    /** Reads what {@link javax.lang.model.util.Elements#getDocComment} returns. */
    static DocComment of(@Nullable String raw) {
        if (raw == null) {
            return NONE;
        }
        var main = new StringBuilder();
        var params = new HashMap<String, String>();
        StringBuilder block = main;
        String name = "";
        boolean balanced = depthAfter(raw, 0) == 0;
        int depth = 0;
        for (String line : raw.lines().toList()) {
            String trimmed = line.strip();
            if ((depth == 0 || !balanced) && startsBlock(trimmed)) {
                keep(params, name, block);
                String[] words = trimmed.split("\\s+", 3);
                boolean param = words[0].equals("@param") && words.length > 1;
                name = param ? words[1] : "";
                block = new StringBuilder(param && words.length > 2 ? words[2] : "");
                block.append('\n');
                depth = depthAfter(trimmed, 0);
            } else {
                block.append(line).append('\n');
                depth = depthAfter(line, depth);
            }
        }
        keep(params, name, block);
        return new DocComment(DocText.plain(main.toString()), params);
    }

    private static boolean startsBlock(String line) {
        return line.length() > 1 && line.charAt(0) == '@' && Character.isLetter(line.charAt(1));
    }

    private static void keep(Map<String, String> params, String name, StringBuilder block) {
        String text = name.isEmpty() || name.startsWith("<") ? "" : DocText.plain(block.toString());
        if (!text.isEmpty()) {
            params.putIfAbsent(name, text);
        }
    }

    /** How many braces are open inside an inline tag; a line that starts with @ in there is no block tag. */
    private static int depthAfter(String line, int before) {
        int depth = before;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '{' && (depth > 0 || line.startsWith("{@", i))) {
                depth++;
            } else if (c == '}' && depth > 0) {
                depth--;
            }
        }
        return depth;
    }
}
