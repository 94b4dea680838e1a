package dev.belay.toolbox.file;

import java.util.Optional;

/** Finds a text that every match of a regular expression contains, outside of its groups and classes. Stateless. */
final class RequiredText {

    private static final String SIGNS = "\\^$.|?*+()[]{}\r\n";
    /** Escapes that stand for one character of several, or for a place. */
    private static final String CLASSES = "dDwWsSbB";

    private RequiredText() {}

    /** The longest such text of an expression that {@code BoundedPattern} accepts; empty in doubt, and if it has one character. */
    static Optional<String> in(String expression) {
        String longest = "";
        StringBuilder run = new StringBuilder();
        int depth = 0;
        boolean inClass = false;
        for (int at = 0; at < expression.length(); at++) {
            char c = expression.charAt(at);
            boolean escape = c == '\\';
            char taken = escape ? expression.charAt(++at) : c;
            boolean outside = depth == 0 && !inClass;
            if (outside && (escape ? !Character.isLetterOrDigit(taken) : SIGNS.indexOf(c) < 0)) {
                run.append(taken);
                continue;
            }
            if (outside && (escape ? CLASSES.indexOf(taken) < 0 : c == '|')) {
                return Optional.empty(); // another branch may match without it; other escapes take characters behind them
            }
            if ("?*{".indexOf(c) >= 0 && !run.isEmpty()) { // the character before need not occur
                run.setLength(run.offsetByCodePoints(run.length(), -1));
            }
            longest = longer(longest, run);
            run.setLength(0);
            if (escape) {
                continue;
            }
            if (inClass || c == '[') {
                inClass = c != ']';
            } else if (c == '{') {
                at = expression.indexOf('}', at);
            } else {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            }
        }
        longest = longer(longest, run);
        return longest.length() < 2 ? Optional.empty() : Optional.of(longest);
    }

    private static String longer(String text, StringBuilder run) {
        return run.length() > text.length() ? run.toString() : text;
    }
}
