package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the page of the contract against the tests: a line names tests that exist, and a test names lines that exist. */
class ContractPageTest {

    private static final Project PROJECT = Project.here();
    private static final String PAGE = "docs/reference/contract.md";
    private static final Pattern LINE = Pattern.compile("(?m)^\\*\\*([A-W]\\.\\d+[a-z]?)\\*\\* .+$");
    private static final Pattern TESTS = Pattern.compile("(?m)^<br>((?: ?`[\\w.]+#\\w+`)+)$");
    private static final Pattern NAME = Pattern.compile("`([\\w.]+)#(\\w+)`");
    private static final Pattern REFERENCE = Pattern
            .compile("\\b(?<![\\w.#\"])([A-W]\\.\\d+[a-z]?)\\b(?!\\.\\d)");
    private static final Pattern ISSUE = Pattern.compile("\\b[Ii]ssue \\d+");

    /** The part of the page that says what the product does. */
    private final String done = PROJECT.read(PAGE).split("(?m)^## Not yet$", 2)[0];
    private final Map<String, String> tests = tests();

    @Test
    void eachLineNamesTestsThatExist() {
        List<String> wrong = new ArrayList<>();
        List<String> lines = done.lines().toList();
        for (int at = 0; at < lines.size(); at++) {
            var line = LINE.matcher(lines.get(at));
            if (!line.matches()) {
                continue;
            }
            String id = line.group(1);
            if (at + 1 == lines.size() || !TESTS.matcher(lines.get(at + 1)).matches()) {
                wrong.add(id + " names no test on the line below it");
                continue;
            }
            NAME.matcher(lines.get(at + 1)).results().forEach(name -> {
                if (!declares(name.group(1).replaceAll("\\..*", ""), name.group(2))) {
                    wrong.add(id + " names " + name.group() + ", which is no test");
                }
            });
        }
        assertThat(wrong).isEmpty();
        assertThat(ids(PROJECT.read(PAGE))).hasSizeGreaterThan(120);
    }

    @Test
    void noNumberStandsTwice() {
        assertThat(LINE.matcher(PROJECT.read(PAGE)).results().map(found -> found.group(1)))
                .doesNotHaveDuplicates();
    }

    @Test
    void lineThatATestNamesIsOnThePage() {
        Set<String> known = ids(done);
        List.copyOf(known).forEach(id -> known.add(id.replaceAll("[a-z]$", "")));
        List<String> wrong = new ArrayList<>();
        tests.forEach((name, source) -> comments(source).forEach(comment -> REFERENCE.matcher(comment)
                .results()
                .map(found -> found.group(1))
                .filter(id -> !known.contains(id))
                .forEach(id -> wrong.add(name + " names " + id))));
        assertThat(wrong).isEmpty();
    }

    /** What this project was once asked for is known to its pages by what it does, not by a number that no reader can look up. */
    @Test
    void noSourceAndNoPageNamesAnIssueByNumber() {
        List<String> files = new ArrayList<>(new Documents(PROJECT).files());
        PROJECT.modules().forEach(module -> files.addAll(PROJECT.files(module + "/src", ".java")));
        assertThat(files).hasSizeGreaterThan(1_000);
        List<String> wrong = new ArrayList<>();
        files.stream()
                .filter(file -> !file.endsWith("/" + getClass().getSimpleName() + ".java"))
                .forEach(file -> ISSUE.matcher(PROJECT.read(file))
                        .results()
                        .forEach(found -> wrong.add(file + ": " + found.group())));
        assertThat(wrong).isEmpty();
    }

    private static Set<String> ids(String page) {
        Set<String> ids = new TreeSet<>();
        LINE.matcher(page).results().forEach(found -> ids.add(found.group(1)));
        return ids;
    }

    /** Whether a class has this method, itself or from what it extends. */
    private boolean declares(String type, String method) {
        String source = tests.get(type);
        if (source == null) {
            return false;
        }
        return Pattern.compile("\\b(?:void|DynamicTest>|DynamicNode>) " + method + "\\(")
                .matcher(source)
                .find()
                || Pattern.compile("\\b(?:extends|implements) ([\\w., <>]+) \\{")
                        .matcher(source)
                        .results()
                        .flatMap(found -> Stream.of(found.group(1).split("[^\\w]+")))
                        .anyMatch(parent -> !parent.equals(type) && declares(parent, method));
    }

    private static Stream<String> comments(String source) {
        return Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*")
                .matcher(source)
                .results()
                .map(found -> found.group());
    }

    /** The sources of all tests, suites and kits, by the simple names of their classes. */
    private static Map<String, String> tests() {
        Map<String, String> found = new TreeMap<>();
        Stream.concat(PROJECT.modules().stream().map(module -> module + "/src/test/java"),
                Stream.of("belay-laws/src/main/java", "belay-testkit/src/main/java"))
                .flatMap(folder -> PROJECT.files(folder, ".java").stream())
                .forEach(file -> found.merge(file.replaceAll(".*/|\\.java$", ""), PROJECT.read(file),
                        (one, other) -> one + other));
        return found;
    }
}
