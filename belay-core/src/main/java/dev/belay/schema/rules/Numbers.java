package dev.belay.schema.rules;

import dev.belay.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Exact arithmetic on numbers of any exponent, without writing out their zeros. */
public final class Numbers {

    private Numbers() {}

    /** Whether a number has no fraction; 2.0 has none. Takes one look at each character. */
    public static boolean isWhole(Json number) {
        String text = number.text();
        int fraction = 0;
        int zerosAtEnd = 0;
        int exponent = 0;
        boolean behindPoint = false;
        boolean zero = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 'e' || c == 'E') {
                exponent = Integer.parseInt(text.substring(i + 1).strip());
                break;
            }
            if (c == '.') {
                behindPoint = true;
            } else if (c >= '0' && c <= '9') {
                zero &= c == '0';
                zerosAtEnd = c == '0' ? zerosAtEnd + 1 : 0;
                fraction += behindPoint ? 1 : 0;
            }
        }
        return zero || fraction - zerosAtEnd <= exponent;
    }

    /**
     * What values are divided by: {@code rest·2^twos·5^fives·10^-scale}, where neither 2 nor 5 divides the rest. A power of ten
     * in the value changes the twos and fives alone, so that no power is ever computed.
     */
    record Divisor(BigInteger rest, int twos, int fives, int scale) {

        private static final BigInteger FIVE = BigInteger.valueOf(5);

        static Divisor of(BigDecimal positive) {
            BigInteger digits = positive.unscaledValue();
            int twos = digits.getLowestSetBit();
            BigInteger rest = digits.shiftRight(twos);
            int fives = 0;
            for (BigInteger[] by = rest.divideAndRemainder(FIVE); by[1].signum() == 0; by = rest
                    .divideAndRemainder(FIVE)) {
                rest = by[0];
                fives++;
            }
            return new Divisor(rest, twos, fives, positive.scale());
        }

        /** Whether a value is this times a whole number. */
        boolean divides(BigDecimal value) {
            BigInteger digits = value.unscaledValue();
            if (digits.signum() == 0) {
                return true;
            }
            long tens = (long) scale - value.scale();
            long fivesNeeded = fives - tens;
            if (digits.getLowestSetBit() + tens < twos || 2 * fivesNeeded > digits.bitLength()) {
                return false; // a power of five has more than two bits for each of them
            }
            return digits.mod(rest).signum() == 0
                    && (fivesNeeded <= 0 || digits.mod(FIVE.pow((int) fivesNeeded)).signum() == 0);
        }
    }
}
