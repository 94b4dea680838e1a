package dev.belay.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveMarkdownTest {

    private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[[0-9;]+m");

    static final List<String> TEXTS = List.of(
            """
                    # Title

                    A paragraph with **bold** and *stressed* words, `code`, and a [link](https://a.example/x).

                    - one
                    - two with **bold
                      words**
                      1. inner
                      2. more

                    > quoted text
                    > of two lines

                    ```java
                    int a = 1; // <b>

                        return;
                    ```

                    | a | b |
                    |---|--:|
                    | one | 2 |
                    | three | 44 |

                    The end.
                    """,
            "Two ropes | one harness\nare needed.\n\nA *star alone and `half a code\n\nsnake_case_name stays, 2 * 3 too.",
            "1. first\n\n   still first\n2. second\n\n***\n\n<div>raw</div>\n\ntext ![a rope](rope.png) and <b>tags</b>",
            "\u4e2d\u6587\u5b57\u7b26\u5728\u7a84\u7a84\u7684\u5c4f\u5e55\u4e0a\u4e5f\u5bf9\u9f50 and \ud83d\ude00 smiles, e\u0301 too",
            "no end of line and then ~~~\n~~~\ncode", "Title\n=====\n\ntext\n\n---\n");

    /** What would control a terminal, hide text or end a line, as itself and as an entity of Markdown. */
    static final List<String> ATTACKS = List.of("\u001b]0;owned\u0007", "\u001b[2J\u001b[H", "\u009b2J",
            "\u202eevil",
            "\u2066x\u2069", "\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\", "a\rb",
            "&#27;[2J",
            "&#x1b;]0;x&#7;", "&#x9b;2J", "&#x202e;evil", "&#13;gone", "\u2028next", "\u0000\u0008\u007f",
            "&NewLine;x", "\ud83d", "\u001b\\");

    private static String whole(Theme theme, int width, String text) {
        var live = new LiveMarkdown(theme, () -> width);
        return live.add(text) + live.end();
    }

    private static String inPieces(Theme theme, int width, String text, Random random) {
        var live = new LiveMarkdown(theme, () -> width);
        var out = new StringBuilder();
        for (int at = 0; at < text.length();) {
            int end = Math.min(text.length(), at + 1 + random.nextInt(7));
            out.append(live.add(text.substring(at, end)));
            at = end;
        }
        return out.append(live.end()).toString();
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void piecesGiveTheSameTextAsTheWhole(String text) {
        for (int seed = 0; seed < 20; seed++) {
            for (int width : List.of(20, 60, 100)) {
                assertThat(plain(inPieces(Theme.DARK, width, text, new Random(seed))))
                        .as("seed %s, width %s", seed, width)
                        .isEqualTo(plain(whole(Theme.DARK, width, text)));
            }
        }
    }

    private static String plain(String shown) {
        return SEQUENCE.matcher(shown).replaceAll("");
    }

    @Test
    void headingsListsCodeTablesAndLinksAreLaidOut() {
        assertThat(plain(whole(Theme.DARK, 60, TEXTS.getFirst()))).isEqualTo("""
                Title

                A paragraph with bold and stressed words, code, and a link
                (https://a.example/x).

                - one
                - two with bold
                  words
                  1. inner
                  2. more

                | quoted text
                | of two lines

                java
                  int a = 1; // <b>

                      return;

                a      b
                -----  --
                one    2
                three  44

                The end.
                """);
    }

    @Test
    void stylesAreThoseOfTheThemeAndEndThemselves() {
        assertThat(whole(Theme.DARK, 60, "# T\n\n**b** `c`")).isEqualTo(
                "\u001b[1;96mT\u001b[0m\n\n\u001b[1mb\u001b[0m \u001b[93mc\u001b[0m\n");
        assertThat(whole(Theme.LIGHT, 60, "**b** `c`"))
                .isEqualTo("\u001b[1mb\u001b[0m \u001b[35mc\u001b[0m\n");
        assertThat(whole(Theme.NONE, 60, "# T\n\n**b** `c`")).isEqualTo("# T\n\nb `c`\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 33, 60, 100})
    void noLineIsWiderThanTheTerminal(int width) {
        for (String text : TEXTS) {
            assertThat(plain(whole(Theme.DARK, width, text)).lines()).as(text)
                    .allMatch(line -> Styled.columns(line) <= width);
        }
    }

    @Test
    void wordsAreShownAsTheyComeAndMarksWaitForTheirEnd() {
        var live = new LiveMarkdown(Theme.NONE, () -> 60);
        assertThat(live.add("Two ro")).isEqualTo("Two");
        assertThat(live.add("pes **are ")).isEqualTo(" ropes");
        assertThat(live.add("here** now ")).isEqualTo(" are here now");
        assertThat(live.add("\n\n| a | b |\n")).doesNotContain("a");
        assertThat(live.add("|---|---|\n| 1 | 2 |\n")).doesNotContain("1");
        assertThat(live.end()).isEqualTo("a  b\n-  -\n1  2\n");
    }

    @ParameterizedTest
    @FieldSource("ATTACKS")
    void noTextOfAModelControlsATerminal(String attack) {
        for (String place : List.of("%s", "# %s", "**%s**", "`%s`", "- %s\n  - %s", "> %s", "```%s\n%s\n```",
                "    %s",
                "| %s | b |\n|---|---|\n| %s | 2 |", "[%s](%s)", "![%s](%s)", "<b %s>", "<div>\n%s\n</div>",
                "\\%s",
                "[a]: <%s> '%s'\n\n[a]", "<http://%s>")) {
            String text = place.replace("%s", attack);
            for (Theme theme : Theme.values()) {
                for (String shown : List.of(whole(theme, 60, text),
                        inPieces(theme, 60, text, new Random(1)))) {
                    assertThat(theme == Theme.NONE ? shown : SEQUENCE.matcher(shown).replaceAll("")).as(place)
                            .doesNotContainPattern(
                                    "[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u202e\\u2066\\u2069&&[^\n]]");
                }
            }
        }
    }

    @Test
    void whatAModelDecidesAboutItsDepthHarmsNothing() {
        for (String text : List.of("> ".repeat(5_000) + "x", "- ".repeat(5_000) + "x",
                "*a ".repeat(5_000) + "*".repeat(5_000),
                "[".repeat(10_000), "![".repeat(5_000) + "](a)".repeat(5_000), "`".repeat(9_999),
                "_a_".repeat(5_000),
                "|".repeat(3_000) + "\n" + "|-".repeat(3_000), "\n".repeat(20_000), "<".repeat(9_999))) {
            assertThat(whole(Theme.DARK, 60, text)).isNotNull();
            assertThat(inPieces(Theme.NONE, 20, text, new Random(2))).isNotNull();
        }
    }

    @Test
    void aLineOfAMegabyteIsShownInBoundedTimeAndLosesNothing() {
        String text = "word ".repeat(200_000);
        var live = new LiveMarkdown(Theme.DARK, () -> 60);
        var out = new StringBuilder();
        for (int at = 0; at < text.length(); at += 500) {
            out.append(live.add(text.substring(at, Math.min(text.length(), at + 500))));
        }
        out.append(live.end());
        assertThat(out.toString().split("\\s+")).hasSize(200_000);
        String one = "x".repeat(1 << 20);
        assertThat(whole(Theme.DARK, 60, one).chars().filter(c -> c == 'x')).hasSize(1 << 20);
    }

    /** Two hundred tokens a second for ten seconds, painted every 30 ms, may take a tenth of one core. */
    @Test
    void aFastStreamTakesLessThanATenthOfACore() {
        String text = TEXTS.getFirst().repeat(20);
        var live = new LiveMarkdown(Theme.DARK, () -> 80);
        Duration before = cpu();
        var out = new StringBuilder();
        for (int at = 0; at < Math.min(8_000, text.length()); at += 24) {
            out.append(live.add(text.substring(at, Math.min(text.length(), at + 24))));
        }
        Duration taken = cpu().minus(before);
        assertThat(out).hasSizeGreaterThan(7_000);
        assertThat(taken).isLessThan(Duration.ofSeconds(1));
    }

    /** What this process has used. */
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    @Test
    void aLongProgramStaysCode() {
        var live = new LiveMarkdown(Theme.DARK, () -> 60);
        List<String> lines = new ArrayList<>();
        var out = new StringBuilder(live.add("```java\n"));
        for (int i = 0; i < 2_000; i++) {
            out.append(live.add("# line " + i + "\n"));
        }
        out.append(live.add("```\n\n# Title\n")).append(live.end());
        plain(out.toString()).lines().filter(line -> line.startsWith("  # line ")).forEach(lines::add);
        assertThat(lines).hasSize(2_000);
        assertThat(plain(out.toString())).endsWith("\nTitle\n");
    }
}
