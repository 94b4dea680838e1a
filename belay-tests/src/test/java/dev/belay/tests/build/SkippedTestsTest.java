package dev.belay.tests.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test may be skipped only if it says why. */
class SkippedTestsTest {

    @Test
    void noTestIsSkippedSilently() {
        Project project = Project.here();
        List<String> silent = new ArrayList<>();
        List<String> folders = new ArrayList<>(
                project.modules().stream().map(module -> module + "/src/test/java").toList());
        folders.add("belay-laws/src/main/java");
        folders.add("belay-testkit/src/main/java"); // contracts, whose tests run in other modules
        for (String folder : folders) {
            for (String file : project.files(folder, ".java")) {
                silent.addAll(SkippedTests.withoutReason(file, project.read(file)));
            }
        }
        assertThat(silent).isEmpty();
    }

    /** Prints the reasons of the modules built before this one, and fails for a skip that left none. */
    @Test
    void skippedTestsSayWhy() {
        Project project = Project.here();
        List<TestReport.Skip> skips = project.modules()
                .stream()
                .filter(module -> !module.equals("belay-tests"))
                .flatMap(module -> project.files(module + "/target/surefire-reports", ".xml").stream())
                .flatMap(report -> TestReport.skips(project.read(report)).stream())
                .toList();
        skips.forEach(skip -> System.out.println("skipped " + skip.test() + ": " + skip.reason()));
        assertThat(skips).noneMatch(skip -> skip.reason().isBlank());
    }

    @Test
    void reportGivesTheReasonOfASkip() {
        String report = """
                <testsuite><testcase name="ran" classname="a.B"/>
                <testcase name="rests" classname="a.B"><skipped message="needs a moon"/></testcase>
                <testcase name="assumes" classname="a.B"><skipped type="X"><![CDATA[X: needs a sun
                    at a.B]]></skipped></testcase>
                <testcase name="hides" classname="a.B"><skipped/></testcase></testsuite>""";
        assertThat(TestReport.skips(report)).containsExactly(new TestReport.Skip("a.B.rests", "needs a moon"),
                new TestReport.Skip("a.B.assumes", "X: needs a sun"),
                new TestReport.Skip("a.B.hides", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"@Disabled void f() {}", "@Disabled(\"\") void f() {}",
        "@org.junit.jupiter.api.Disabled() void f() {}", "@EnabledOnOs(OS.LINUX) void f() {}",
        "@DisabledIf(\"g\") void f() {}", "void f() { assumeTrue(g()); }",
        "void f() { Assumptions.assumeFalse(g()); }", "void f() { assumeThat(g()).isTrue(); }"})
    void silentSkipIsFound(String member) {
        assertThat(SkippedTests.withoutReason("X.java", "class X {\n" + member + "\n}")).singleElement()
                .asString()
                .startsWith("X.java:2: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@Disabled(\"needs a network\") void f() {}",
        "@Test void f() { text(\"@Disabled\"); }",
        "@EnabledOnOs(value = OS.LINUX, disabledReason = \"needs procfs\") void f() {}",
        "void f() { assumeTrue(g(), \"needs procfs\"); } // assumeTrue(g())"})
    void explainedSkipIsFine(String member) {
        assertThat(SkippedTests.withoutReason("X.java", "class X {\n" + member + "\n}")).isEmpty();
    }
}
