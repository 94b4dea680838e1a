package dev.belay.model.form;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What texts weigh. */
@Timeout(120)
class TextTokensTest {

    @Test
    void everyCharacterIsPassedOverControlCharactersAndHalvesToo() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            TextTokens alone = TextTokens.of("a" + (char) c + "b");
            assertThat(alone.alphabetic() + alone.wide()).as("character %d", c).isPositive();
        }
        assertThat(TextTokens.of("\0\1\2\177").alphabetic()).isGreaterThan(3 * 800);
    }
}
