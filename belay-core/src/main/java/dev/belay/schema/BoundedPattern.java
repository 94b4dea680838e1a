package dev.belay.schema;

import dev.belay.json.CheckBudget;
import dev.belay.schema.pattern.CompiledPattern;
import dev.belay.schema.pattern.Search;
import dev.belay.schema.rules.Excerpt;
import dev.belay.schema.rules.Place;
import dev.belay.schema.rules.Walk;

/**
 * A regular expression of ECMA-262 that is matched in time linear in the text. Thread-safe: immutable.
 *
 * <p>It has at most 10,000 instructions when its repetitions are written out, and a search visits each at most once per
 * character. Look-ahead and look-behind are supported, back-references are not.
 */
public final class BoundedPattern {

    /** The answer of {@link #firstEnd} if there is no match. */
    public static final int NOWHERE = Search.NOWHERE;
    /** The answer of {@link #firstEnd} if it took more steps than allowed. */
    public static final int GAVE_UP = Search.GAVE_UP;

    private static final int LONGEST_REASON = 300;

    private final CompiledPattern pattern;

    private BoundedPattern(CompiledPattern pattern) {
        this.pattern = pattern;
    }

    /** Compiles an expression; {@link IllegalArgumentException} with the reason if it is none, or too large. */
    public static BoundedPattern of(String expression) {
        return of(expression, false);
    }

    /** The same with a choice whether upper and lower case count as one. */
    public static BoundedPattern of(String expression, boolean ignoreCase) {
        try {
            return new BoundedPattern(CompiledPattern.of(expression, ignoreCase));
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    Wording.shown(String.valueOf(invalid.getMessage()), LONGEST_REASON), invalid);
        }
    }

    /** Compiles an expression found at a place of a schema. */
    public static BoundedPattern compile(String expression, Place place) {
        try {
            return of(expression);
        } catch (IllegalArgumentException invalid) {
            throw new SchemaException(place.pointer(), "expected a regular expression of ECMA-262, found "
                    + Excerpt.quoted(expression) + " (" + invalid.getMessage() + ")");
        }
    }

    /** How many instructions it has when its repetitions are written out. */
    public int size() {
        return pattern.size();
    }

    /**
     * Where the match ends that ends first.
     *
     * @param text the text
     * @param start where the searched part starts; <code>^</code> matches there
     * @param end where it ends; <code>$</code> matches there
     * @param steps visits of instructions that are allowed
     */
    public int firstEnd(String text, int start, int end, long steps) {
        return new Search(text, start, end, steps).run(pattern);
    }

    /** Looks for a match anywhere in the text; throws what the budget throws if that takes too many steps. */
    public boolean find(String text, CheckBudget budget) {
        Search search = new Search(text, 0, text.length(), budget.left());
        int found = search.run(pattern);
        budget.charge(search.steps());
        return found >= 0;
    }

    /** Looks for a match anywhere in the text, at the expense of a walk. */
    public boolean find(String text, Walk walk) {
        Search search = new Search(text, 0, text.length(), walk.left());
        int found = search.run(pattern);
        walk.charge(search.steps());
        return found >= 0;
    }
}
