package dev.belay.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the source files of all modules to the shape of a room. */
class SourcesTest {

    private static final Project PROJECT = Project.here();
    /** One class each: the launcher finds an example by this name. */
    private static final Set<String> MAY_REPEAT = Set.of("Main", "package-info", "module-info");
    private static final Pattern PAGE = Pattern.compile("(?s)^/\\*\\*.{20,}?\\*/");

    @Test
    void everyPackageHasAPage() {
        assertThat(packages().entrySet()).allSatisfy(entry -> {
            assertThat(entry.getValue()).as(entry.getKey()).contains("package-info.java");
            assertThat(PROJECT.read(entry.getKey() + "/package-info.java")).as(entry.getKey())
                    .containsPattern(PAGE);
        });
    }

    @Test
    void oneNameIsOneClass() {
        Map<String, Set<String>> places = new TreeMap<>();
        packages().forEach((directory, files) -> files.stream()
                .map(file -> file.replace(".java", ""))
                .filter(name -> !MAY_REPEAT.contains(name))
                .forEach(name -> places.computeIfAbsent(name, key -> new TreeSet<>()).add(directory)));
        places.values().removeIf(directories -> directories.size() == 1);
        assertThat(places).isEmpty();
    }

    /** The files of each package of published modules, by its directory. */
    private static Map<String, List<String>> packages() {
        return PROJECT.published()
                .stream()
                .flatMap(module -> PROJECT.files(module + "/src/main/java", ".java").stream())
                .filter(file -> !file.endsWith("/module-info.java"))
                .collect(Collectors.groupingBy(file -> file.substring(0, file.lastIndexOf('/')), TreeMap::new,
                        Collectors.mapping(file -> file.substring(file.lastIndexOf('/') + 1),
                                Collectors.toList())));
    }
}
