package dev.belay.benchmarks.durable;

/**
 * One line of the table.
 *
 * @param what names the measurement
 * @param found the figure
 * @param beside the figure that it is compared with, or empty
 * @param fsyncs records a second that the disk took at that time, or empty
 * @param bar the figure to reach, or empty
 * @param holds whether it does; printed only if there is a bar
 */
record Line(String what, String found, String beside, String fsyncs, String bar, boolean holds) {

    /** A line without a bar. */
    static Line of(String what, String found, String beside, String fsyncs) {
        return new Line(what, found, beside, fsyncs, "", true);
    }

    static String head() {
        return """
                | what | found | beside it | fsync/s | bar | |
                |---|---:|---:|---:|---:|---|""";
    }

    String text() {
        return "| %s | %s | %s | %s | %s | %s |".formatted(what, found, beside, fsyncs, bar,
                bar.isEmpty() ? "" : holds ? "holds" : "**missed**");
    }
}
