package dev.belay.schema.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact arithmetic, against {@link BigDecimal} where that is cheap. */
class NumbersTest {

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0.0", "0e-5", "2.0", "1.50e1", "100e-2", " 3 ", "1e9999", "-12.500E+3"})
    void numbersWithoutFractionAreWhole(String number) {
        assertThat(Numbers.isWhole(Json.of(number))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5", "1.05e1", "100e-3", "1e-9999", "10.01"})
    void numbersWithAFractionAreNot(String number) {
        assertThat(Numbers.isWhole(Json.of(number))).isFalse();
    }

    @Test
    void divisionAgreesWithTheRemainder() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            BigDecimal divisor = BigDecimal.valueOf(1 + random.nextInt(300), random.nextInt(9) - 4);
            BigDecimal value = random.nextBoolean()
                    ? divisor.multiply(BigDecimal.valueOf(random.nextInt(2_000) - 1_000))
                    : BigDecimal.valueOf(random.nextInt(2_000) - 1_000, random.nextInt(9) - 4);
            assertThat(Numbers.Divisor.of(divisor).divides(value)).as("%s by %s", value, divisor)
                    .isEqualTo(value.remainder(divisor).signum() == 0);
        }
    }
}
