package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that passes prints nothing that looks like a fault. */
final class QuietLogTest {

    @Test
    void aPassingKitTestPrintsNoWarningNoErrorAndNoStackTrace() throws Exception {
        String printed = output();
        assertThat(printed).contains("Happened twice: nothing").contains("killed ");
        assertThat(printed).doesNotContain("WARN")
                .doesNotContain("ERROR")
                .doesNotContain("\tat ")
                .doesNotContain("Exception");
    }

    @Test
    void aRunThatIsRepeatedAloneLogs() throws Exception {
        assertThat(output("only")).contains("WARN dev.belay.runtime.effect").contains("SimulatedCrash");
    }

    private static String output(String... arguments) throws Exception {
        List<String> command = Stream.concat(Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"), QuietRun.class.getName()), Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(printed).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void everyLoggerOfTheRuntimeIsKnown() throws IOException {
        Pattern named = Pattern.compile("getLogger\\(\\s*\"" + QuietLog.ROOT + "\\.([a-z.]+)\"");
        for (String module : List.of("belay-core", "belay-runtime")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    assertThat(QuietLog.NAMES).as(file.toString())
                            .containsAll(named.matcher(Files.readString(file))
                                    .results()
                                    .map((MatchResult at) -> at.group(1))
                                    .toList());
                }
            }
        }
    }
}
