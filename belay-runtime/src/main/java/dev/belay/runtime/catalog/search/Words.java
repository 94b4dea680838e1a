package dev.belay.runtime.catalog.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Takes texts and names apart into words that are compared: {@code createIssues}, {@code create_issue} and "Create issues" are the same two. */
final class Words {

    private static final int SHORTEST_PLURAL = 4;
    /** Words that say nothing about what a tool does. */
    private static final Set<String> EMPTY = Set.of("a", "an", "and", "are", "as", "at", "be", "by", "do",
            "for",
            "from", "how", "i", "in", "is", "it", "me", "my", "of", "on", "or", "that", "the", "this", "to",
            "what",
            "which", "who", "with", "you");

    private Words() {}

    /** The words of a text, in its order. */
    static List<String> of(String text) {
        var words = new ArrayList<String>();
        int begin = -1;
        int before = -1;
        for (int at = 0; at < text.length();) {
            int c = text.codePointAt(at);
            boolean alone = Character.isIdeographic(c);
            boolean breaks = !Character.isLetterOrDigit(c) || alone
                    || (before >= 0 && Character.isLowerCase(before) && Character.isUpperCase(c));
            if (breaks && begin >= 0) {
                add(words, text.substring(begin, at));
                begin = -1;
            }
            int next = at + Character.charCount(c);
            if (alone) {
                words.add(text.substring(at, next));
            } else if (begin < 0 && Character.isLetterOrDigit(c)) {
                begin = at;
            }
            before = c;
            at = next;
        }
        if (begin >= 0) {
            add(words, text.substring(begin));
        }
        return words;
    }

    /** The words of a question that say something, each once. */
    static Set<String> asked(String question) {
        Set<String> words = new LinkedHashSet<>(of(question));
        words.removeAll(EMPTY);
        return words;
    }

    private static void add(List<String> words, String word) {
        words.add(singular(word.toLowerCase(Locale.ROOT)));
    }

    private static String singular(String word) {
        boolean plural = word.length() >= SHORTEST_PLURAL && word.endsWith("s") && !word.endsWith("ss");
        boolean spoken = word.endsWith("ches") || word.endsWith("shes") || word.endsWith("xes")
                || word.endsWith("sses");
        return plural ? word.substring(0, word.length() - (spoken ? 2 : 1)) : word;
    }
}
