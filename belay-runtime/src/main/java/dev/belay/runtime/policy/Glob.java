package dev.belay.runtime.policy;

import dev.belay.BelayException;

/**
 * A pattern in which {@code *} stands for any characters and {@code ?} for one. Matching takes time linear in the text for patterns with
 * few stars.
 */
final class Glob {

    private static final int LONGEST = 500;

    private final String pattern;
    private final boolean literal;

    Glob(String pattern) {
        if (pattern.isEmpty() || pattern.length() > LONGEST) {
            throw invalid("a pattern has 1 to " + LONGEST + " characters, found " + pattern.length());
        }
        if (pattern.chars().anyMatch(Character::isISOControl)) {
            throw invalid("the pattern \"" + ShownText.escaped(pattern) + "\" has control characters");
        }
        this.pattern = pattern;
        this.literal = pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0;
    }

    /** A pattern for names of tools or agents; refused if no such name can match. */
    static Glob ofNames(String pattern) {
        if (!pattern.matches("[a-zA-Z0-9_*?-]*") || pattern.replace("*", "").length() > 64) {
            throw invalid("no name can match the pattern \"" + ShownText.escaped(pattern)
                    + "\": names have 1 to 64 letters, digits, _ and -; * stands for any characters, ? for one");
        }
        return new Glob(pattern);
    }

    private static BelayException invalid(String message) {
        return new BelayException("invalid_policy", message);
    }

    boolean matches(String text) {
        if (literal) {
            return pattern.equals(text);
        }
        int at = 0;
        int p = 0;
        int star = -1;
        int retry = 0;
        while (at < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                retry = at;
            } else if (p < pattern.length()
                    && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(at))) {
                p++;
                at++;
            } else if (star >= 0) {
                p = star + 1;
                at = ++retry;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public String toString() {
        return pattern;
    }
}
