package dev.belay.benchmarks.mcp;

import com.sun.management.OperatingSystemMXBean;
import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.model.TokenFamily;
import dev.belay.runtime.catalog.search.ToolIndex;
import dev.belay.runtime.catalog.search.ToolIndexes;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Prints the time of one call through a program that speaks MCP, beside a bare exchange of the same messages with the same program; then
 * what 10,000 tools of a server cost: attaching, memory, the index, a search.
 */
public final class McpTable {

    /** Short slices by turns, so that both sides meet the same noise of the machine. */
    private static final int CALLS = 500;
    private static final int SLICES = 40;
    private static final int WARM_UPS = 100_000;
    private static final int TOOLS = 10_000;
    private static final double MIB = 1 << 20;
    private static final OperatingSystemMXBean OS = (OperatingSystemMXBean) ManagementFactory
            .getOperatingSystemMXBean();

    private McpTable() {}

    /** Runs the given number of rounds, 11 if none is given; the tables {@code tools} or {@code calls} alone if one is named. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? 11 : Integer.parseInt(args[0]);
        System.out.printf("%n%s %s, %d processors, load %.1f; %d rounds, median (least..most).%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(),
                OS.getSystemLoadAverage(), rounds);
        System.out.println("| what | found | bar | |");
        System.out.println("|---|---:|---:|---|");
        if (args.length < 2 || args[1].equals("tools")) {
            many(rounds);
        }
        if (args.length < 2 || args[1].equals("calls")) {
            calls(rounds);
        }
    }

    /** One side of the comparison. */
    private interface Exchange {
        String call() throws Exception;
    }

    /** Microseconds of a call: of the clock, and of the processor in this process. */
    private record Cost(double clock, double processor) {}

    private static Cost measure(Exchange exchange, int calls) throws Exception {
        long processor = OS.getProcessCpuTime();
        long begun = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            if (!exchange.call().equals("It is done.")) {
                throw new IllegalStateException("another answer");
            }
        }
        double clock = (System.nanoTime() - begun) / 1e3 / calls;
        return new Cost(clock, (OS.getProcessCpuTime() - processor) / 1e3 / calls);
    }

    /** Both sides on a platform thread, then both on a virtual one, as bodies of sessions run. */
    private static void calls(int rounds) throws Exception {
        Process bare = new ProcessBuilder(EchoServer.command(1)).redirectError(
                ProcessBuilder.Redirect.INHERIT).start();
        McpServers servers = McpServers.of(McpServer.program("echo",
                EchoServer.command(1).toArray(String[]::new)));
        try (servers;
                OutputStream out = bare.getOutputStream();
                var in = new BufferedReader(
                        new InputStreamReader(bare.getInputStream(), StandardCharsets.UTF_8))) {
            servers.await(Duration.ofMinutes(1));
            ToolCaller caller = ToolCaller.of(servers.tools());
            String arguments = "{\"invoice_id\":\"a\",\"limit\":3}";
            Exchange floor = () -> exchange(out, in, arguments);
            Exchange call = () -> caller.call("mcp__echo__create_invoice_0", arguments).text();
            compare("", Thread.ofPlatform(), rounds, floor, call);
            compare(" on virtual threads", Thread.ofVirtual(), rounds, floor, call);
        } finally {
            bare.destroy();
        }
    }

    private static void compare(String where, Thread.Builder on, int rounds, Exchange floor, Exchange call)
            throws Exception {
        var run = new FutureTask<Void>(() -> {
            compare(where, rounds, floor, call);
            return null;
        });
        on.start(run);
        run.get();
    }

    private static void compare(String where, int rounds, Exchange floor, Exchange call) throws Exception {
        measure(floor, WARM_UPS);
        measure(call, WARM_UPS);
        int slices = rounds * SLICES;
        var floors = new Cost[slices];
        var ours = new Cost[slices];
        for (int i = 0; i < slices; i++) {
            floors[i] = measure(floor, CALLS);
            ours[i] = measure(call, CALLS);
        }
        row("bare exchange" + where + ", µs", values(slices, i -> floors[i].clock()), 0);
        row("one call" + where + ", µs", values(slices, i -> ours[i].clock()), 0);
        row("one call" + where + ", × bare exchange",
                values(slices, i -> ours[i].clock() / floors[i].clock()), 1.3);
        row("processor time of the bare exchange" + where + ", µs",
                mean(floors), 0);
        row("processor time of one call" + where + ", µs", mean(ours), 0);
    }

    /** The clock of the processor is too coarse for a slice. */
    private static double[] mean(Cost[] slices) {
        return new double[]{Arrays.stream(slices).mapToDouble(Cost::processor).average().orElseThrow()};
    }

    private static long id;

    /** The message that the client sends, written and read without it. */
    private static String exchange(OutputStream out, BufferedReader in, String arguments) throws IOException {
        long asked = ++id;
        out.write(("{\"jsonrpc\":\"2.0\",\"id\":" + asked + ",\"method\":\"tools/call\",\"params\":{\"name\":"
                + "\"create_invoice_0\",\"arguments\":" + arguments + ",\"_meta\":{\"progressToken\":" + asked
                + "}}}\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        Json answer = Json.of(in.readLine());
        return answer.at("/result/content/0/text").orElseThrow().asString();
    }

    private static void many(int rounds) throws Exception {
        var attached = new double[rounds];
        var memory = new double[rounds];
        var tokens = new double[rounds];
        var index = new double[rounds];
        var search = new double[rounds];
        var attaching = new double[rounds];
        var indexing = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            long before = used();
            long processor = OS.getProcessCpuTime();
            long begun = System.nanoTime();
            try (McpServers servers = McpServers.of(McpServer.program("many",
                    EchoServer.command(TOOLS).toArray(String[]::new)))) {
                servers.await(Duration.ofMinutes(2));
                List<ToolDefinition> tools = servers.tools().definitions();
                attached[i] = (System.nanoTime() - begun) / 1e9;
                attaching[i] = (OS.getProcessCpuTime() - processor) / 1e9;
                if (tools.size() != TOOLS) {
                    throw new IllegalStateException(servers.list().toString());
                }
                memory[i] = (used() - before) / MIB;
                ToolIndex made = new ToolIndexes().of(tools);
                begun = System.nanoTime();
                made.allTokens(TokenFamily.of("claude-x"));
                tokens[i] = (System.nanoTime() - begun) / 1e9;
                processor = OS.getProcessCpuTime();
                begun = System.nanoTime();
                made.search("archive a playlist", 5, Map.of(), one -> true);
                index[i] = (System.nanoTime() - begun) / 1e9;
                indexing[i] = (OS.getProcessCpuTime() - processor) / 1e9;
                search[i] = search(made);
            }
        }
        row(TOOLS + " tools attached, s, start of the program included", attached, 2);
        row("processor time of that, s, without the program", attaching, 0);
        row("memory of them, MiB", memory, 100);
        row("their size estimated, s", tokens, 0);
        row("index, first search included, s", index, 0.5);
        row("processor time of that, s", indexing, 0);
        row("search, median, ms", search, 1);
    }

    private static double search(ToolIndex index) {
        String[] questions = {"create an invoice", "delete a branch", "rename ticket", "find sensors",
            "merge"};
        var times = new double[500];
        for (int i = 0; i < times.length; i++) {
            long begun = System.nanoTime();
            index.search(questions[i % questions.length], 5, Map.of(), one -> true);
            times[i] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(20);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static double[] values(int rounds, IntToDoubleFunction of) {
        return IntStream.range(0, rounds).mapToDouble(of).toArray();
    }

    private static void row(String what, double[] values, double bar) {
        double first = values[0];
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double median = sorted[sorted.length / 2];
        System.out.printf("| %s | %.2f (%.2f..%.2f), the first %.2f | %s | %s |%n", what, median, sorted[0],
                sorted[sorted.length - 1], first, bar == 0 ? "" : "≤ " + bar,
                bar == 0 ? "" : median <= bar ? "holds" : "missed");
    }
}
