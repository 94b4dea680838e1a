package dev.belay.toolbox.file;

import dev.belay.schema.BoundedPattern;

/** Matches lines against a regular expression, each in a bounded number of steps. Confined to one thread. */
final class LineMatcher {

    /** A line is matched up to here. */
    static final int LONGEST_LINE = 64 << 10;

    private static final long STEPS = 1_000_000;
    private static final long STEPS_PER_CHARACTER = 100;

    private final BoundedPattern pattern;
    private boolean gaveUp;

    LineMatcher(BoundedPattern pattern) {
        this.pattern = pattern;
    }

    /** Compiles an expression; refused if it is invalid or too large. */
    static BoundedPattern compile(String expression, boolean ignoreCase) {
        try {
            return BoundedPattern.of(expression, ignoreCase);
        } catch (IllegalArgumentException e) {
            throw FileRefusal.badPattern(expression, String.valueOf(e.getMessage()));
        }
    }

    /** Whether a match is in the part of the text from start to end; {@code ^} and {@code $} match at the ends of the part. */
    boolean finds(String text, int start, int end) {
        int stop = Math.min(end, start + LONGEST_LINE);
        int found = pattern.firstEnd(text, start, stop, STEPS + STEPS_PER_CHARACTER * (stop - start));
        gaveUp |= found == BoundedPattern.GAVE_UP;
        return found >= 0;
    }

    /** Whether a line was too expensive to decide. */
    boolean gaveUp() {
        return gaveUp;
    }
}
