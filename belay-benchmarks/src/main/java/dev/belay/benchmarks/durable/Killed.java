package dev.belay.benchmarks.durable;

import java.nio.file.Path;
import java.util.List;

/** The time after {@code kill -9} until a new process runs a body of the dead one's batch. */
final class Killed {

    private static final double BAR = 1_000;

    /**
     * Milliseconds until a body ran.
     *
     * @param sinceMain since the main method of the new process began
     * @param sinceStart since the process was started, the start of the virtual machine included
     */
    private record WentOn(double sinceMain, double sinceStart) {}

    private Killed() {}

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        var taken = disk.take("after kill -9", rounds, () -> once(disk.folder("killed")));
        String fsyncs = Spread.of(taken, Disk.Taken::fsyncs).text(0);
        Spread main = Spread.of(taken, one -> one.value().sinceMain());
        Spread start = Spread.of(taken, one -> one.value().sinceStart());
        return List.of(
                new Line("after kill -9 the batch goes on, ms since the new main began", main.text(0), "",
                        fsyncs,
                        "< 1 s", main.median() < BAR),
                new Line("the same, ms since the new process was started", start.text(0), "", fsyncs, "< 1 s",
                        start.median() < BAR));
    }

    private static WentOn once(Path folder) throws Exception {
        try (var worker = new Child("work", folder)) {
            worker.line();
        } // closing has killed it
        try (var next = new Child("go-on", folder)) {
            double sinceMain = Double.parseDouble(next.line());
            return new WentOn(sinceMain, next.millis());
        }
    }
}
