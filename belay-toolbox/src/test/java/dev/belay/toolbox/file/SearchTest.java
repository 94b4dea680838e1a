package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.tool.context.Cancellation;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks {@code grep} and {@code glob}: correct, repeatable, and bounded for every pattern. */
@Timeout(60)
class SearchTest {

    @TempDir
    Path root;

    private Calls files;

    @BeforeEach
    void open() {
        files = new Calls(FileTools.reading(root, FileRules.DEFAULT));
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void linesAreFoundWithPathAndNumber() throws IOException {
        write("b/two.txt", "no\nneedle here\r\nno\nneedle");
        write("a.md", "needle ü\n");
        write("c.bin", "needle\0");
        assertThat(files.text("grep", "pattern", "needle"))
                .isEqualTo("a.md:1: needle ü\nb/two.txt:2: needle here\nb/two.txt:4: needle\n");
        assertThat(files.text("grep", "pattern", "ne+dle$")).isEqualTo("b/two.txt:4: needle\n");
        assertThat(files.text("grep", "pattern", "here$")).isEqualTo("b/two.txt:2: needle here\n");
        assertThat(files.text("grep", "pattern", "^NEEDLE ", "ignoreCase", true))
                .isEqualTo("a.md:1: needle ü\nb/two.txt:2: needle here\n");
        assertThat(files.text("grep", "pattern", "needle", "files", "*.md")).isEqualTo("a.md:1: needle ü\n");
        assertThat(files.text("grep", "pattern", "needle", "files", "b/**")).startsWith("b/two.txt:2");
        assertThat(files.text("grep", "pattern", "needle", "path", "b")).startsWith("b/two.txt:2");
        assertThat(files.text("grep", "pattern", "needle", "path", "b/two.txt")).startsWith("b/two.txt:2");
        assertThat(files.text("grep", "pattern", "ü")).isEqualTo("a.md:1: needle ü\n");
        assertThat(files.text("grep", "pattern", "haystack")).isEqualTo("no matches\n");
        assertThat(files.code("grep", "pattern", "x", "path", "missing")).isEqualTo("path_not_found");
    }

    /** The sign of the kelvin, the long s and the i of Turkish are letters of ASCII in another case. */
    @Test
    void letterCaseReachesBeyondAscii() throws IOException {
        write("a.txt", "20 \u212aELVIN\nM\u0130LL\nGRA\u017f\u017f\n");
        assertThat(files.text("grep", "pattern", "kelvin", "ignoreCase", true))
                .isEqualTo("a.txt:1: 20 \u212aELVIN\n");
        assertThat(files.text("grep", "pattern", "mill", "ignoreCase", true))
                .isEqualTo("a.txt:2: M\u0130LL\n");
        assertThat(files.text("grep", "pattern", "grass", "ignoreCase", true))
                .isEqualTo("a.txt:3: GRA\u017f\u017f\n");
    }

    @Test
    void firstMatchesAreKeptWhoeverFindsThem() throws IOException {
        for (int at = 0; at < 600; at++) {
            write("d" + at % 7 + "/f" + (1000 + at), "x\nhit\nhit\n");
        }
        String expected = files.text("grep", "pattern", "hit", "most", 5);
        assertThat(expected).startsWith("d0/f1000:2: hit\nd0/f1000:3: hit\nd0/f1007:2: hit\n")
                .endsWith("[and 1195 more lines; narrow the pattern or the path]\n");
        for (int round = 0; round < 5; round++) {
            assertThat(files.text("grep", "pattern", "hit", "most", 5)).isEqualTo(expected);
        }
    }

    @Test
    void numbersAreRightAcrossPieces() throws IOException {
        String filler = "some words that fill a line of the file without any meaning\n".repeat(20_000);
        write("big.txt",
                filler + "needle 1\n" + filler + "y".repeat(600_000) + " needle\n" + "needle 2\nz\n");
        String expected = "big.txt:20001: needle 1\nbig.txt:40003: needle 2\n";
        assertThat(files.text("grep", "pattern", "needle [0-9]")).isEqualTo(expected);
        assertThat(files.text("grep", "pattern", "needle ")).isEqualTo(expected);
        assertThat(files.text("grep", "pattern", "[n]e[e]dle [0-9]")).isEqualTo(expected);
        assertThat(files.text("grep", "pattern", "^yyy")).startsWith("big.txt:40002: yyy")
                .hasSize(15 + 300 + 2);
        assertThat(files.text("grep", "pattern", "^[y]yy")).startsWith("big.txt:40002: yyy");
    }

    @Test
    void hostilePatternEndsInASentence() throws IOException {
        write("a.txt", "a".repeat(5000) + "!\nfine aaab\n");
        assertThat(files.text("grep", "pattern", "(a+)+b")).isEqualTo("a.txt:2: fine aaab\n");
        assertThat(files.text("grep", "pattern", "(?<=^(a|aa)+)!")).startsWith("a.txt:1: aaa");
        assertThat(files.text("grep", "pattern", "((a{0,60}){0,60})b"))
                .contains("a.txt:2: fine aaab")
                .contains("too expensive");
        assertThat(files.text("grep", "pattern", "(|)".repeat(60) + "(?!)")).isEqualTo("no matches\n");
        assertThat(files.code("grep", "pattern", "(?<=^a{1,1000000000})b")).isEqualTo("bad_pattern");
        assertThat(files.code("grep", "pattern", "(")).isEqualTo("bad_pattern");
        assertThat(files.text("grep", "pattern", "(".repeat(100) + "f" + ")".repeat(100)))
                .startsWith("a.txt:2: fine");
        assertThat(files.code("grep", "pattern", "(".repeat(400) + "f" + ")".repeat(400)))
                .isEqualTo("bad_pattern");
    }

    @Test
    void searchThatTakesTooLongSaysSo() throws IOException {
        write("a.txt", "x\n");
        Calls hurried = new Calls(FileTools.reading(root, FileRules.DEFAULT.searchTime(Duration.ofNanos(1))));
        String stopped = "[stopped early: there is too much to look through; narrow path or pattern]\n";
        assertThat(hurried.text("grep", "pattern", "x")).isEqualTo("no matches\n" + stopped);
        assertThat(hurried.text("glob", "pattern", "*")).isEqualTo("no files\n" + stopped);
    }

    @Test
    void cancelledSearchEnds() throws Exception {
        write("a/b.txt", "x\n");
        Cancellation cancelled = () -> Optional.of("enough");
        var means = new TreeWalk.Means(Thread.ofVirtual().factory(), 1, System::nanoTime,
                Duration.ofMinutes(1),
                cancelled);
        var secrets = new SecretNames(FileRules.DEFAULT);
        List<String> seen = new ArrayList<>();
        TreeWalk walk = new TreeWalk(secrets::isSecret, means,
                (folder, name, path, attributes) -> seen.add(path));
        try (Folder folder = new Workspace(root, secrets).openRoot()) {
            assertThatThrownBy(() -> walk.run(folder, "")).isInstanceOf(InterruptedException.class)
                    .hasMessage("enough");
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void deepTreesAreCutOff() throws IOException {
        write("d/".repeat(80) + "deep.txt", "needle");
        write("top.txt", "needle");
        assertThat(files.text("grep", "pattern", "needle"))
                .isEqualTo("top.txt:1: needle\n[directories deeper than 64 were passed over]\n");
    }

    @Test
    void globKnowsItsSigns() throws IOException {
        for (String path : List.of("a.md", "src/b.md", "src/x/c.java", "src/x/d.kt", "src/[e].txt",
                "src/x.y/f")) {
            write(path, "");
        }
        assertThat(files.text("glob", "pattern", "*.md")).isEqualTo("a.md\nsrc/b.md\n");
        assertThat(files.text("glob", "pattern", "./*.md")).isEqualTo("a.md\n");
        assertThat(files.text("glob", "pattern", "src/**/*.{java,kt}"))
                .isEqualTo("src/x/c.java\nsrc/x/d.kt\n");
        assertThat(files.text("glob", "pattern", "src/?/?.java")).isEqualTo("src/x/c.java\n");
        assertThat(files.text("glob", "pattern", "[a-b].md")).isEqualTo("a.md\nsrc/b.md\n");
        assertThat(files.text("glob", "pattern", "[!a].md")).isEqualTo("src/b.md\n");
        assertThat(files.text("glob", "pattern", "src/\\[e\\].txt")).isEqualTo("src/[e].txt\n");
        assertThat(files.text("glob", "pattern", "*", "path", "src/x.y")).isEqualTo("src/x.y/f\n");
        assertThat(files.text("glob", "pattern", "*.rs")).isEqualTo("no files\n");
        assertThat(files.code("glob", "pattern", "[a")).isEqualTo("bad_pattern");
        assertThat(files.code("glob", "pattern", "{a,b}".repeat(10))).isEqualTo("bad_pattern");
    }

    @Test
    void hostileGlobIsCheap() {
        String name = "a".repeat(250);
        assertThat(NamePattern.of("*a".repeat(100) + "b").matches(name)).isFalse();
        assertThat(PathPattern.of("**/a/".repeat(100) + "b").matches("a/".repeat(300) + "c")).isFalse();
        assertThat(PathPattern.of("**/a/".repeat(100) + "**/b").matches("a/".repeat(300) + "b")).isTrue();
    }

    /** A name pattern means what the regular expression it could be written as means. */
    @Test
    void namePatternsAgreeWithRegularExpressions() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            String pattern = drawn(random, "ab*?", 6);
            String name = drawn(random, "abc", 8);
            String expression = pattern.replace("*", ".*").replace("?", ".");
            assertThat(NamePattern.of(pattern).matches(name)).as("seed %s: %s on %s", seed, pattern, name)
                    .isEqualTo(Pattern.matches(expression, name));
        }
    }

    @Test
    void lineBreakThatMatchesIsNoLine() throws IOException {
        write("r.txt", "b\nb c");
        assertThat(files.text("grep", "pattern", "\\s")).isEqualTo("r.txt:2: b c\n");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = " -> ", quoteCharacter = '`', textBlock = """
            class Foo -> class Foo
            import java\\.util\\.(List|Map); -> import java.util.
            (get|set)[A-Z(|]Locale\\( -> Locale(
            ^\\s*@Override$ -> @Override
            colou?r -> colo
            ab{2}cde|x -> ``
            ab{2}cde -> cde
            (?<!x)needle+s -> needle
            \\x41bcd -> ``
            \\w+|abc -> ``
            [a|b](c|d)e -> ``
            ü😀*ab -> ab
            """)
    void theTextThatEveryMatchContains(String expression, String text) {
        assertThat(RequiredText.in(expression).orElse("")).isEqualTo(text);
    }

    /** What grep finds is what matching line after line finds, however the pattern is written. */
    @Test
    void grepAgreesWithMatchingEveryLine() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String[] pieces = {"ab", "a", "b", "c", "\\.", ".", "[ab]", "(ab|c)", "a?", "b*", "(?:bc)+", "\\w",
            "c{2}", "^",
            "$", "\\bab", "ü", "[^a]", "\\s", "[a-c]{2}", "[b.]+", "\\w{1,2}", "(c)", "[^ü]b", "[\\w.]",
            "a{0}", "ü+", "b??", "b+?", "(?!c)", "kis", "AB"};
        for (int round = 0; round < 400; round++) {
            StringBuilder text = new StringBuilder();
            for (int line = random.nextInt(12); line >= 0; line--) {
                text.append(drawn(random, random.nextBoolean() ? "abc.ü " : "abABkKis\u212aſİı", 12));
                if (line > 0 || random.nextBoolean()) {
                    text.append(random.nextInt(4) == 0 ? "\r" : "").append('\n');
                }
            }
            write("r.txt", text.toString());
            StringBuilder pattern = new StringBuilder();
            for (int piece = random.nextInt(4); piece >= 0; piece--) {
                pattern.append(pieces[random.nextInt(pieces.length)]);
            }
            if (random.nextInt(5) == 0) {
                pattern.append("|ab");
            }
            boolean ignoreCase = random.nextBoolean();
            Pattern oracle = Pattern.compile(pattern.toString(),
                    ignoreCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
            StringBuilder expected = new StringBuilder();
            String[] lines = text.toString().split("\r?\n", -1);
            for (int at = 0; at < lines.length; at++) {
                boolean after = at == lines.length - 1 && lines[at].isEmpty(); // what follows the last break is no line
                if (!after && oracle.matcher(lines[at]).find()) {
                    expected.append("r.txt:").append(at + 1).append(": ").append(lines[at]).append('\n');
                }
            }
            assertThat(files.text("grep", "pattern", pattern, "ignoreCase", ignoreCase))
                    .as("seed %s, pattern %s, text %s", seed, pattern, text)
                    .isEqualTo(expected.isEmpty() ? "no matches\n" : expected.toString());
        }
    }

    private static String drawn(Random random, String letters, int most) {
        StringBuilder out = new StringBuilder();
        for (int left = random.nextInt(most); left >= 0; left--) {
            out.append(letters.charAt(random.nextInt(letters.length())));
        }
        return out.toString();
    }
}
