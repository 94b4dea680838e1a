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

        private final List<Finding> first = new ArrayList<>(2);
        private int total;

        void add(Finding finding) {
            if (first.size() < Violations.SHOWN) {
                first.add(finding);
            }
            total++;
        }

        void addAll(Pile other) {
            for (Finding finding : other.first) {
                if (first.size() < Violations.SHOWN) {
                    first.add(finding);
                }
            }
            total += other.total;
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
