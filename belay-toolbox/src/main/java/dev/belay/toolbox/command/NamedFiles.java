package dev.belay.toolbox.command;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The files that words of a command line may name: each word, and each part of it between the characters that a shell, an option or a list of
 * paths sets apart. Stateless.
 */
public final class NamedFiles {

    private static final int LONGEST_PATH = 4096;
    /** The operators and quotes of a shell, and the {@code =} of an option. */
    private static final Pattern BETWEEN = Pattern.compile("[\\s;|&<>()\"'`$={},]+");
    /** Between the paths of a list, and before a file of arguments. */
    private static final Pattern LIST = Pattern.compile("[:@]+");

    private NamedFiles() {}

    /** What words may name, seen from a directory; there may be no such files. */
    public static Set<Path> of(Path directory, Collection<String> words) {
        Set<Path> named = new TreeSet<>();
        for (String word : words) {
            add(named, directory, word);
            for (String part : BETWEEN.split(word, -1)) {
                add(named, directory, part);
                for (String one : LIST.split(part, -1)) {
                    add(named, directory, one);
                    add(named, directory, one.substring(one.indexOf('/') + 1)); // behind ${PWD}/
                }
            }
        }
        return named;
    }

    private static void add(Set<Path> named, Path directory, String word) {
        if (word.isEmpty() || word.length() > LONGEST_PATH) {
            return;
        }
        try {
            named.add(directory.resolve(word));
        } catch (InvalidPathException notOne) {
            // a word that no path can be
        }
    }
}
