package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.belay.tests.Project;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the tables of files in {@code docs/architecture.md} to the files. */
class MainPathTest {

    private static final Pattern FILE = Pattern.compile("(?m)^\\| `([a-z/]+/\\w+\\.java)` \\| (\\d+) \\|");
    /** Far enough that an ordinary edit does not break the build. */
    private static final int SLACK = 30;

    private final Project project = Project.here();
    /** One path per section of the page that has one. */
    private final List<List<MatchResult>> paths = Pattern.compile("(?m)^## ")
            .splitAsStream(project.read("docs/architecture.md"))
            .map(section -> FILE.matcher(section).results().toList())
            .filter(rows -> !rows.isEmpty())
            .toList();

    @Test
    void linesAreAboutRight() {
        paths.stream()
                .flatMap(List::stream)
                .forEach(row -> assertThat(lines(row)).as(row.group(1))
                        .isCloseTo(Long.parseLong(row.group(2)), within((long) SLACK)));
    }

    @Test
    void mainPathsAreShort() {
        assertThat(paths).hasSize(6).allSatisfy(rows -> {
            assertThat(rows).hasSizeBetween(5, 8);
            assertThat(rows.stream().mapToLong(this::lines).sum()).isLessThan(1_500);
        });
    }

    private long lines(MatchResult row) {
        String module = row.group(1).matches("(effect|dispatch|session|store|process)/.*")
                ? "belay-runtime/src/main/java/dev/belay/runtime/"
                : "belay-core/src/main/java/dev/belay/";
        return project.read(module + row.group(1)).lines().count();
    }
}
