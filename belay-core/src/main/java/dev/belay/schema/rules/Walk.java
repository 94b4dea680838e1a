package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.schema.Violation;
import dev.belay.schema.Violations;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One validation under way: its budget, where it is, what it found. Confined to one validation.
 *
 * <p>A walk is either a <em>test</em>, which stops at the first violation and describes nothing, or a <em>report</em>, which
 * goes on to the end. Valid values are only tested; an invalid one is then reported. Inside a report, a sub-schema whose
 * violations are of no interest ({@code not}, {@code if}, {@code contains}) is tested.
 */
public final class Walk {

    /** Steps for the smallest value; generous, since a real schema takes a few per value. */
    static final long BASE_STEPS = 100_000;
    /** Steps for each character of the value's text. */
    static final long STEPS_PER_CHARACTER = 20;
    /** Schemas entered inside one another: four for each level of the deepest value, in about 600 KiB of stack. */
    static final int MOST_DEPTH = 2_048;

    private final boolean reporting;
    private final Finding.Pile root = new Finding.Pile();
    private Finding.Pile pile = root;
    private boolean hushed;
    private Place place = Place.ROOT;
    private long steps;
    private int depth;

    private Walk(boolean reporting, long steps) {
        this.reporting = reporting;
        this.steps = steps;
    }

    /** Checks a value against a schema. */
    public static Violations of(SchemaNode schema, Json value) {
        long steps = BASE_STEPS + STEPS_PER_CHARACTER * value.text().length();
        if (new Walk(false, steps).accepts(schema, value)) {
            return Violations.NONE;
        }
        Walk report = new Walk(true, steps);
        report.accepts(schema, value);
        return report.root.toViolations();
    }

    private boolean accepts(SchemaNode schema, Json value) {
        try {
            return schema.check(value, this, null) && root.total() == 0;
        } catch (BudgetSpent | StackOverflowError spent) {
            // A walk is used up here and shares nothing, so that an overflowing stack leaves nothing half done behind.
            root.add(new Finding(Place.ROOT, "budget", pointer -> new Violation(pointer, "budget",
                    "a value that can be checked against this schema with a bounded effort",
                    Excerpt.of(value),
                    "send a smaller or simpler value")));
            return false;
        }
    }

    /** Whether violations are wanted here; if not, the first one settles the matter. */
    boolean reports() {
        return reporting && !hushed;
    }

    /** Pays for work. */
    public void charge(long work) {
        steps -= work;
        if (steps < 0) {
            throw new BudgetSpent();
        }
    }

    void enterSchema() {
        charge(1);
        if (++depth > MOST_DEPTH) {
            throw new BudgetSpent();
        }
    }

    void leaveSchema() {
        depth--;
    }

    /** Moves to a field; give what it returns to {@link #leave}. */
    Place enter(String field) {
        Place before = place;
        if (reporting) {
            place = before.field(field);
        }
        return before;
    }

    /** Moves to an item; give what it returns to {@link #leave}. */
    Place enter(int index) {
        Place before = place;
        if (reporting) {
            place = before.item(index);
        }
        return before;
    }

    void leave(Place before) {
        place = before;
    }

    Place place() {
        return place;
    }

    /** Tests a sub-schema whose violations are of no interest. */
    boolean test(SchemaNode schema, Json value, @Nullable Seen seen) {
        boolean before = hushed;
        hushed = true;
        boolean accepted = schema.check(value, this, seen);
        hushed = before;
        return accepted;
    }

    /** Redirects violations to another pile; returns the one that was in use. */
    Finding.Pile redirect(Finding.Pile next) {
        Finding.Pile before = pile;
        pile = next;
        return before;
    }

    /** Adds the findings of a branch. */
    void report(Finding.Pile branch) {
        pile.addAll(branch);
    }

    /** Notes that the value is not what the keyword expects; always false. */
    public boolean fail(String keyword, Json value, Supplier<String> expected) {
        return fail(keyword,
                pointer -> new Violation(pointer, keyword, expected.get(), Excerpt.of(value), null));
    }

    /** Notes a violation; always false. */
    public boolean fail(String keyword, Function<String, Violation> words) {
        if (reports()) {
            pile.add(new Finding(place, keyword, words));
        }
        return false;
    }

    /**
     * Notes that a keyword cannot be decided within its budget. The whole value is then refused, wherever the keyword stands:
     * below {@code not} a failure would otherwise become a pass.
     */
    public void undecided(String keyword, Function<String, Violation> words) {
        String pointer = place.pointer();
        for (Finding known : root.first()) {
            if (known.keyword().equals(keyword) && known.place().pointer().equals(pointer)) {
                return;
            }
        }
        root.add(new Finding(place, keyword, words));
    }

    /** Ends a walk from within; never leaves this class. */
    private static final class BudgetSpent extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BudgetSpent() {
            super("budget spent", null, false, false);
        }
    }
}
