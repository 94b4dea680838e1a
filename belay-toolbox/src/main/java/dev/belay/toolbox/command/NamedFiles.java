package dev.belay.toolbox.command;

import dev.belay.tool.option.FileWords;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** The files that words of a command line may name. Stateless. */
public final class NamedFiles {

    private NamedFiles() {}

    /** What words may name, seen from a directory; there may be no such files. */
    public static Set<Path> of(Path directory, Collection<String> words) {
        Set<Path> named = new TreeSet<>();
        for (String word : FileWords.of(words)) {
            try {
                named.add(directory.resolve(word));
            } catch (InvalidPathException notOne) {
                // a word that no path can be
            }
        }
        return named;
    }
}
