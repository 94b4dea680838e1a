package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with a heap of 128 MiB talks in 1,000 sessions, whose messages are heavier than that heap, and its heap stays flat. The
 * profile {@code long} lets it talk for ten minutes, {@code -Dbelay.soak=…} for so many seconds.
 */
@Tag("deep")
class SoakTest {

    private static final int SECONDS = Integer.getInteger("belay.soak",
            Boolean.getBoolean("belay.long") ? 600 : 10);
    private static final int SESSIONS = 1_000;
    private static final long MEGABYTE = 1 << 20;

    @TempDir
    Path directory;

    @Test
    @Timeout(1_200)
    void heapStaysFlatWhileAThousandSessionsTalk() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path",
                System.getProperty("java.class.path"));
        Process worker = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m", "-XX:+ExitOnOutOfMemoryError", ParentWatch.option(),
                "--enable-native-access=ALL-UNNAMED", "-cp",
                classPath, SoakWorker.class.getName(),
                directory.resolve("belay.db").toString(), "" + SESSIONS, "" + SECONDS)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines;
        try (var out = worker.inputReader(StandardCharsets.UTF_8)) {
            lines = out.lines().toList();
            assertThat(worker.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(worker.exitValue()).as("%s", lines).isZero();
        } finally {
            worker.destroyForcibly();
        }
        long[] heaps = lines.stream()
                .filter(line -> line.startsWith("heap "))
                .mapToLong(line -> Long.parseLong(line.substring(5)))
                .toArray();
        assertThat(heaps).hasSize(10);
        for (long heap : heaps) {
            assertThat(heap).as("%s", lines).isLessThan(64 * MEGABYTE);
        }
        assertThat(heaps[9]).as("%s", lines).isLessThan(heaps[5] + 16 * MEGABYTE);
    }
}
