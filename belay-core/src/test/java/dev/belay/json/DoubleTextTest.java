package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Doubles are read and written on a short way where that is exact; nobody can tell the ways apart. */
class DoubleTextTest {

    private static final int ROUNDS = 100_000;

    @Test
    void aLiteralOfAnyLengthIsReadAsTheNearestDouble() {
        long seed = 20_261_115;
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            String literal = literal(random);
            assertThat(Double.doubleToRawLongBits(Json.of(literal).asDouble()))
                    .as("seed %d, round %d: %s", seed, round, literal)
                    .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(literal)));
        }
    }

    @Test
    void everyDoubleIsWrittenInItsCanonicalForm() {
        long seed = 53;
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            double value = (random.nextInt(2_000_001) - 1_000_000) / Math.pow(10, random.nextInt(7));
            String plain = value == 0
                    ? "0"
                    : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
            assertThat(Json.number(value).text()).as("seed %d, round %d: %s", seed, round, value)
                    .isEqualTo(plain);
        }
    }

    @Test
    void negativeZeroStaysNegative() {
        assertThat(Json.number(-0.0).text()).isEqualTo("-0");
        assertThat(Json.number(-0.0f).text()).isEqualTo("-0");
        assertThat(Double.doubleToRawLongBits(Json.of("-0.00").asDouble()))
                .isEqualTo(Double.doubleToRawLongBits(-0.0));
    }

    /** From one to twenty digits, with or without sign, point and exponent. */
    private static String literal(Random random) {
        var out = new StringBuilder(random.nextBoolean() ? "-" : "");
        int whole = random.nextInt(11);
        out.append(whole == 0 ? 0 : 1 + random.nextInt(9));
        for (int i = 1; i < whole; i++) {
            out.append(random.nextInt(10));
        }
        if (random.nextInt(4) > 0) {
            out.append('.').append(random.nextInt(10));
            for (int i = random.nextInt(10); i > 0; i--) {
                out.append(random.nextInt(10));
            }
        }
        if (random.nextInt(8) == 0) {
            out.append(random.nextBoolean() ? "e" : "E-").append(random.nextInt(30));
        }
        return out.toString();
    }
}
