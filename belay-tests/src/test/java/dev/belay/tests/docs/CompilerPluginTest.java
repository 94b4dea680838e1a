package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maven's default compiler plugin may be too old for the processor, so each place that shows the plugin names the version. */
class CompilerPluginTest {

    private static final Pattern PINNED = Pattern
            .compile("<artifactId>maven-compiler-plugin</artifactId>\\s*<version>([^<]+)</version>");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/processor.md",
        "belay-core/src/main/java/dev/belay/tool/declare/ProcessorNotice.java"})
    void thePluginHasTheVersionThatThisBuildUses(String file) {
        assertThat(version(file)).isEqualTo(version("pom.xml"));
    }

    private static String version(String file) {
        Matcher found = PINNED.matcher(Project.here().read(file));
        assertThat(found.find()).as("a plugin with a version in " + file).isTrue();
        return found.group(1);
    }
}
