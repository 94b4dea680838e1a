package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program whose call needs an approval returns from run() by itself, and says what it waits for. */
class AskingProgramTest {

    @TempDir
    private Path folder;

    /** The program: no setting but the store, and no listener. */
    static final class Main {

        private Main() {}

        public static void main(String[] args) throws Exception {
            var tools = StaticToolProvider.builder()
                    .raw(tool("refund", ToolEffect.ONCE).approval(Approval.ALWAYS),
                            (in, context) -> "refunded")
                    .build();
            try (var belay = Belay.builder()
                    .model(calling(List.of(call("a", "refund"))))
                    .tools(tools)
                    .store(JdbcStore.sqlite(Path.of(args[0])))
                    .build()) {
                long start = System.nanoTime();
                TurnResult result = belay.session("order-42").turn("Refund it.").run();
                System.out.println(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
                System.out.println(result);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProgramSaysWhatItWaitsForAlsoWithoutALoggingBinding(boolean hasBinding) throws Exception {
        Path file = folder.resolve("belay.db");
        String classPath = Arrays
                .stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .filter(entry -> hasBinding || !entry.contains("slf4j-simple"))
                .collect(Collectors.joining(File.pathSeparator));
        Path errors = folder.resolve("err");
        Process program = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.log.dev.belay=info", "-cp", classPath, Main.class.getName(),
                file.toString()).redirectError(errors.toFile()).start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).as(said).isZero();
        assertThat(said).contains("turn 1 of session order-42 rests since ", "it waits for an approval",
                "refund {}", "answer: belay.approvals().decide(\"", "belay approve ", " --store " + file);
        assertThat(errors).content()
                .satisfies(logged -> assertThat(logged.contains(
                        "Turn 1 of session order-42 rests; it waits for refund {}")).isEqualTo(hasBinding));
    }
}
