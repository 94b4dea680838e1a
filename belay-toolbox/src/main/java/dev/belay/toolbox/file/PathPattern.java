package dev.belay.toolbox.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pattern for relative paths: patterns for names between slashes, <code>**</code> for any number of directories,
 * <code>{a,b}</code> for a choice. Takes at most pattern length times path length steps. Thread-safe.
 */
final class PathPattern {

    private static final int MOST_CHOICES = 64;

    /** For each choice the patterns of its names; an empty one stands for any number of directories. */
    private final List<List<Optional<NamePattern>>> choices;

    private PathPattern(List<List<Optional<NamePattern>>> choices) {
        this.choices = choices;
    }

    /** Reads a pattern; {@link IllegalArgumentException} says what is wrong with it. */
    static PathPattern of(String text) {
        List<List<Optional<NamePattern>>> choices = new ArrayList<>();
        for (String choice : expanded(text)) {
            List<Optional<NamePattern>> names = new ArrayList<>();
            for (String name : choice.split("/", -1)) {
                if (!name.isEmpty() && !name.equals(".")) {
                    names.add(name.equals("**") ? Optional.empty() : Optional.of(NamePattern.of(name)));
                }
            }
            choices.add(names);
        }
        return new PathPattern(choices);
    }

    private static List<String> expanded(String text) {
        int open = text.indexOf('{');
        int close = open < 0 ? -1 : text.indexOf('}', open);
        if (close < 0) {
            return List.of(text);
        }
        List<String> all = new ArrayList<>();
        for (String option : text.substring(open + 1, close).split(",", -1)) {
            all.addAll(expanded(text.substring(0, open) + option + text.substring(close + 1)));
            if (all.size() > MOST_CHOICES) {
                throw new IllegalArgumentException(
                        "the {…} stand for more than " + MOST_CHOICES + " patterns");
            }
        }
        return all;
    }

    /** Whether a path, its names separated by slashes, matches. */
    boolean matches(String path) {
        String[] names = path.split("/", -1);
        return choices.stream().anyMatch(choice -> matches(choice, names));
    }

    /** Computes, part by part of the pattern, how many names may have been matched so far. */
    private static boolean matches(List<Optional<NamePattern>> pattern, String[] names) {
        boolean[] reached = new boolean[names.length + 1];
        reached[0] = true;
        for (Optional<NamePattern> part : pattern) {
            boolean[] next = new boolean[names.length + 1];
            for (int used = 0; used <= names.length; used++) {
                if (part.isEmpty()) {
                    next[used] = reached[used] || (used > 0 && next[used - 1]);
                } else {
                    next[used] = used > 0 && reached[used - 1] && part.get().matches(names[used - 1]);
                }
            }
            reached = next;
        }
        return reached[names.length];
    }

    /** A pattern without a slash matches names at any depth. */
    static PathPattern anywhere(String text) {
        return text.contains("/") ? of(text) : of("**/" + text);
    }
}
