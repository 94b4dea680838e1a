package dev.belay.benchmarks.durable;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.Scheduling;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The process that {@link Parked} and {@link Killed} measure. */
final class ChildMain {

    /** The name of a parked call or a running batch. */
    static final String BATCH = "batch";

    private static final int CALLS = 1_000;
    /** After so many calls the batch is under way and far from its end. */
    private static final int UNDER_WAY = 20;
    private static final Duration WORK = Duration.ofMillis(5);
    /** Long enough for a check for work of other processes, which runs five times a second. */
    private static final Duration SETTLE = Duration.ofSeconds(1);

    private ChildMain() {}

    /** Takes a job, {@code restart}, {@code work} or {@code go-on}, and the folder of the journal. */
    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Path folder = Path.of(args[1]);
        switch (args[0]) {
            case "restart" -> restart(start, folder);
            case "work" -> work(folder);
            case "go-on" -> goOn(start, folder);
            default ->
                throw new IllegalArgumentException("expected restart, work or go-on, found " + args[0]);
        }
    }

    /** Opens a journal, runs one new call, then prints the time that it took and the heap and threads of the process. */
    private static void restart(long start, Path folder) throws Exception {
        try (DurableCalls calls = Bench.onSqlite(folder, new BenchTools())) {
            Bench.run(calls, "new-" + System.nanoTime(), Bench.calls("look", 1));
            double ready = millisSince(start);
            Thread.sleep(SETTLE);
            long heap = heap();
            String threads = threads(folder);
            System.out.println(ready + " " + heap + " " + threads);
        }
    }

    private static long heap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** How many virtual threads there are, and how many others. */
    private static String threads(Path folder) throws IOException {
        Path dump = folder.resolve("threads-" + ProcessHandle.current().pid()).toAbsolutePath();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        List<String> heads = Files.readAllLines(dump).stream().filter(line -> line.startsWith("#")).toList();
        Files.delete(dump);
        long virtual = heads.stream().filter(line -> line.contains(" virtual")).count();
        return virtual + " " + (heads.size() - virtual);
    }

    /** Runs a long batch and prints a line when it is under way; the parent kills it then. */
    private static void work(Path folder) throws Exception {
        var underWay = new CountDownLatch(UNDER_WAY);
        try (DurableCalls calls = Bench.onSqlite(folder, tools(underWay))) {
            List<CallRequest> batch = Bench.calls("work", CALLS);
            calls.submit(BATCH, batch);
            underWay.await();
            System.out.println("under way");
            calls.join(BATCH);
        }
    }

    /** Continues the batch of a dead process, and prints when. */
    private static void goOn(long start, Path folder) throws Exception {
        var first = new CountDownLatch(1);
        Bench.onSqlite(folder, tools(first));
        first.await();
        System.out.println(millisSince(start));
        Runtime.getRuntime().halt(0); // the rest of the batch is not measured
    }

    private static ToolProvider tools(CountDownLatch ran) {
        var work = BenchTools.tool("work").effect(ToolEffect.READ).scheduling(Scheduling.SERIAL);
        return StaticToolProvider.builder().tool(work, BenchTools.In.class, (in, context) -> {
            ran.countDown();
            Thread.sleep(WORK);
            return "done";
        }).build();
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
