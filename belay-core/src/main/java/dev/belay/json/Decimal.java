package dev.belay.json;

import java.math.BigInteger;

/**
 * A number literal taken apart: significant digits and the power of ten of the first one. Nothing is rounded and nothing is
 * expanded, so its size is bounded by the literal's.
 *
 * @param negative whether it is below zero; never for zero
 * @param digits the digits without leading and trailing zeros; empty for zero
 * @param exponent the power of ten of the first digit; 0 for zero
 */
record Decimal(boolean negative, String digits, int exponent) {

    /** Longest literal, in the text and in canonical form. */
    static final int MAX_LENGTH = 1_000;
    /** Largest power of ten, as written and in canonical form. */
    static final int MAX_EXPONENT = 9_999;

    /** Literals up to this length without exponent are inside both bounds in every form. */
    private static final int SURELY_SHORT = 900;
    private static final int HUGE = 100_000_000;
    /** From this power of ten on, and below {@link #SMALLEST_PLAIN}, canonical numbers have an exponent. */
    private static final int LEAST_SCIENTIFIC = 21;
    private static final int SMALLEST_PLAIN = -7;
    private static final int LONG_DIGITS = 19;
    /** So many digits are always below 2^53, and a double holds them and their power of ten without rounding. */
    private static final int EXACT_DIGITS = 15;
    private static final double[] POWERS_OF_TEN = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14};

    /** Takes a well-formed literal apart. */
    static Decimal of(String text, int start, int end) {
        int at = start;
        boolean negative = text.charAt(at) == '-';
        if (negative) {
            at++;
        }
        var digits = new StringBuilder(end - at);
        int exponent = -1;
        boolean fraction = false;
        for (; at < end; at++) {
            char c = text.charAt(at);
            if (c == '.') {
                fraction = true;
            } else if (c == 'e' || c == 'E') {
                exponent += writtenExponent(text, at + 1, end);
                break;
            } else if (c != '0' || !digits.isEmpty()) {
                digits.append(c);
                exponent += fraction ? 0 : 1;
            } else if (fraction) {
                exponent--;
            }
        }
        int length = digits.length();
        while (length > 0 && digits.charAt(length - 1) == '0') {
            length--;
        }
        digits.setLength(length);
        return length == 0 ? new Decimal(false, "", 0) : new Decimal(negative, digits.toString(), exponent);
    }

    private static int writtenExponent(String text, int start, int end) {
        boolean negative = text.charAt(start) == '-';
        int exponent = 0;
        for (int at = negative || text.charAt(start) == '+' ? start + 1 : start; at < end; at++) {
            exponent = Math.min(HUGE, exponent * 10 + (text.charAt(at) - '0'));
        }
        return negative ? -exponent : exponent;
    }

    /** What is too large about a well-formed literal, or the empty text. The exponent starts at {@code mark}, or is absent (-1). */
    static String excess(String text, int start, int end, int mark) {
        if (mark < 0 && end - start <= SURELY_SHORT) {
            return "";
        }
        if (end - start > MAX_LENGTH) {
            return "a number may have at most 1000 characters, found " + (end - start);
        }
        Decimal value = of(text, start, end);
        boolean written = mark >= 0 && Math.abs(writtenExponent(text, mark + 1, end)) > MAX_EXPONENT;
        if (written || Math.abs(value.exponent) > MAX_EXPONENT) {
            return "the exponent of a number must be from -9999 to 9999, found "
                    + Found.cut(text.substring(start, end));
        }
        if (end - start > SURELY_SHORT && value.canonical().length() > MAX_LENGTH) {
            return "a number may have at most 1000 characters in canonical form, found "
                    + value.canonical().length();
        }
        return "";
    }

    /** The one form of this number: plain from 1e-7 up to 1e21, otherwise {@code d.ddde+N} or {@code d.ddde-N}. */
    String canonical() {
        if (digits.isEmpty()) {
            return "0";
        }
        var out = new StringBuilder(digits.length() + 10);
        if (negative) {
            out.append('-');
        }
        if (exponent < SMALLEST_PLAIN || exponent >= LEAST_SCIENTIFIC) {
            point(out, 1).append(exponent < 0 ? "e-" : "e+").append(Math.abs(exponent));
        } else if (exponent < 0) {
            out.append("0.").repeat('0', -exponent - 1).append(digits);
        } else {
            point(out, exponent + 1);
        }
        return out.toString();
    }

    private StringBuilder point(StringBuilder out, int whole) {
        if (digits.length() <= whole) {
            return out.append(digits).repeat('0', whole - digits.length());
        }
        return out.append(digits, 0, whole).append('.').append(digits, whole, digits.length());
    }

    /** Appends the canonical form of a well-formed literal. */
    static void appendCanonical(StringBuilder out, String text, int start, int end) {
        if (isShortInteger(text, start, end)) {
            out.append(text, start, end);
        } else {
            out.append(of(text, start, end).canonical());
        }
    }

    private static boolean isShortInteger(String text, int start, int end) {
        if (end - start >= LEAST_SCIENTIFIC || (text.charAt(start) == '-' && text.charAt(start + 1) == '0')) {
            return false;
        }
        for (int at = start; at < end; at++) {
            if (text.charAt(at) > '9' || text.charAt(at) == '.' || text.charAt(at) == '+') {
                return false;
            }
        }
        return true;
    }

    /** The double nearest to a well-formed literal; infinite if it is too large. */
    static double nearestDouble(String text, int start, int end) {
        boolean negative = text.charAt(start) == '-';
        int at = negative ? start + 1 : start;
        if (end - at <= EXACT_DIGITS) {
            long digits = 0;
            int point = end - 1;
            for (; at < end; at++) {
                char c = text.charAt(at);
                if (c == '.') {
                    point = at;
                } else if (c <= '9') {
                    digits = digits * 10 + (c - '0');
                } else {
                    return Double.parseDouble(text.substring(start, end));
                }
            }
            // both sides are whole doubles without rounding, so that one division rounds once, to the nearest
            double value = digits / POWERS_OF_TEN[end - 1 - point];
            return negative ? -value : value;
        }
        return Double.parseDouble(text.substring(start, end));
    }

    /** The value of a well-formed literal as a whole number between two bounds. */
    static long whole(String text, int start, int end, long min, long max) {
        if (end - start < LONG_DIGITS && isShortInteger(text, start, end)) {
            boolean negative = text.charAt(start) == '-';
            long value = 0;
            for (int at = negative ? start + 1 : start; at < end; at++) {
                value = value * 10 + (text.charAt(at) - '0');
            }
            value = negative ? -value : value;
            if (value >= min && value <= max) {
                return value;
            }
        } else {
            Decimal value = of(text, start, end);
            boolean isWhole = value.digits.length() <= value.exponent + 1 || value.digits.isEmpty();
            if (isWhole && value.exponent < LONG_DIGITS) {
                // at most 19 digits, which may still be over Long.MAX_VALUE
                var exact = new BigInteger(value.canonical());
                if (exact.bitLength() < Long.SIZE && exact.longValue() >= min && exact.longValue() <= max) {
                    return exact.longValue();
                }
            }
        }
        throw new JsonMismatchException("expected a whole number from " + min + " to " + max + ", found "
                + Found.cut(text.substring(start, end)));
    }
}
