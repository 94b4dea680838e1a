package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {

    private static final String SOURCE = "lib/src/main/java/Greeting.java";

    @TempDir
    Path root;

    private Documents documents;

    @BeforeEach
    void makeAProject() throws IOException {
        documents = new Documents(new Project(root));
        write("pom.xml", "<modules><module>lib</module><module>examples</module></modules>");
        write("lib/pom.xml", "");
        write("examples/pom.xml", "<modules><module>first-tool</module></modules>");
        write("examples/first-tool/pom.xml", "");
        write(SOURCE, """
                class Greeting {
                    // region hello
                    void hello() {
                        // region inner
                        say("hello");

                        // endregion
                    }

                    // endregion
                    // region open
                }
                """);
    }

    @Test
    void blockEqualToItsRegionIsFine() throws IOException {
        assertThat(problems(java("hello", "void hello() {\n    say(\"hello\");\n\n}"))).isEmpty();
        assertThat(problems(java("inner", "say(\"hello\");"))).isEmpty();
    }

    @Test
    void mismatchShowsFileRegionAndDifference() throws IOException {
        assertThat(problems(java("hello", "void hello() {\n    say(\"bye\");\n\n}"))).singleElement()
                .asString()
                .startsWith("docs/page.md:2: ")
                .contains("region hello of " + SOURCE)
                .endsWith("@@ line 2 of the block\n-     say(\"bye\");\n+     say(\"hello\");\n");
    }

    @Test
    void blockWithoutMarkerIsFound() throws IOException {
        assertThat(problems("Text\n```java\nint x;\n```\n")).singleElement()
                .asString()
                .startsWith("docs/page.md:2: a Java block needs a line");
        assertThat(problems("<!-- snippet: " + SOURCE + "#hello -->\n\n```java\nint x;\n```\n")).hasSize(1);
    }

    @Test
    void missingAndUnclosedRegionsAreFound() throws IOException {
        assertThat(problems(java("bye", "x"))).singleElement().asString().contains("has no '// region bye'");
        assertThat(problems(java("open", "}"))).singleElement()
                .asString()
                .contains("has no '// region open'");
    }

    @Test
    void codeThatIsNotCompiledIsRefused() throws IOException {
        write("notes/Loose.java", "// region hello\nx\n// endregion\n");
        assertThat(problems("<!-- snippet: notes/Loose.java#hello -->\n```java\nx\n```\n")).singleElement()
                .asString()
                .contains("notes/Loose.java is no Java file of a module of this build");
        assertThat(problems("<!-- snippet: lib/src/main/java/Gone.java#hello -->\n```java\nx\n```\n"))
                .hasSize(1);
    }

    @Test
    void aTypeWhosePackageThePageDoesNotNameIsFound() throws IOException {
        write(SOURCE, """
                import dev.belay.tool.ToolCaller;
                import dev.belay.tool.context.Other.Inner;
                class Greeting {
                    // region hello
                    void hello(ToolCaller tools, Inner inner) {}
                    // endregion
                }
                """);
        String block = java("hello", "void hello(ToolCaller tools, Inner inner) {}");
        assertThat(problems(block)).containsExactly(
                "docs/page.md: the page does not say that [ToolCaller] are in `dev.belay.tool`; name the package, or link to the source",
                "docs/page.md: the page does not say that [Inner] are in `dev.belay.tool.context`; name the package, or link to the source");
        assertThat(problems(
                block + "\n`ToolCaller` is in `dev.belay.tool`, `Inner` in `dev.belay.tool.context`.\n"))
                .isEmpty();
        assertThat(problems(block + "\n[with its imports](../" + SOURCE + ")\n")).isEmpty();
    }

    @Test
    void unclosedBlockIsFound() throws IOException {
        assertThat(problems("```java\nint x;\n")).singleElement().asString().contains("never closed");
    }

    @Test
    void updateWritesTheRegionAndNothingElse() throws IOException {
        String page = "# A\n\n- item\n\n  <!-- snippet: " + SOURCE
                + "#inner -->\n  ```java\n  old();\n  older();\n"
                + "  ```\n\n```text\nkept\n```\n";
        write("docs/page.md", page);
        documents.update("docs/page.md");
        assertThat(root.resolve("docs/page.md")).hasContent(
                page.replace("  old();\n  older();\n", "  say(\"hello\");\n"));
        assertThat(documents.problems("docs/page.md")).isEmpty();
    }

    @Test
    void deadLinksAreFound() throws IOException {
        write("README.md", "# Read `me` first\n");
        write("docs/page.md",
                """
                        [up](../README.md) [part](../README.md#read-me-first) [here](#there) [out](https://example.org/x)
                        [gone](gone.md) [no part](../README.md#nothing) `[code](no.md)`
                        ## There
                        ```text
                        [in a block](no.md)
                        ```
                        """);
        assertThat(documents.problems("docs/page.md")).containsExactly(
                "docs/page.md:2: the link to gone.md leads nowhere",
                "docs/page.md:2: the link to ../README.md#nothing names no heading there");
    }

    @Test
    void commandsNameRealExamplesAndModules() throws IOException {
        assertThat(
                problems("```console\n$ ./belay example first-tool\nhello\n$ mvn verify -pl lib -am\n```\n"))
                .isEmpty();
        assertThat(problems("```console\n$ ./belay example second-tool\n```\n")).singleElement()
                .asString()
                .contains("names no example; there are [first-tool]");
        assertThat(problems("```console\n$ mvn -q -pl lib,bil verify\n```\n")).singleElement()
                .asString()
                .contains("names no module");
    }

    @Test
    void readmeContributingChangelogAndDocsAreLookedAt() throws IOException {
        for (String file : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/a.md", "docs/b/c.md",
                "lib/README.md")) {
            write(file, "");
        }
        assertThat(documents.files()).containsExactly("README.md", "CONTRIBUTING.md", "CHANGELOG.md",
                "docs/a.md",
                "docs/b/c.md");
    }

    private List<String> problems(String page) throws IOException {
        write("docs/page.md", page);
        return documents.problems("docs/page.md");
    }

    private static String java(String region, String body) {
        return "<!-- snippet: " + SOURCE + "#" + region + " -->\n```java\n" + body + "\n```\n";
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
