package dev.belay.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints the cost of a thousand tools in a fresh process: until they are declared, until all their schemas are made for a first
 * request, and until a first call has answered. Contenders take turns; the table shows the median of the repetitions.
 */
public final class StartupTable {

    private static final int TOOLS = 1_000;
    private static final String NO_PROCESSOR = "no processor in this build";

    /**
     * A contender.
     *
     * @param label for the table
     * @param probe the argument of the probe
     * @param classes the directory of its tools
     */
    private record Entrant(String label, String probe, Path classes) {}

    private StartupTable() {}

    /** Runs the given number of repetitions, 7 if none is given. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int repetitions = args.length == 0 ? 7 : Integer.parseInt(args[0]);
        try (ToolSources sources = ToolSources.write(TOOLS)) {
            print(repetitions, measure(repetitions, entrants(sources)));
        }
    }

    private static List<Entrant> entrants(ToolSources sources) throws IOException {
        Path plain = sources.compile(false);
        List<Entrant> entrants = new ArrayList<>();
        if (ToolSources.hasProcessor()) {
            entrants.add(new Entrant("Belay, with companions", "belay", sources.compile(true)));
        }
        entrants.add(new Entrant("Belay, by reflection", "belay", plain));
        entrants.add(new Entrant("LangChain4j ToolSpecifications", "langchain4j", plain));
        entrants.add(new Entrant("Spring AI ToolDefinitions", "spring", plain));
        return entrants;
    }

    private static Map<Entrant, List<double[]>> measure(int repetitions, List<Entrant> entrants)
            throws IOException, InterruptedException {
        Map<Entrant, List<double[]>> measured = new LinkedHashMap<>();
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            System.err.printf("repetition %d of %d%n", repetition, repetitions);
            for (Entrant entrant : entrants) {
                measured.computeIfAbsent(entrant, key -> new ArrayList<>()).add(measure(entrant));
            }
        }
        return measured;
    }

    private static double[] measure(Entrant entrant) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp", entrant.classes + File.pathSeparator + System.getProperty("java.class.path"),
                StartupProbe.class.getName(), entrant.probe, Integer.toString(TOOLS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(entrant.label + " failed:\n" + output);
        }
        return output.lines()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .toArray();
    }

    private static void print(int repetitions, Map<Entrant, List<double[]>> measured) {
        System.out.printf(
                "%n%,d tools in a fresh process, milliseconds since its main method began;%nprocessor time is that of the whole process.%n",
                TOOLS);
        System.out.printf("%s %s, %d repetitions, median (fastest to slowest).%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"), repetitions);
        System.out.println("| contender | declared | + all schemas | + first call | processor time |");
        System.out.println("|---|---:|---:|---:|---:|");
        if (!ToolSources.hasProcessor()) {
            System.out.printf("| Belay, with companions | %s | | | |%n", NO_PROCESSOR);
        }
        measured.forEach((entrant, runs) -> System.out.printf("| %s | %s | %s | %s | %s |%n", entrant.label,
                cell(runs, 0), cell(runs, 1), cell(runs, 2), cell(runs, 3)));
    }

    private static String cell(List<double[]> runs, int column) {
        double[] sorted = runs.stream().mapToDouble(run -> run[column]).sorted().toArray();
        return "%.0f (%.0f–%.0f)".formatted(sorted[sorted.length / 2], Arrays.stream(sorted).min().orElse(0),
                Arrays.stream(sorted).max().orElse(0));
    }
}
