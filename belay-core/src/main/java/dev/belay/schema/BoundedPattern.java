package dev.belay.schema;

import dev.belay.schema.rules.Excerpt;
import dev.belay.schema.rules.PatternCost;
import dev.belay.schema.rules.Place;
import dev.belay.schema.rules.Walk;
import java.util.regex.Pattern;

/** A regular expression that gives up instead of running away. Thread-safe. */
public final class BoundedPattern {

    /** Character reads allowed for one text; a sane pattern takes a few per character. */
    static final int MOST_READS = 100_000;

    private static final int READS_PER_STEP = 16;

    /** Work done without a read that one text may cost. */
    private static final double MOST_UNREAD_WORK = 10_000_000;

    private final Pattern pattern;
    private final double unreadWork;

    private BoundedPattern(Pattern pattern, double unreadWork) {
        this.pattern = pattern;
        this.unreadWork = unreadWork;
    }

    /** Compiles an expression; {@link IllegalArgumentException} if it is none, or one that cannot be bounded. */
    public static BoundedPattern of(String expression) {
        return new BoundedPattern(Pattern.compile(expression), PatternCost.check(expression));
    }

    /** Whether a match is anywhere in the text; one that takes too many reads to find counts as none. */
    public boolean finds(String text) {
        if (unreadWork * text.length() > MOST_UNREAD_WORK) {
            return false;
        }
        var counted = new CountedText(text, MOST_READS);
        return counted.find(pattern.matcher(counted)) == CountedText.Search.FOUND;
    }

    /** Compiles an expression found at a place of the schema. */
    public static BoundedPattern compile(String expression, Place place) {
        try {
            double unreadWork = PatternCost.check(expression);
            return new BoundedPattern(Pattern.compile(expression), unreadWork);
        } catch (IllegalArgumentException invalid) {
            String reason = String.valueOf(invalid.getMessage()).lines().findFirst().orElse("");
            throw new SchemaException(place.pointer(),
                    "expected a regular expression that java.util.regex reads, found "
                            + Excerpt.quoted(expression) + " (" + reason + ")");
        } catch (StackOverflowError tooDeep) {
            throw new SchemaException(place.pointer(),
                    "the regular expression " + Excerpt.quoted(expression) + " is nested too deeply");
        }
    }

    /** Looks for a match anywhere in the text; undecided counts as found and is noted by the walk. */
    public boolean find(String text, Walk walk) {
        if (unreadWork * text.length() > MOST_UNREAD_WORK) {
            return undecided(text, walk);
        }
        var counted = new CountedText(text, MOST_READS);
        boolean found = switch (counted.find(pattern.matcher(counted))) {
            case FOUND -> true;
            case NOT_FOUND -> false;
            case UNDECIDED -> undecided(text, walk);
        };
        walk.charge(1 + counted.reads() / READS_PER_STEP);
        return found;
    }

    private boolean undecided(String text, Walk walk) {
        walk.undecided("pattern", pointer -> new Violation(pointer, "pattern",
                "a string matching " + Excerpt.cut(pattern.pattern()), Excerpt.quoted(text),
                "the pattern is too expensive for this value (over 100,000 character reads); a shorter one may do"));
        return true;
    }
}
