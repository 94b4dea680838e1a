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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of a process of its own. */
@Timeout(60)
class HostProcessTest {

    /** What a program prints that ends by itself. */
    private static String printed(Process host) throws Exception {
        try {
            assertThat(host.waitFor(40, TimeUnit.SECONDS)).as("ends").isTrue();
            return new String(host.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            host.destroyForcibly();
        }
    }

    private static Process host(Class<?> main, String... options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                        System.getProperty("java.class.path")));
        command.addAll(List.of(options).stream().filter(option -> option.startsWith("-")).toList());
        command.add(main.getName());
        command.addAll(List.of(options).stream().filter(option -> !option.startsWith("-")).toList());
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
        assertThat(printed(host)).isEqualTo("here");
    }

    @Test
    void aServerThatDoesNotReadHoldsNoCarrierOfVirtualThreads() throws Exception {
        assertThat(printed(host(UnreadHost.class, "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1"))).isEqualTo("here, closed");
    }

    /** Each ping that is not taken was a thread that waited, by HTTP a connection too. */
    @ParameterizedTest
    @ValueSource(strings = {"program", "http"})
    void aHundredThousandPingsOfAServerThatTakesNoAnswerDropItsConnection(String way) throws Exception {
        String printed = printed(host(FloodHost.class, "-Xmx64m", way));
        assertThat(printed).startsWith("dropped, replies " + (way.equals("http") ? 1 : 0) + ", threads ");
        assertThat(Integer.parseInt(printed.substring(printed.lastIndexOf(' ') + 1))).isBetween(1, 16);
    }
}
