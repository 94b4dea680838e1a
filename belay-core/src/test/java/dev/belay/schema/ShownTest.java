package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownTest {

    private static final Pattern MARK = Pattern.compile("<U\\+([0-9A-F]{4,6})>");

    /** The characters that random texts are made of. */
    private static final int[] LETTERS = {'a', '<', 'U', '+', '2', '>', '\n', '\r', '\t', 0x1b, 0x85, 0x202e,
        0x200b, 0x2028, 0x3164, 0xfe0f, 0xe0041, 0x1f600, 0x1d173, 0xe9};

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x07, 0x08, 0x0d, 0x1b, 0x7f, // control
        0x80, 0x85, 0x9b, 0x9f, // C1
        0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, // bidi
        0x00ad, 0x200b, 0x200c, 0x200d, 0x2060, 0x2064, 0xfeff, // without width
        0x2028, 0x2029, // line and paragraph
        0x034f, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x2065, 0xfff0, 0xfff9, // ignored or annotations
        0x115f, 0x1160, 0x3164, 0xffa0, // Hangul fillers
        0xfe00, 0xfe0f, 0xe0100, 0xe01ef, // variation selectors
        0xe0000, 0xe0001, 0xe0020, 0xe0041, 0xe007f, 0xe0fff, // tags and the rest of their plane
        0x1bca0, 0x1bca3, // shorthand
        0x1d159, 0x1d173, 0x1d17a, // musical
        0x2800, 0xd800, 0xdfff}) // a blank pattern, halves
    void hiddenCharacterIsMarked(int c) {
        String text = "a" + Character.toString(c) + "b";
        String marked = "a<U+%04X>b".formatted(c);
        assertThat(Shown.text(text)).isEqualTo(marked);
        assertThat(Shown.inLine(text, 100)).isEqualTo(marked);
        assertThat(Shown.name(text)).isEqualTo(marked);
        assertThat(Shown.isHidden(c)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "ä é ß 漢字 한글 עברית العربية हिन्दी", "a\u00a0b", "😀🇩🇪", "<b>",
        "<U", "U+202E", "\\u202e"})
    void textThatCanBeSeenStays(String text) {
        assertThat(Shown.text(text)).isSameAs(text);
        assertThat(Shown.name(text)).isSameAs(text);
        assertThat(Shown.output(text)).isSameAs(text);
    }

    @Test
    void linesStayWhereThereMayBeSeveral() {
        assertThat(Shown.text("a\n\tb")).isEqualTo("a\n\tb");
        assertThat(Shown.output("a\r\n\tb\rc")).isEqualTo("a\r\n\tb<U+000D>c");
        assertThat(Shown.inLine("a\n\tb", 100)).isEqualTo("a<U+000A><U+0009>b");
        assertThat(Shown.name("a\n\tb")).isEqualTo("a<U+000A><U+0009>b");
    }

    @Test
    void outputKeepsWhatHonestTextNeeds() {
        String text = "❤\ufe0f 👩\u200d👩 می\u200cخواهم \ufeff";
        assertThat(Shown.output(text)).isSameAs(text);
        assertThat(Shown.output("\u001b[31mred\u202e\udb40\udc41\u2028"))
                .isEqualTo("<U+001B>[31mred<U+202E><U+E0041><U+2028>");
    }

    @Test
    void cutDoesNotSplitACharacter() {
        assertThat(Shown.inLine("ab😀", 3)).isEqualTo("ab…");
        assertThat(Shown.inLine("ab😀", 4)).isEqualTo("ab😀");
    }

    @Test
    void shownTwiceIsShownOnce() {
        String once = Shown.text("a\u202e <U+202E> \u200b");
        assertThat(Shown.text(once)).isEqualTo(once);
    }

    @Test
    void marksCanBeUndone() {
        long seed = 20_261_116;
        Random random = new Random(seed);
        for (int round = 0; round < Integer.getInteger("belay.fuzz", 2000); round++) {
            int[] text = random.ints(random.nextInt(12), 0, LETTERS.length).map(at -> LETTERS[at]).toArray();
            String before = new String(text, 0, text.length);
            assertThat(undone(Shown.name(before))).as("seed %d, round %d", seed, round).isEqualTo(before);
            assertThat(undone(Shown.output(before))).as("seed %d, round %d", seed, round).isEqualTo(before);
        }
    }

    private static String undone(String marked) {
        return MARK.matcher(marked)
                .replaceAll(found -> java.util.regex.Matcher
                        .quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
    }
}
