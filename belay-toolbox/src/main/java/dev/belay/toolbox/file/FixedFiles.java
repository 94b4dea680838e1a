package dev.belay.toolbox.file;

import dev.belay.tool.ToolException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The files that no tool writes. They are compared by their names from the root, links followed, as the most lenient file system would
 * compare names. Thread-safe.
 */
final class FixedFiles {

    private final Workspace workspace;
    private final Set<String> names = new HashSet<>();
    private final List<String> paths = new ArrayList<>();

    FixedFiles(Workspace workspace, FileRules rules) {
        this.workspace = workspace;
        for (String file : rules.fixed()) {
            if (isName(file)) {
                names.add(SecretNames.folded(file));
            } else {
                paths.add(file);
            }
        }
    }

    private static boolean isName(String file) {
        try {
            Path path = Path.of(file);
            return path.getNameCount() == 1 && !path.isAbsolute() && !file.contains("/");
        } catch (InvalidPathException wild) {
            return true;
        }
    }

    /** Refuses to write one of them, or what would stand below it. */
    void refuse(Workspace.Place place) throws Exception {
        List<String> wanted = folded(place);
        if (wanted.stream().anyMatch(names::contains)) {
            throw FileRefusal.fixed(place.text());
        }
        for (String path : paths) {
            if (leadsTo(path, wanted)) {
                throw FileRefusal.fixed(place.text());
            }
        }
    }

    /** Found anew each time: a link on the way may lead elsewhere by now. */
    private boolean leadsTo(String path, List<String> wanted) throws Exception {
        try {
            return folded(workspace.resolve(path)).equals(wanted);
        } catch (ToolException unreachable) {
            return false; // for every tool
        }
    }

    private static List<String> folded(Workspace.Place place) {
        List<String> folded = new ArrayList<>();
        place.found().forEach(name -> folded.add(SecretNames.folded(name.toString())));
        place.missing().forEach(name -> folded.add(SecretNames.folded(name.toString())));
        return folded;
    }
}
