package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers of a process of its own. */
@Timeout(60)
class HostProcessTest {

    private static Process host(Class<?> main, String... options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                        System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.add(main.getName());
        return new ProcessBuilder(command).start();
    }

    @Test
    void aProgramEndsWithTheProcessThatStartedIt() throws Exception {
        Process host = host(ExitingHost.class);
        String child = new String(host.getInputStream().readAllBytes(),
                StandardCharsets.UTF_8).strip();
        assertThat(host.waitFor()).isZero();
        ProcessHandle.of(Long.parseLong(child)).ifPresent(one -> one.onExit().join());
    }

    /** A thread that blocks in a read of a program holds its carrier; the only one would be gone for all other virtual threads. */
    @Test
    void readingAProgramHoldsNoCarrierOfVirtualThreads() throws Exception {
        Process host = host(CallingHost.class, "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1");
        try {
            assertThat(host.waitFor(40, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(host.getInputStream().readAllBytes(),
                    StandardCharsets.UTF_8)).isEqualTo("here");
        } finally {
            host.destroyForcibly();
        }
    }
}
