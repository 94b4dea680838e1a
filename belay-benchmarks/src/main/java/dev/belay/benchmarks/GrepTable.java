package dev.belay.benchmarks;

import dev.belay.json.Json;
import dev.belay.tool.ToolCaller;
import dev.belay.toolbox.Toolbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Prints the time of the toolbox's {@code grep} beside GNU grep over the same 50,000 files, in turns. Belay is called as a model
 * calls it, in a warm process; GNU grep is a fresh process each time. Before the measurement both must find the same number of
 * lines.
 */
public final class GrepTable {

    private static final int FILES = 50_000;
    private static final int FILES_IN_A_DIRECTORY = 100;
    private static final int LINES = 60;
    private static final int WARM_UPS = 3;
    private static final double BAR = 3;

    /**
     * A search.
     *
     * @param label for the table
     * @param pattern the same for both
     * @param ignoreCase whether letter case is ignored
     */
    private record Question(String label, String pattern, boolean ignoreCase) {}

    private static final List<Question> QUESTIONS = List.of(
            new Question("a text, in 500 lines", "findTheNeedle", false),
            new Question("a text, nowhere", "thereIsNoSuchThing", false),
            new Question("a pattern around a text", "return .*findTheNeedle\\(", false),
            new Question("a pattern without any text", "[0-9]{3}[x-z][0-9]{3}", false),
            new Question("a text in any letter case", "FINDTHENEEDLE", true));

    private GrepTable() {}

    /** Runs the given number of repetitions, 9 if none is given. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int repetitions = args.length == 0 ? 9 : Integer.parseInt(args[0]);
        Path root = Files.createTempDirectory("belay-grep");
        try {
            System.err.printf("writing %,d files%n", FILES);
            long bytes = write(root);
            ToolCaller belay = ToolCaller.of(Toolbox.in(root).readFiles().build());
            System.out.printf("%n%,d files in %,d directories, %,d bytes, in the page cache; milliseconds.%n",
                    FILES,
                    FILES / FILES_IN_A_DIRECTORY, bytes);
            System.out.printf(
                    "%s %s, %s, %d processors, %d repetitions in turns, median (fastest to slowest).%n%n",
                    System.getProperty("java.vm.name"), System.getProperty("java.version"), gnuVersion(),
                    Runtime.getRuntime().availableProcessors(), repetitions);
            System.out.println("| looked for | lines | GNU grep | Belay grep | × GNU | bar |");
            System.out.println("|---|---:|---:|---:|---:|---|");
            for (Question question : QUESTIONS) {
                measure(question, root, belay, repetitions);
            }
        } finally {
            delete(root);
        }
    }

    private static void measure(Question question, Path root, ToolCaller belay, int repetitions)
            throws IOException, InterruptedException {
        System.err.printf("looking for %s%n", question.label);
        long lines = 0;
        for (int round = 0; round < WARM_UPS; round++) {
            lines = gnu(question, root);
            long found = belay(question, belay);
            if (lines != found) {
                throw new IllegalStateException(
                        question.pattern + ": GNU grep finds " + lines + ", Belay " + found);
            }
        }
        double[] theirs = new double[repetitions];
        double[] ours = new double[repetitions];
        for (int round = 0; round < repetitions; round++) {
            long start = System.nanoTime();
            gnu(question, root);
            long middle = System.nanoTime();
            belay(question, belay);
            theirs[round] = (middle - start) / 1e6;
            ours[round] = (System.nanoTime() - middle) / 1e6;
        }
        double ratio = median(ours) / median(theirs);
        System.out.printf("| %s: `%s` | %,d | %s | %s | %.2f | %s |%n", question.label, question.pattern,
                lines,
                cell(theirs), cell(ours), ratio, ratio <= BAR ? "holds" : "broken");
    }

    private static long gnu(Question question, Path root) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("grep", "-rnIE" + (question.ignoreCase ? "i" : ""), "-e",
                question.pattern, ".").directory(root.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process grep = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(grep.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        grep.waitFor();
        return output.lines().count();
    }

    private static long belay(Question question, ToolCaller belay) {
        String arguments = Json.object(Map.of("pattern", Json.string(question.pattern), "ignoreCase",
                Json.bool(question.ignoreCase), "most", Json.number(1000))).text();
        return belay.call("grep", arguments)
                .text()
                .lines()
                .filter(line -> line.contains(".java:"))
                .count();
    }

    private static long write(Path root) throws IOException {
        Random random = new Random(42);
        String[] words = {"public", "static", "return", "value", "index", "String", "count", "while",
            "result", "final",
            "private", "buffer", "length", "this", "null", "throw"};
        long bytes = 0;
        for (int file = 0; file < FILES; file++) {
            StringBuilder text = new StringBuilder();
            for (int line = 0; line < LINES; line++) {
                text.append("    ");
                for (int word = 0; word < 6; word++) {
                    text.append(words[random.nextInt(words.length)]).append(' ');
                }
                text.append(random.nextInt(100_000)).append(";\n");
            }
            if (file % 100 == 7) {
                text.append("    return this.findTheNeedle(").append(file).append(");\n");
            }
            if (file % 1000 == 9) {
                text.append("    key = \"123x456\";\n");
            }
            Path directory = root.resolve("package" + file / FILES_IN_A_DIRECTORY);
            if (file % FILES_IN_A_DIRECTORY == 0) {
                Files.createDirectory(directory);
            }
            Files.writeString(directory.resolve("Class" + file + ".java"), text);
            bytes += text.length();
        }
        return bytes;
    }

    private static String gnuVersion() throws IOException {
        Process version = new ProcessBuilder("grep", "--version").start();
        return new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
                .findFirst()
                .orElse("grep");
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String cell(double[] values) {
        return "%.0f (%.0f–%.0f)".formatted(median(values), Arrays.stream(values).min().orElse(0),
                Arrays.stream(values).max().orElse(0));
    }
}
