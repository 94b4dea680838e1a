package dev.belay.schema.rules;

import dev.belay.schema.Violation;
import dev.belay.schema.Violations;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A violation whose message is made when it is asked for: most belong to branches that are never reported. Confined to one walk.
 */
final class Finding {

    private final Place place;
    private final String keyword;
    private final Function<String, Violation> words;
    private @Nullable Violation made;

    /**
     * Notes a violation.
     *
     * @param place where in the value
     * @param keyword the keyword that is broken
     * @param words makes the violation from the place's pointer
     */
    Finding(Place place, String keyword, Function<String, Violation> words) {
        this.place = place;
        this.keyword = keyword;
        this.words = words;
    }

    Place place() {
        return place;
    }

    String keyword() {
        return keyword;
    }

    /** The violation; made once. */
    Violation toViolation() {
        if (made == null) {
            made = words.apply(place.pointer());
        }
        return made;
    }

    /** The first findings and the number of all. Confined to one walk. */
    static final class Pile {

        /** Findings whose words are compared; more would let equal ones cost more than the check. */
        private static final int MOST_COMPARED = 50;

        private final boolean distinct;
        private final List<Finding> first = new ArrayList<>(2);
        private final Set<String> messages = new HashSet<>();
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
            return compared++ < MOST_COMPARED && !messages.add(finding.toViolation().message());
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
