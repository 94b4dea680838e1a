package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many schemas may lie inside one another does not depend on what the virtual machine has compiled by then. */
class SchemaDepthTest {

    @Test
    void aDeepCheckEndsWithTheSameAnswerColdAndWarm() throws Exception {
        String expected = "valid\n".repeat(Chains.LINKS.size())
                + ("(root): expected a value that leads through at most 640 schemas inside one another, "
                        + "found one that leads through more; "
                        + "the check was given up here; send a smaller or simpler value\n")
                        .repeat(Chains.LINKS.size());

        assertThat(interpreted()).isEqualTo(expected);
        for (int i = 0; i < 5; i++) {
            assertThat(Chains.answers(Chains.ORDINARY)).isEqualTo(expected);
            assertThat(Chains.answers(Thread.ofVirtual().factory())).isEqualTo(expected);
        }
    }

    /** The answers of a virtual machine that only interprets, which takes the most stack. */
    private static String interpreted() throws IOException, InterruptedException {
        String classes = List.of(SchemaDepthTest.class, JsonSchema.class)
                .stream()
                .map(type -> Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                        .toString())
                .distinct()
                .collect(Collectors.joining(System.getProperty("path.separator")));
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint", "-Xss1m", "-cp", classes, Chains.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String answers = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return answers;
        } finally {
            child.destroyForcibly();
        }
    }

    /** The checks, which are also the program of a child; it needs no class of a test framework. */
    static final class Chains {

        private static final List<String> LINKS = List.of("{\"allOf\":[@]}", "{\"oneOf\":[@,false]}",
                "{\"anyOf\":[@,{\"type\":\"string\"}]}", "{\"if\":@,\"then\":true,\"else\":false}",
                "{\"not\":@}");

        /** Threads with the stack that a thread has by default. */
        static final ThreadFactory ORDINARY = body -> new Thread(null, body, "1 MiB", 1 << 20);

        private Chains() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.print(answers(ORDINARY));
        }

        static String answers(ThreadFactory threads) throws InterruptedException {
            AtomicReference<String> answers = new AtomicReference<>("");
            Thread thread = threads.newThread(() -> {
                for (int links : new int[]{638, 2_000}) {
                    for (String link : LINKS) {
                        String answer = JsonSchema.of(Json.of(chain(link, links)))
                                .validate(Json.NULL)
                                .toString();
                        answers.updateAndGet(before -> before + answer + "\n");
                    }
                }
            });
            thread.start();
            thread.join();
            return answers.get();
        }

        private static String chain(String link, int links) {
            return IntStream.range(0, links)
                    .mapToObj(i -> "\"%d\":".formatted(i)
                            + link.replace("@", "{\"$ref\":\"#/$defs/%d\"}".formatted(i + 1)))
                    .collect(Collectors.joining(",", "{\"$ref\":\"#/$defs/0\",\"$defs\":{",
                            ",\"" + links + "\":{\"type\":\"null\"}}}"));
        }
    }
}
