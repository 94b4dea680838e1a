package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.store.rows.Tables;
import dev.belay.tests.Project;
import dev.belay.tool.ToolEffect;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares lists on pages of what there is with the sources: tables, loggers, packages, constants, tests, pages. */
class ListsTest {

    private static final Project PROJECT = Project.here();
    private static final Pattern NAMED_LOGGER = Pattern
            .compile("getLogger\\(\\s*\"(dev\\.belay[\\w.]*)\"\\)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package (dev\\.belay[\\w.]*);");
    private static final Pattern EXPORT = Pattern.compile("(?m)^ {4}exports (dev\\.belay[\\w.]*);");

    @Test
    void everyTableOfTheStoreIsOnItsPage() {
        String page = PROJECT.read("docs/store-sqlite.md");
        assertThat(Tables.ALL).hasSizeGreaterThan(30)
                .allMatch(table -> page.contains("`" + table.name() + "`"));
    }

    @Test
    void everyLoggerIsOnThePageOfWhatToWatch() {
        String page = PROJECT.read("docs/operations-running.md");
        Set<String> loggers = new TreeSet<>();
        sources("belay-runtime", "belay-store-jdbc", "belay-core", "belay-mcp", "belay-toolbox",
                "belay-model-http").forEach(file -> {
                    String source = PROJECT.read(file);
                    loggers.addAll(all(NAMED_LOGGER, source));
                    if (Pattern.compile("getLogger\\(\\w+\\.class\\)").matcher(source).find()) {
                        loggers.addAll(all(PACKAGE, source));
                    }
                });
        assertThat(loggers).hasSizeGreaterThan(15)
                .allMatch(logger -> Stream.iterate(logger, name -> name.contains("."),
                        name -> name.substring(0, name.lastIndexOf('.')))
                        .limit(2)
                        .anyMatch(name -> page.contains("`" + name + "`")));
    }

    @Test
    void everyExportedPackageIsARoomOfTheArchitecture() {
        String page = PROJECT.read("docs/architecture.md");
        Set<String> packages = all(EXPORT, PROJECT.read("belay-runtime/src/main/java/module-info.java"));
        assertThat(packages).hasSizeGreaterThan(15)
                .allMatch(name -> page.contains("`" + name + "`")
                        || page.contains("`." + name.substring(name.lastIndexOf('.') + 1) + "`"));
    }

    @Test
    void everyCauseOfAStopIsOnThePageOfSessions() {
        String page = PROJECT.read("docs/sessions.md");
        assertThat(TurnEnd.Cause.values()).allMatch(cause -> page.contains("`" + cause + "`"));
    }

    @Test
    void everyEffectIsOnThePageOfTools() {
        String page = PROJECT.read("docs/tools.md");
        assertThat(ToolEffect.values()).allMatch(effect -> page.contains("`" + effect + "`"));
    }

    @Test
    void everyPageIsInTheIndex() {
        Set<String> linked = Markdown.parse(PROJECT.read("docs/README.md"))
                .links()
                .stream()
                .map(link -> "docs/" + link.target().replaceAll("#.*", ""))
                .collect(Collectors.toSet());
        assertThat(PROJECT.files("docs", ".md"))
                .filteredOn(page -> !page.startsWith("docs/decisions/") && !page.equals("docs/README.md"))
                .hasSizeGreaterThan(40)
                .allMatch(linked::contains);
    }

    /** Why not two libraries, when not, a silent program, approval, a cut payment, no keys, test of an approval, deployment, checklist, trust. */
    @Test
    void questionsThatFailedOnceAreAnsweredFromTheIndex() {
        assertThat(Markdown.parse(PROJECT.read("docs/README.md")).links()).extracting(Markdown.Link::target)
                .contains("start/why.md#one-task-in-five-systems", "start/why.md#do-not-use-it-when",
                        "operations.md#a-program-that-waits", "guides/approvals.md", "guides/once.md",
                        "guides/once.md#a-reconciler", "guides/approvals.md#test-it",
                        "operate/production.md#deploy-a-new-version", "operate/production.md",
                        "operate/security.md");
    }

    @Test
    void everyTestOnThePageAboutSecurityExists() {
        Set<String> named = all(Pattern.compile("`(\\w+(?:Test|Promises))`"),
                PROJECT.read("docs/operate/security.md"));
        Set<String> tests = Stream.concat(PROJECT.modules().stream(), Stream.of("belay-testkit"))
                .flatMap(module -> Stream.concat(PROJECT.files(module + "/src/test/java", ".java").stream(),
                        PROJECT.files(module + "/src/main/java", "Promises.java").stream()))
                .map(file -> file.replaceAll(".*/|\\.java", ""))
                .collect(Collectors.toSet());
        assertThat(named).hasSizeGreaterThan(20).allMatch(tests::contains);
    }

    private static Stream<String> sources(String... modules) {
        return Arrays.stream(modules)
                .flatMap(module -> PROJECT.files(module + "/src/main/java", ".java").stream());
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
