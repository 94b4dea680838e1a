package dev.belay.schema;

import java.util.List;
import java.util.stream.Collectors;

/** Everything that is wrong with a value: the first ten in words, the rest as a number. Immutable. */
public final class Violations {

    /** More than this would cost the model more than they tell it. */
    public static final int SHOWN = 10;

    public static final Violations NONE = new Violations(List.of(), 0);

    private final List<Violation> first;
    private final int total;

    public Violations(List<Violation> first, int total) {
        this.first = List.copyOf(first);
        this.total = total;
    }

    /** Whether the value is valid. */
    public boolean isEmpty() {
        return total == 0;
    }

    /** The first ten at most, in the order of the check. */
    public List<Violation> first() {
        return first;
    }

    /** How many there are in all. */
    public int total() {
        return total;
    }

    /** One line for each of the {@link #first()}, then {@code and n more}; empty if there are none. */
    public String message() {
        String shown = first.stream().map(Violation::message).collect(Collectors.joining("\n"));
        return total > first.size() ? shown + "\nand " + (total - first.size()) + " more" : shown;
    }

    @Override
    public String toString() {
        return isEmpty() ? "valid" : message();
    }
}
