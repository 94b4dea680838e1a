package dev.belay.tests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The launcher builds one module with those that it needs; Maven does not see that a module needs an annotation processor. */
class BuildOrderTest {

    @Test
    void aModuleThatRunsTheProcessorDependsOnIt() throws IOException {
        List<Path> poms;
        try (Stream<Path> files = Files.find(Project.here().root(), 2,
                (file, attributes) -> file.endsWith("pom.xml"))) {
            poms = files.toList();
        }
        assertThat(poms).hasSizeGreaterThan(10);
        for (Path pom : poms) {
            String text = Files.readString(pom);
            if (text.contains("<path><groupId>dev.belay</groupId><artifactId>belay-processor</artifactId>")) {
                assertThat(text).as(pom.toString())
                        .contains(
                                "<dependency><groupId>dev.belay</groupId><artifactId>belay-processor</artifactId>");
            }
        }
    }
}
