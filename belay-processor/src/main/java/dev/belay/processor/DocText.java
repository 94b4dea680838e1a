package dev.belay.processor;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Turns the body of a Javadoc comment into plain text for a model: inline tags and entities are replaced by their text, HTML is
 * removed, the lines of a paragraph are joined and paragraphs are put on separate lines. Confined to one comment.
 */
final class DocText {

    private static final Map<String, String> ENTITIES = Map.ofEntries(Map.entry("lt", "<"),
            Map.entry("gt", ">"), Map.entry("amp", "&"), Map.entry("quot", "\""), Map.entry("apos", "'"),
            Map.entry("nbsp", " "), Map.entry("hellip", "…"), Map.entry("mdash", "—"),
            Map.entry("ndash", "–"), Map.entry("copy", "©"), Map.entry("times", "×"),
            Map.entry("rarr", "→"), Map.entry("larr", "←"), Map.entry("le", "≤"), Map.entry("ge", "≥"),
            Map.entry("ne", "≠"), Map.entry("euro", "€"), Map.entry("sect", "§"), Map.entry("deg", "°"));
    private static final Set<String> BREAKS = Set.of("p", "br", "ul", "ol", "dl", "dt", "dd", "pre", "div",
            "table", "tr", "blockquote", "hr", "h1", "h2", "h3", "h4", "h5", "h6");

    private final StringBuilder out = new StringBuilder();
    private boolean space;
    private boolean line;
    private boolean preformatted;

    private DocText() {}

    /** The plain text of a comment's body. */
    static String plain(String body) {
        var text = new DocText();
        text.prose(body);
        return text.out.toString();
    }

    private void prose(String body) {
        int at = 0;
        while (at < body.length()) {
            char c = body.charAt(at);
            if (body.startsWith("{@", at) && closing(body, at) > 0) {
                int end = closing(body, at);
                inlineTag(body.substring(at + 2, end));
                at = end + 1;
            } else if (c == '<' && markupEnd(body, at) > 0) {
                int end = markupEnd(body, at);
                markup(body.substring(at + 1, end));
                at = end + 1;
            } else if (c == '&' && !entity(body, at).isEmpty()) {
                literal(entity(body, at));
                at = body.indexOf(';', at) + 1;
            } else if (Character.isWhitespace(c)) {
                at = whitespace(body, at);
            } else {
                put(c);
                at++;
            }
        }
    }

    /** Adds literal text; only its white space is changed. */
    private void literal(String text) {
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at = whitespace(text, at);
            } else {
                put(text.charAt(at++));
            }
        }
    }

    private int whitespace(String text, int start) {
        int at = start;
        int lines = 0;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            lines += text.charAt(at) == '\n' ? 1 : 0;
            at++;
        }
        space = true;
        line |= lines > 1 || (preformatted && lines > 0);
        return at;
    }

    private void put(char c) {
        if (!out.isEmpty()) {
            if (line) {
                out.append('\n');
            } else if (space) {
                out.append(' ');
            }
        }
        line = false;
        space = false;
        out.append(c);
    }

    private void inlineTag(String tag) {
        int end = 0;
        while (end < tag.length() && !Character.isWhitespace(tag.charAt(end))) {
            end++;
        }
        String content = tag.substring(end).strip();
        switch (tag.substring(0, end)) {
            case "code", "literal" -> literal(content);
            case "link", "linkplain" -> link(content);
            case "value" -> literal(reference(content));
            case "snippet" -> literal(content.substring(content.indexOf(':') + 1).strip());
            case "return" -> prose("Returns " + content + ".");
            case "inheritDoc", "docRoot" -> space = true;
            default -> prose(content);
        }
    }

    private void link(String content) {
        int depth = 0;
        int at = 0;
        while (at < content.length() && (depth > 0 || !Character.isWhitespace(content.charAt(at)))) {
            depth += switch (content.charAt(at)) {
                case '(', '<' -> 1;
                case ')', '>' -> -1;
                default -> 0;
            };
            at++;
        }
        String label = content.substring(at).strip();
        if (label.isEmpty()) {
            literal(reference(content));
        } else {
            prose(label);
        }
    }

    private static String reference(String target) {
        return (target.startsWith("#") ? target.substring(1) : target).replace('#', '.');
    }

    /** The end of an inline tag that starts here, or -1. */
    private static int closing(String body, int start) {
        int depth = 0;
        for (int i = start; i < body.length(); i++) {
            if (body.charAt(i) == '{') {
                depth++;
            } else if (body.charAt(i) == '}' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /** The end of an HTML tag or comment that starts here, or -1 if it is only a "less than". */
    private static int markupEnd(String body, int start) {
        if (body.startsWith("<!--", start)) {
            int end = body.indexOf("-->", start);
            return end < 0 ? -1 : end + 2;
        }
        int name = body.startsWith("</", start) ? start + 2 : start + 1;
        boolean tag = name < body.length() && Character.isLetter(body.charAt(name));
        return tag ? body.indexOf('>', name) : -1;
    }

    private void markup(String tag) {
        boolean closes = tag.startsWith("/");
        int start = closes ? 1 : 0;
        int end = start;
        while (end < tag.length() && Character.isLetterOrDigit(tag.charAt(end))) {
            end++;
        }
        String name = tag.substring(start, end).toLowerCase(Locale.ROOT);
        if (name.equals("pre")) {
            preformatted = !closes;
        }
        if (name.equals("li")) {
            line = true;
            if (!closes) {
                put('-');
                space = true;
            }
        } else if (BREAKS.contains(name)) {
            line = true;
        } else if (name.equals("td") || name.equals("th")) {
            space = true;
        }
    }

    /** The character of an entity that starts here, or empty if none does. */
    private static String entity(String body, int start) {
        int end = body.indexOf(';', start);
        if (end < 0 || end - start > 10) {
            return "";
        }
        String name = body.substring(start + 1, end);
        if (!name.startsWith("#")) {
            return ENTITIES.getOrDefault(name, "");
        }
        boolean hex = name.startsWith("#x") || name.startsWith("#X");
        try {
            int point = Integer.parseInt(name.substring(hex ? 2 : 1), hex ? 16 : 10);
            boolean scalar = Character.isValidCodePoint(point) && (point < 0xD800 || point > 0xDFFF);
            return scalar ? Character.toString(point) : "";
        } catch (NumberFormatException e) {
            return "";
        }
    }
}
