package dev.belay.toolbox.file;

import dev.belay.schema.BoundedPattern;
import dev.belay.schema.CountedText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Matches lines against a regular expression in bounded time: an expression with too many ways to match nothing is refused, and
 * an attempt that reads a line's characters too often ends. Confined to one thread.
 */
final class LineMatcher {

    /** A line is matched up to here. */
    static final int LONGEST_LINE = 64 << 10;

    static final int UNDECIDED = -2;

    private static final int READS = 100_000;
    private static final int READS_PER_CHARACTER = 16;

    private final CountedText text = new CountedText("", 0);
    private final Matcher matcher;
    private boolean gaveUp;

    LineMatcher(Pattern pattern) {
        matcher = pattern.matcher(text);
    }

    /** Compiles an expression; refused if it is invalid or cannot be bounded. */
    static Pattern compile(String expression, boolean ignoreCase) {
        try {
            BoundedPattern.of(expression);
            return Pattern.compile(expression,
                    ignoreCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        } catch (IllegalArgumentException e) {
            throw FileRefusal.badPattern(expression,
                    String.valueOf(e.getMessage()).lines().findFirst().orElse("it cannot be read"));
        } catch (StackOverflowError e) {
            throw FileRefusal.badPattern(expression, "it is nested too deeply");
        }
    }

    /** Whether a match is in the part of the text from start to end; {@code ^} and {@code $} match at the ends of the part. */
    boolean finds(String whole, int start, int end) {
        int stop = Math.min(end, start + LONGEST_LINE);
        text.over(whole, READS + READS_PER_CHARACTER * (stop - start));
        CountedText.Search search = text.find(matcher.reset().region(start, stop));
        gaveUp |= search == CountedText.Search.UNDECIDED;
        return search == CountedText.Search.FOUND;
    }

    /**
     * Where a match begins in the text from start on, across lines; -1 if nowhere. {@link #UNDECIDED} if it took too many reads.
     */
    int next(String whole, int start) {
        text.over(whole, READS + READS_PER_CHARACTER * (whole.length() - start));
        return switch (text.find(matcher.reset().region(start, whole.length()))) {
            case FOUND -> matcher.start();
            case NOT_FOUND -> -1;
            case UNDECIDED -> UNDECIDED;
        };
    }

    /** Whether a line was too expensive to decide. */
    boolean gaveUp() {
        return gaveUp;
    }
}
