package dev.belay.tests.session;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets no work hang: past its limit it fails, and says what all threads do, virtual ones too. */
final class Limit {

    private Limit() {}

    /** Runs work on a thread of its own. */
    static <T> T of(Duration most, String what, Callable<T> work) throws Exception {
        var task = new FutureTask<>(work);
        Thread thread = Thread.ofPlatform().daemon().name(what).start(task);
        try {
            return task.get(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            var hangs = new AssertionError(what + " has not ended in " + most + "; threads:\n" + threads());
            thread.interrupt();
            throw hangs;
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case null -> throw e;
                case Exception thrown -> throw thrown;
                case Error thrown -> throw thrown;
                default -> throw e;
            }
        }
    }

    private static String threads() throws IOException {
        Path folder = Files.createTempDirectory("threads");
        Path dump = folder.resolve("dump.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(dump);
        } finally {
            Files.deleteIfExists(dump);
            Files.delete(folder);
        }
    }
}
