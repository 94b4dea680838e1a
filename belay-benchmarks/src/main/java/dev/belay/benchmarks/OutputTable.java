package dev.belay.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.output.OutputKeeper;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/**
 * Prints the time that the output budget takes for large outputs, beside the calibration: encoding the same text as UTF-8 and hashing it
 * with SHA-256, which is what keeping it needs. Then one turn in memory with a small output, with the default budget and without.
 */
public final class OutputTable {

    private static final int MEGABYTE = 1_000_000;
    private static final int WARM_UPS = 30;
    private static final double BAR = 50;
    private static final int TURNS = 2_000;
    private static final int TURN_ROUNDS = 40;

    private OutputTable() {}

    /** Runs the given number of repetitions, 51 if none is given. */
    public static void main(String[] args) throws Exception {
        int repetitions = args.length == 0 ? 51 : Integer.parseInt(args[0]);
        System.out.printf("%n%s %s, %d processors, %d repetitions in turns, median; milliseconds.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(), repetitions);
        System.out.println("| output | size | encode and hash alone | budget, output kept | bar | |");
        System.out.println("|---|---:|---:|---:|---:|---|");
        for (int megabytes : new int[]{1, 10, 40}) {
            Map<String, ToolOutcome> outputs = Map.of("lines", text(lines(megabytes * MEGABYTE)), "one line",
                    text("x".repeat(megabytes * MEGABYTE)), "Chinese",
                    text("中".repeat(megabytes * MEGABYTE / 3)),
                    "array of small strings", new ToolOutcome.Success(
                            Json.array(Collections.nCopies(megabytes * MEGABYTE / 4, Json.string("a")))));
            outputs.entrySet()
                    .stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(one -> measure(one.getKey(), megabytes, one.getValue(), repetitions));
        }
        turns(Math.min(repetitions, TURN_ROUNDS));
    }

    private static ToolOutcome text(String text) {
        return new ToolOutcome.Success(Json.string(text));
    }

    private static String lines(int bytes) {
        return "a line of an output, of fifty characters or so....\n".repeat(bytes / 51);
    }

    private static void measure(String what, int megabytes, ToolOutcome outcome, int repetitions) {
        System.err.printf("%s, %d MB%n", what, megabytes);
        OutputKeeper keeper = text -> Optional.of("out-" + hash(text));
        double[] alone = new double[repetitions];
        double[] budget = new double[repetitions];
        for (int round = -WARM_UPS; round < repetitions; round++) {
            String text = outcome.text();
            long start = System.nanoTime();
            hash(text);
            long middle = System.nanoTime();
            ToolOutputBudgetConfig.DEFAULT.show(List.of(ToolOutput.of("t", outcome, null)), keeper);
            long end = System.nanoTime();
            if (round >= 0) {
                alone[round] = (middle - start) / 1e6;
                budget[round] = (end - middle) / 1e6;
            }
        }
        boolean judged = megabytes == 10;
        System.out.printf(Locale.ROOT, "| %s | %d MB | %.1f | %.1f | %s | %s |%n", what, megabytes,
                median(alone),
                median(budget), judged ? "< 50 ms" : "",
                judged ? median(budget) < BAR ? "holds" : "**missed**" : "");
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void turns(int rounds) throws Exception {
        System.out.printf(
                "%n| one turn in memory with one call of a small output | µs | KiB |%n|---|---:|---:|%n");
        try (Belay with = belay(PluginStack.runtime()); Belay without = belay(PluginStack.empty())) {
            double[][] micros = new double[2][rounds];
            double[][] kilobytes = new double[2][rounds];
            for (int round = -rounds; round < rounds; round++) {
                for (int i = 0; i < 2; i++) {
                    double[] figures = turns(i == 0 ? without : with, round);
                    if (round >= 0) {
                        micros[i][round] = figures[0];
                        kilobytes[i][round] = figures[1];
                    }
                }
            }
            for (int i = 0; i < 2; i++) {
                System.out.printf(Locale.ROOT, "| %s | %.1f | %.1f |%n",
                        i == 0 ? "without plugins" : "with the default stack", median(micros[i]),
                        median(kilobytes[i]));
            }
        }
    }

    private static Belay belay(PluginStack stack) {
        return Belay.builder()
                .model(new Script())
                .plugins(stack)
                .tools(StaticToolProvider.builder()
                        .raw(ToolDefinition.raw("next", "Adds one.", Json.of("{\"type\":\"object\"}"))
                                .effect(ToolEffect.READ), (in, context) -> "42")
                        .build())
                .build();
    }

    private static double[] turns(Belay belay, int round) throws Exception {
        var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = memory.getTotalThreadAllocatedBytes();
        long start = System.nanoTime();
        var asking = new FutureTask<>(() -> {
            for (int i = 0; i < TURNS; i++) {
                belay.session("s" + round + "-" + i).turn("What is it?").run();
            }
            return true;
        });
        Thread.ofVirtual().start(asking);
        asking.get();
        return new double[]{(System.nanoTime() - start) / 1e3 / TURNS,
            (memory.getTotalThreadAllocatedBytes() - bytes) / 1024.0 / TURNS};
    }

    private static final class Script implements Model {

        private static final ModelResponse CALL = new ModelResponse(
                Message.assistant(new Part.CallPart("c1", "next", "{}")), FinishReason.TOOL_CALLS,
                Usage.of(100, 10), "script", "r1");
        private static final ModelResponse TEXT = new ModelResponse(Message.assistant("It is 42."),
                FinishReason.STOP, Usage.of(120, 10), "script", "r2");

        @Override
        public String id() {
            return "script";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return request.messages().getLast() instanceof Message.ToolMessage ? TEXT : CALL;
        }
    }
}
