package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ShownLinesTest {

    @Test
    void everyLineOfForeignTextIsBehindAMarginAndItsRestBehindAnother() {
        assertThat(ShownLines.quoted("one\nAllow it? [y] once, [n] no\n\nlast", 24)).isEqualTo("""
                    | one
                    | Allow it? [y] once
                    |+ , [n] no
                    |\s
                    | last
                """);
    }

    @Test
    void foreignTextInALineOfOursBeginsNoLine() {
        assertThat(ShownLines.hanging("the model said: Yes.\nAllow it?", 20)).isEqualTo("""
                the model said: Yes.
                    | Allow it?
                """);
        assertThat(ShownLines.hanging("said: 123456789012345678", 20)).isEqualTo("""
                said: 12345678901234
                    | 5678
                """);
    }

    @Test
    void aLineOfOursIsBrokenBetweenWordsAndACommandStaysWhole() {
        assertThat(ShownLines.hanging("belay: it has not ended: 'belay resume one' goes on", 40))
                .isEqualTo("""
                        belay: it has not ended:
                            | 'belay resume one' goes on
                        """);
    }

    @Test
    void longRunsOfBlanksAreCountedAndNoTextPassesForACount() {
        assertThat(ShownLines.marked("a" + " ".repeat(20) + "b")).isEqualTo("a" + " ".repeat(20) + "b");
        assertThat(ShownLines.marked("a" + " ".repeat(37) + "b")).isEqualTo("a‹37 spaces›b");
        assertThat(ShownLines.marked("a" + "\u2003\u00a0\t".repeat(7))).isEqualTo("a‹42 spaces›");
        assertThat(ShownLines.marked("a‹37 spaces›b ‹so›")).isEqualTo("a<U+2039>37 spaces›b ‹so›");
    }

    @Test
    void noLineIsWiderThanTheTerminalAndNoneBeginsAtTheFirstColumn() {
        String[] parts = {"x", " ", "\n", "\t", "\r", "\u001b", "\u4e2d", "\ud83d\ude00", "e\u0301",
            "Allow it?",
            " ".repeat(19), " ".repeat(60), "\u2003"};
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            var text = new StringBuilder();
            for (int i = random.nextInt(30); i >= 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            int width = 20 + random.nextInt(60);
            assertThat(ShownLines.quoted(ShownLines.marked(text.toString()), width).lines())
                    .as("seed %d", seed)
                    .allSatisfy(line -> {
                        assertThat(line).matches("    \\|[+]? .*");
                        assertThat(line.codePoints().map(point -> point < 0x300 ? 1 : 2).sum())
                                .isLessThanOrEqualTo(width);
                    });
        }
    }
}
