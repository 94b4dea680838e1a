package dev.belay.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A checkout of the project, or a fixture that looks like one. */
public record Project(Path root) {

    /** Modules of the root POM that nobody depends on from outside. */
    private static final Set<String> UNPUBLISHED = Set.of("belay-tests", "belay-benchmarks", "examples");

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /** Finds the checkout that the tests run in: the nearest directory above with a {@code .mvn}. */
    public static Project here() {
        Path start = Path.of("").toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve(".mvn"))) {
                return new Project(directory);
            }
        }
        throw new IllegalStateException("no directory above " + start + " has a .mvn");
    }

    /** Every module of the build as a path from the root, aggregators included. */
    public List<String> modules() {
        List<String> found = new ArrayList<>();
        collect("", found);
        return found;
    }

    /** The modules that are published. */
    public List<String> published() {
        return modulesIn("pom.xml").stream().filter(name -> !UNPUBLISHED.contains(name)).toList();
    }

    /** The names that {@code ./belay example} takes. */
    public List<String> examples() {
        return Files.exists(root.resolve("examples/pom.xml")) ? modulesIn("examples/pom.xml") : List.of();
    }

    /** The text of a file, its path given from the root. */
    public String read(String file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** The files below a directory whose name ends so, as sorted paths from the root; none if it is missing. */
    public List<String> files(String directory, String ending) {
        Path start = root.resolve(directory);
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(start)) {
            return found.filter(Files::isRegularFile)
                    .map(path -> root.relativize(path).toString().replace('\\', '/'))
                    .filter(path -> path.endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    private void collect(String parent, List<String> into) {
        for (String name : modulesIn(parent + "pom.xml")) {
            into.add(parent + name);
            collect(parent + name + "/", into);
        }
    }

    private List<String> modulesIn(String pom) {
        List<String> names = new ArrayList<>();
        Matcher module = MODULE.matcher(read(pom));
        while (module.find()) {
            names.add(module.group(1).strip());
        }
        return names;
    }
}
