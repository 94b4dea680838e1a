package dev.belay.benchmarks;

import dev.belay.benchmarks.Contender.Role;
import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Prints the cost of one typed call in Belay, in its peers and at the least.
 *
 * <p>The machine may be busy with other work, so contenders take turns: each round is one fresh process for each of them, and
 * ratios are taken within a round. The table shows the median of the rounds.
 */
public final class DispatchTable {

    /** The bar: no slower than the faster peer, and no more bytes than this. */
    private static final double MAX_BYTES = 4_000;
    /** The aim, as a multiple of the floor. */
    private static final double AIM = 1.3;

    private final int rounds;
    private final Map<Contender, List<Round>> measured = new EnumMap<>(Contender.class);

    /**
     * One contender in one round.
     *
     * @param micros microseconds per call, one for each iteration
     * @param bytes allocated per call
     */
    private record Round(List<Double> micros, double bytes) {

        double mean() {
            return micros.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        }
    }

    private DispatchTable(int rounds) {
        this.rounds = rounds;
    }

    /** Runs the given number of rounds, 5 if none is given; each takes about half a minute. */
    public static void main(String[] args) throws RunnerException {
        var table = new DispatchTable(args.length == 0 ? 5 : Integer.parseInt(args[0]));
        List<Contender> contenders = new ArrayList<>(
                Stream.of(Contender.values()).filter(Contender::isAvailable).toList());
        contenders.forEach(DispatchTable::check);
        for (int round = 1; round <= table.rounds; round++) {
            System.err.printf("round %d of %d%n", round, table.rounds);
            for (Contender contender : contenders) {
                table.measured.computeIfAbsent(contender, key -> new ArrayList<>()).add(measure(contender));
            }
            Collections.rotate(contenders, 1);
        }
        table.print();
    }

    /** Checks that all contenders return the same result. */
    private static void check(Contender contender) {
        String result = contender.open().apply(Weather.ARGUMENTS);
        if (!Json.of(result).equals(Json.of(Weather.RESULT))) {
            throw new IllegalStateException(contender + " returned " + result);
        }
    }

    private static Round measure(Contender contender) throws RunnerException {
        var options = new OptionsBuilder().include(DispatchBenchmark.class.getName() + "\\.call")
                .param("contender", contender.name())
                .forks(1)
                .warmupIterations(6)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(4)
                .measurementTime(TimeValue.milliseconds(500))
                .jvmArgsAppend(jvmArguments())
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        RunResult result = results.iterator().next();
        List<Double> micros = new ArrayList<>();
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                micros.add(iteration.getPrimaryResult().getScore());
            }
        }
        double bytes = Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"),
                "bytes per call").getScore();
        return new Round(micros, bytes);
    }

    private static String[] jvmArguments() {
        var arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
        if (Runtime.version().feature() >= 23) {
            arguments.add("--sun-misc-unsafe-memory-access=allow"); // JMH uses it, and each fork would print a warning
        }
        return arguments.toArray(String[]::new);
    }

    private void print() {
        System.out.printf("%nOne typed call of four parameters, argument text to result text.%n");
        System.out.printf("%s %s, %s, %d rounds, medians; ± is the 99.9 %% error over all iterations.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"), rounds);
        System.out.println("| contender | µs/call | ± | B/call | × floor | × faster peer | bar | aim |");
        System.out.println("|---|---:|---:|---:|---:|---:|---|---|");
        for (Contender contender : Contender.values()) {
            if (measured.containsKey(contender)) {
                printLine(contender);
            } else {
                System.out.printf("| %s | no processor in this build |%n", contender.label());
            }
        }
    }

    private void printLine(Contender contender) {
        List<Round> own = rounds(contender);
        double overFloor = ratio(own, Contender.JACKSON);
        double overPeer = ratio(own, fasterPeer());
        double bytes = median(own.stream().map(Round::bytes).toList());
        boolean belay = contender.role() == Role.BELAY;
        System.out.printf("| %s | %.2f | %.2f | %,.0f | %.2f | %.2f | %s | %s |%n", contender.label(),
                median(own.stream().map(Round::mean).toList()), error(own), bytes, overFloor, overPeer,
                belay ? word(overPeer <= 1 && bytes <= MAX_BYTES) : "", belay ? word(overFloor <= AIM) : "");
    }

    private static String word(boolean held) {
        return held ? "holds" : "missed";
    }

    private List<Round> rounds(Contender contender) {
        return Objects.requireNonNull(measured.get(contender));
    }

    private Contender fasterPeer() {
        return Stream.of(Contender.values())
                .filter(contender -> contender.role() == Role.PEER)
                .min((a, b) -> Double.compare(ratio(rounds(a), Contender.JACKSON),
                        ratio(rounds(b), Contender.JACKSON)))
                .orElseThrow();
    }

    /** The median of the ratios within a round. */
    private double ratio(List<Round> own, Contender other) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ratios.add(own.get(round).mean() / rounds(other).get(round).mean());
        }
        return median(ratios);
    }

    private static double error(List<Round> own) {
        double[] micros = own.stream()
                .flatMap(round -> round.micros.stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
        return new ListStatistics(micros).getMeanErrorAt(0.999);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
