package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.NearestNames;
import dev.belay.schema.Violation;
import dev.belay.schema.Violations;
import java.util.Collection;
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
    static final long BASE_STEPS = 10_000_000;
    /** Steps for each character of the value's text. */
    static final long STEPS_PER_CHARACTER = 100;
    /** Characters of a text that are copied, compared or hashed in one step. */
    private static final int CHARACTERS_PER_STEP = 16;
    /**
     * Schemas entered inside one another: five for each level of the deepest arguments. The stack for them is at most two thirds of
     * the 1 MiB that a thread has by default, whether their code is interpreted or compiled.
     */
    static final int MOST_DEPTH = 640;

    private final boolean reporting;
    private final Finding.Pile root = new Finding.Pile(true);
    private Finding.Pile pile = root;
    private boolean hushed;
    private Place place = Place.ROOT;
    private long steps;
    private int depth;
    private final NearestNames hints = new NearestNames();

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
            return schema.check(value, this, null);
        } catch (Spent spent) {
            return givenUp(spent.expected, spent.found);
        } catch (StackOverflowError tooDeep) {
            // Only where the caller left less stack than MOST_DEPTH needs. A walk is used up here and shares nothing.
            return givenUp("a value that can be checked on this thread's stack", "one that needs more stack");
        }
    }

    private boolean givenUp(String expected, String found) {
        root.add(new Finding(place, "budget", pointer -> new Violation(pointer, "budget", expected, found,
                "the check was given up here; send a smaller or simpler value")));
        return false;
    }

    /** Whether violations are wanted here; if not, the first one settles the matter. */
    boolean reports() {
        return reporting && !hushed;
    }

    /** The steps that are left. */
    public long left() {
        return steps;
    }

    /** Pays for work. */
    public void charge(long work) {
        steps -= work;
        if (steps < 0) {
            throw new Spent("a value that can be checked in " + BASE_STEPS + " steps and "
                    + STEPS_PER_CHARACTER + " for each of its characters", "one that takes more");
        }
    }

    /** Pays for looking at each character of a text once. */
    void chargeText(String text) {
        charge(1 + text.length() / CHARACTERS_PER_STEP);
    }

    /** A field of an object, or null; paid for by the length of its name, which is compared. */
    @Nullable
    Json field(Json object, String name) {
        chargeText(name);
        return object.kind() == Kind.OBJECT ? object.fields().get(name) : null;
    }

    /** The name that was probably meant, or null; all questions of a walk together are bounded. */
    @Nullable
    String nearest(String name, Supplier<? extends Collection<String>> known) {
        return hints.nearest(name, known);
    }

    void enterSchema() {
        charge(1);
        if (++depth > MOST_DEPTH) {
            throw new Spent("a value that leads through at most " + MOST_DEPTH
                    + " schemas inside one another", "one that leads through more");
        }
    }

    void leaveSchema() {
        depth--;
    }

    /** Moves to a field; give what it returns to {@link #leave}. */
    Place enter(String field) {
        return enter(field, true);
    }

    /** The same for a field that may be left out or must be there. */
    Place enter(String field, boolean required) {
        Place before = place;
        if (reporting) {
            place = required ? before.field(field) : before.optionalField(field);
        }
        return before;
    }

    /** What to do about a null that is not allowed here; null if it is another value, or must be there. */
    @Nullable
    String adviceAboutNull(Json value) {
        return value.isNull() && place.mayBeLeftOut() ? "leave the field out" : null;
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
        String advice = adviceAboutNull(value);
        return fail(keyword,
                pointer -> new Violation(pointer, keyword, expected.get(), Excerpt.of(value), advice));
    }

    /** Notes a violation; always false. */
    public boolean fail(String keyword, Function<String, Violation> words) {
        if (reports()) {
            pile.add(new Finding(place, keyword, words));
        }
        return false;
    }

    /** Ends a walk from within; never leaves this class. */
    private static final class Spent extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String expected;
        private final String found;

        Spent(String expected, String found) {
            super(expected, null, false, false);
            this.expected = expected;
            this.found = found;
        }
    }
}
