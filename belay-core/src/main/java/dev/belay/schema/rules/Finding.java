package dev.belay.schema.rules;

import dev.belay.schema.Violation;
import dev.belay.schema.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A violation whose message is not made yet: most belong to branches that are never reported.
 *
 * @param place where in the value
 * @param keyword the keyword that is broken
 * @param words makes the violation from the place's pointer
 */
record Finding(Place place, String keyword, Function<String, Violation> words) {

    Violation toViolation() {
        return words.apply(place.pointer());
    }

    /** The first findings and the number of all. Confined to one walk. */
    static final class Pile {

        /** Findings whose words are compared; more would let equal ones cost more than the check. */
        private static final int MOST_COMPARED = 50;

        private final boolean distinct;
        private final List<Finding> first = new ArrayList<>(2);
        private int total;
        private int compared;

        /** A pile; one that is told to a model leaves out what it has said before. */
        Pile(boolean distinct) {
            this.distinct = distinct;
        }

        void add(Finding finding) {
            if (first.size() < Violations.SHOWN) {
                if (distinct && isKnown(finding)) {
                    return;
                }
                first.add(finding);
            }
            total++;
        }

        private boolean isKnown(Finding finding) {
            String pointer = first.isEmpty() ? "" : finding.place.pointer();
            for (Finding known : first) {
                if (compared < MOST_COMPARED && known.place.pointer().equals(pointer)) {
                    compared++;
                    if (known.toViolation().message().equals(finding.toViolation().message())) {
                        return true;
                    }
                }
            }
            return false;
        }

        void addAll(Pile other) {
            other.first.forEach(this::add);
            total += other.total - other.first.size();
        }

        List<Finding> first() {
            return first;
        }

        int total() {
            return total;
        }

        Violations toViolations() {
            return new Violations(first.stream().map(Finding::toViolation).toList(), total);
        }
    }
}
