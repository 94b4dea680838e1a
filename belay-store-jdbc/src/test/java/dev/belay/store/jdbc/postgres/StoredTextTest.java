package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every text comes back, can be kept, and keeps its place among others. */
class StoredTextTest {

    private static final char[] LETTERS = {0, 1, 2, 'a', '\ud7fe', '\ud7ff', '\ud800', '\udbff', '\udc00',
        '\udfff', '\ue000', '\uffff'};

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return text.toString();
    }

    private static int byCodePoints(String one, String other) {
        return Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());
    }

    @Test
    void textsComeBackInTheOrderOfTheirCodePoints() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String one = text(random);
            String other = text(random);
            byte[] first = StoredText.encode(one).getBytes(StandardCharsets.UTF_8);
            byte[] second = StoredText.encode(other).getBytes(StandardCharsets.UTF_8);

            assertThat(StoredText.decode(new String(first, StandardCharsets.UTF_8))).as("seed %s", seed)
                    .isEqualTo(one);
            assertThat(first).doesNotContain(0);
            assertThat(Integer.signum(Arrays.compareUnsigned(first, second))).as("seed %s", seed)
                    .isEqualTo(Integer.signum(byCodePoints(one, other)));
        }
    }

    @Test
    void ordinaryTextsAreKeptAsTheyAre() {
        for (String text : new String[]{"", "größer", "😀 \ue000", "a\tb\n"}) {
            assertThat(StoredText.encode(text)).isSameAs(text);
            assertThat(StoredText.decode(text)).isSameAs(text);
        }
    }
}
