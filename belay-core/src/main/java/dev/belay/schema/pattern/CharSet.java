package dev.belay.schema.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/** A set of code points: ranges and properties, perhaps all others than these. Immutable. */
final class CharSet {

    static final CharSet DIGIT = new Builder().range('0', '9').build(false);
    static final CharSet WORD = new Builder().range('0', '9')
            .range('A', 'Z')
            .range('a', 'z')
            .range('_', '_')
            .build(false);
    static final CharSet SPACE = new Builder().range('\t', '\r')
            .range(' ', ' ')
            .range(0xa0, 0xa0)
            .range(0x1680, 0x1680)
            .range(0x2000, 0x200a)
            .range(0x2028, 0x2029)
            .range(0x202f, 0x202f)
            .range(0x205f, 0x205f)
            .range(0x3000, 0x3000)
            .range(0xfeff, 0xfeff)
            .build(false);
    /** What a dot stands for: everything but the ends of lines. */
    static final CharSet DOT = new Builder().range('\n', '\n')
            .range('\r', '\r')
            .range(0x2028, 0x2029)
            .build(true);

    private static final int ASCII = 128;

    /** A bit for each code point below 128. */
    private final long[] ascii = new long[2];
    private final int[] starts;
    private final int[] ends;
    private final IntPredicate[] properties;
    private final boolean negated;
    private final boolean anyCase;

    private CharSet(List<int[]> ranges, List<IntPredicate> properties, boolean negated, boolean anyCase) {
        starts = ranges.stream().mapToInt(range -> range[0]).toArray();
        ends = ranges.stream().mapToInt(range -> range[1]).toArray();
        this.properties = properties.toArray(new IntPredicate[0]);
        this.negated = negated;
        this.anyCase = anyCase;
        for (int c = 0; c < ASCII; c++) {
            if (lookUp(c)) {
                ascii[c >> 6] |= 1L << c;
            }
        }
    }

    boolean contains(int c) {
        return c < ASCII ? (ascii[c >> 6] >>> c & 1) != 0 : lookUp(c);
    }

    /** What a question costs, in steps. */
    int cost() {
        return 1 + properties.length;
    }

    private boolean lookUp(int c) {
        boolean named = inRanges(c) || hasProperty(c);
        if (anyCase && !named) {
            int upper = Character.toUpperCase(c);
            named = inRanges(upper) || inRanges(Character.toLowerCase(upper));
        }
        return named != negated;
    }

    private boolean inRanges(int c) {
        int low = 0;
        int high = starts.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (c < starts[middle]) {
                high = middle - 1;
            } else if (c > ends[middle]) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    private boolean hasProperty(int c) {
        for (IntPredicate property : properties) {
            if (property.test(c)) {
                return true;
            }
        }
        return false;
    }

    /** Collects a set. */
    static final class Builder {

        private final List<int[]> ranges = new ArrayList<>();
        private final List<IntPredicate> properties = new ArrayList<>();
        private boolean anyCase;

        /** Makes upper and lower case count as one. */
        Builder anyCase(boolean ignored) {
            anyCase = ignored;
            return this;
        }

        Builder range(int first, int last) {
            ranges.add(new int[]{first, last});
            if (anyCase && first == last) {
                int folded = Character.toLowerCase(Character.toUpperCase(first));
                ranges.add(new int[]{folded, folded});
            }
            return this;
        }

        Builder property(IntPredicate property) {
            properties.add(property);
            return this;
        }

        CharSet build(boolean negated) {
            ranges.sort(Comparator.comparingInt(range -> range[0]));
            List<int[]> merged = new ArrayList<>();
            for (int[] range : ranges) {
                if (!merged.isEmpty() && range[0] <= merged.getLast()[1] + 1) {
                    merged.getLast()[1] = Math.max(merged.getLast()[1], range[1]);
                } else {
                    merged.add(range.clone());
                }
            }
            return new CharSet(merged, properties, negated, anyCase);
        }
    }
}
