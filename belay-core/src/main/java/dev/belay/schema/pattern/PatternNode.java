package dev.belay.schema.pattern;

import java.util.ArrayList;
import java.util.List;

/** A part of a regular expression as it was read. Groups leave no trace, since nothing refers to them. */
sealed interface PatternNode {

    PatternNode EMPTY = new Sequence(List.of());

    /** One character of a set. */
    record Chars(CharSet set) implements PatternNode {}

    /** One part after the other. */
    record Sequence(List<PatternNode> parts) implements PatternNode {

        /** The parts without those that say nothing. */
        static PatternNode of(List<PatternNode> parts) {
            List<PatternNode> meant = new ArrayList<>(parts);
            meant.removeIf(part -> part.equals(EMPTY));
            return switch (meant.size()) {
                case 0 -> EMPTY;
                case 1 -> meant.getFirst();
                default -> new Sequence(meant);
            };
        }
    }

    /** One of the branches. */
    record Choice(List<PatternNode> branches) implements PatternNode {}

    /** A part several times; {@link Integer#MAX_VALUE} is without end. */
    record Repeat(PatternNode body, int least, int most) implements PatternNode {

        static PatternNode of(PatternNode body, int least, int most) {
            return body.equals(EMPTY) || most == 0 ? EMPTY : new Repeat(body, least, most);
        }

        boolean endless() {
            return most == Integer.MAX_VALUE;
        }
    }

    /** A place between characters. */
    enum Edge implements PatternNode {
        START,
        END,
        WORD,
        NO_WORD
    }

    /** A place at which the body matches, or does not; {@code behind} looks to the left. */
    record Look(PatternNode body, boolean behind, boolean negative) implements PatternNode {}
}
