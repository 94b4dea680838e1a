package dev.belay.tool.option;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The parts of a command line that may name files: each word, and each part of it between the characters that a shell, an option or a list of
 * paths sets apart. Stateless.
 */
public final class FileWords {

    private static final int LONGEST_PATH = 4096;
    /** The operators and quotes of a shell, and the {@code =} of an option. */
    private static final Pattern BETWEEN = Pattern.compile("[\\s;|&<>()\"'`$={},]+");
    /** What a shell takes out of a word: {@code ./a'.sh'} is {@code ./a.sh}. */
    private static final Pattern QUOTES = Pattern.compile("\\\\\n|[\"'\\\\]");
    /** Between the paths of a list, and before a file of arguments. */
    private static final Pattern LIST = Pattern.compile("[:@]+");

    private FileWords() {}

    /** What words may name, as it is written there, in order; there may be no such files. */
    public static Set<String> of(Collection<String> words) {
        Set<String> named = new TreeSet<>();
        for (String word : words.stream().flatMap(FileWords::alsoUnquoted).toList()) {
            named.add(word);
            for (String part : BETWEEN.split(word, -1)) {
                named.add(part);
                for (String one : LIST.split(part, -1)) {
                    named.add(one);
                    named.add(one.substring(one.indexOf('/') + 1)); // behind ${PWD}/
                }
            }
        }
        named.removeIf(word -> word.isEmpty() || word.length() > LONGEST_PATH);
        return named;
    }

    private static Stream<String> alsoUnquoted(String word) {
        return Stream.of(word, QUOTES.matcher(word).replaceAll("")).distinct();
    }
}
