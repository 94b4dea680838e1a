package dev.belay.testkit.crash;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of {@link CrashKit#verify}; as text, what a person wants to know.
 *
 * @param records how many records a run without a crash writes
 * @param crashes how many runs died before, inside or after one of them, and kept every promise
 * @param interleavings how many runs of several batches died at a moment drawn from a seed, and kept every promise
 * @param seed the first of these seeds; the others follow it
 * @param deaths what came of the crashes at records, by tool and by how far its body was
 */
public record CrashReport(int records, int crashes, int interleavings, long seed, List<Death> deaths) {

    /** How far a body was when its process died. */
    public enum Moment {
        /** It had not begun. */
        BEFORE("before the body"),
        /** It had begun, or its start was recorded; how it ended was not recorded. */
        IN("in the body"),
        /** How it ended was recorded. */
        AFTER("after the body");

        private final String words;

        Moment(String words) {
            this.words = words;
        }
    }

    /**
     * What came of all deaths at one moment of a tool.
     *
     * @param tool which
     * @param moment of its body
     * @param crashes how many processes died there
     * @param runs how often a body ran at most, in all processes of a run, under one idempotency key
     * @param ends how its call ended, and after how many of the crashes
     */
    public record Death(String tool, Moment moment, int crashes, int runs, Map<String, Integer> ends) {

        @Override
        public String toString() {
            return "  %-6s %-15s %3d crashes: ran %s, then %s".formatted(tool, moment.words, crashes,
                    runs == 0 ? "never" : runs == 1 ? "once" : "up to " + runs + " times",
                    ends.entrySet()
                            .stream()
                            .map(end -> end.getKey() + (ends.size() > 1 ? " (" + end.getValue() + ")" : ""))
                            .collect(Collectors.joining(", ")));
        }
    }

    /** Copies the list. */
    public CrashReport {
        deaths = List.copyOf(deaths);
    }

    /** The tools whose bodies ran twice under one idempotency key; what they call must know such a key, or do no harm twice. */
    public List<String> twice() {
        return deaths.stream().filter(death -> death.runs() > 1).map(Death::tool).distinct().toList();
    }

    @Override
    public String toString() {
        return "Killed before, inside and after each of %d records: %d crashes, and %d at random from seed %d%n"
                .formatted(
                        records, crashes, interleavings, seed)
                + deaths.stream().map(Death::toString).collect(Collectors.joining("\n"))
                + "\nHappened twice: " + (twice().isEmpty()
                        ? "nothing"
                        : String.join(", ", twice())
                                + ", under the same idempotency key: what it calls must know the key, or do no harm twice");
    }
}
