package dev.belay.schema.rules;

import dev.belay.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Exact arithmetic on numbers of any exponent, without writing out their zeros. */
public final class Numbers {

    private Numbers() {}

    /** Whether a number has no fraction; 2.0 has none. */
    public static boolean isWhole(Json number) {
        String text = number.text();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                BigDecimal exact = number.asBigDecimal();
                return exact.scale() <= 0 || exact.stripTrailingZeros().scale() <= 0;
            }
        }
        return true;
    }

    /**
     * Whether the value is the divisor times a whole number. With {@code value = v·10^a} and {@code divisor = d·10^b} that is a
     * question about {@code v·10^(a-b)} and {@code d}, answered modulo {@code d} when the power is positive and by counting
     * digits when it is negative.
     */
    static boolean isMultiple(BigDecimal value, BigDecimal divisor) {
        BigInteger v = value.unscaledValue();
        BigInteger d = divisor.unscaledValue().abs();
        if (v.signum() == 0) {
            return true;
        }
        long power = (long) divisor.scale() - value.scale();
        if (power >= 0) {
            BigInteger ten = BigInteger.TEN.modPow(BigInteger.valueOf(power), d);
            return v.mod(d).multiply(ten).mod(d).signum() == 0;
        }
        if (-power >= value.precision()) {
            return false;
        }
        return v.mod(d.multiply(BigInteger.TEN.pow((int) -power))).signum() == 0;
    }
}
