package dev.belay.schema.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bound of a search, counted. */
class SearchTest {

    private static final int PATTERNS = Boolean.getBoolean("belay.long") ? 200_000 : 10_000;

    /** A character asks each waiting instruction once and then visits each reached one once; looks take a pass each. */
    @Test
    void aSearchTakesStepsByTheSizeOfPatternAndText() {
        int compiled = 0;
        for (long seed = 0; seed < PATTERNS; seed++) {
            RandomPatterns random = new RandomPatterns(seed);
            String expression = random.pattern();
            String text = random.text().repeat(20);
            CompiledPattern pattern;
            try {
                pattern = CompiledPattern.of(expression, false);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).as(expression).isNotBlank();
                continue;
            }
            compiled++;
            var search = new Search(text, 0, text.length(), Long.MAX_VALUE);
            int end = search.run(pattern);
            long mostPerCharacter = 8L * pattern.size(); // a set of the generator has up to three properties
            assertThat(search.steps()).as("seed %d, pattern %s", seed, expression)
                    .isLessThanOrEqualTo(mostPerCharacter * (text.length() + 1));
            if (search.steps() > 1) {
                var hurried = new Search(text, 0, text.length(), search.steps() - 1);
                assertThat(hurried.run(pattern)).as("seed %d, pattern %s", seed, expression)
                        .isIn(Search.GAVE_UP, end);
            }
        }
        assertThat(compiled).isGreaterThan(PATTERNS / 2);
    }

    @Test
    void theFirstEndOfAllMatchesIsFound() {
        assertThat(end("b+", "aabbb")).isEqualTo(3);
        assertThat(end("aabb|b", "aabbb")).isEqualTo(3);
        assertThat(end("", "abc")).isZero();
        assertThat(end("(?<=b)c|a$", "abc")).isEqualTo(3);
        assertThat(end("x", "abc")).isEqualTo(Search.NOWHERE);
    }

    @Test
    void aPartOfATextHasEndsOfItsOwn() {
        var pattern = CompiledPattern.of("^\\bb(?!.)$", false);
        assertThat(new Search("abc", 1, 2, 1_000).run(pattern)).isEqualTo(2);
        assertThat(new Search("abc", 0, 3, 1_000).run(pattern)).isEqualTo(Search.NOWHERE);
    }

    @Test
    void anOpenRepetitionHasALeastButNoMost() {
        assertThat(end("^x{2,}$", "x")).isEqualTo(Search.NOWHERE);
        assertThat(end("^x{2,}$", "xx")).isEqualTo(2);
        assertThat(end("^x{2,}$", "xxxxx")).isEqualTo(5);
        assertThat(end("^(?:ab){3,}$", "abab")).isEqualTo(Search.NOWHERE);
        assertThat(end("^(?:ab){3,}$", "abababab")).isEqualTo(8);
    }

    /** A character in each property, and two that are near it and not in it. */
    @ParameterizedTest
    @CsvSource({"Ll, a, A, 1", "Lu, A, a, ǅ", "Lt, ǅ, Ǆ, ǆ", "Lm, ʰ, a, 1", "Lo, א, a, A", "Nd, 5, Ⅴ, ²",
        "Nl, Ⅴ, 5, V", "No, ², 2, Ⅴ", "Sc, €, +, E", "Sm, +, €, -", "Zs, '\u3000', a, '\u2028'",
        "Pd, -, _, +",
        "Pc, _, -, a", "Emoji, 😀, a, é"})
    void aPropertyHoldsItsCharactersOnly(String property, String inside, String outside, String another) {
        String expression = "^\\p{" + property + "}$";
        assertThat(end(expression, inside)).isEqualTo(inside.length());
        assertThat(end(expression, outside)).isEqualTo(Search.NOWHERE);
        assertThat(end(expression, another)).isEqualTo(Search.NOWHERE);
    }

    private static int end(String expression, String text) {
        return new Search(text, 0, text.length(), 1_000).run(CompiledPattern.of(expression, false));
    }
}
