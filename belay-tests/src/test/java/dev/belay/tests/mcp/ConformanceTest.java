package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The official conformance suite, client side. {@code mcp-expected-failures.txt} has the scenarios that fail; one that passes must leave
 * it, so the list only shrinks.
 */
@Tag("deep")
class ConformanceTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void exactlyTheExpectedScenariosOfTheClientFail(String revision) throws Exception {
        Path node = NodePackages.node();
        List<String> required = listed(node, "", "--requirements", revision);
        assertThat(failed(node, revision, required, "--spec-version", revision))
                .containsExactlyInAnyOrderElementsOf(expected(revision));
        assertThat(required).hasSizeGreaterThan(expected(revision).size() + 3);
    }

    /** Without a revision: with one, the suite passes over extensions and says that they passed. */
    @Test
    void exactlyTheExpectedScenariosOfExtensionsFail() throws Exception {
        Path node = NodePackages.node();
        List<String> extensions = listed(node, " [extension]");
        assertThat(extensions).isNotEmpty();
        assertThat(failed(node, "extension", extensions))
                .containsExactlyInAnyOrderElementsOf(expected("extension"));
    }

    private Set<String> failed(Path node, String of, List<String> scenarios, String... more)
            throws IOException, InterruptedException {
        Path client = client();
        var failed = new TreeSet<String>();
        for (String scenario : scenarios) {
            List<String> arguments = new ArrayList<>(
                    List.of("client", "--command", client.toString(), "--scenario", scenario));
            arguments.addAll(List.of(more));
            if (run(node, arguments, folder.resolve("run.log")) != 0) {
                failed.add(scenario);
            }
        }
        System.out.println("MCP conformance " + of + ": " + (scenarios.size() - failed.size())
                + " scenarios passed, " + failed.size() + " failed");
        return failed;
    }

    private static int run(Path node, List<String> arguments, Path log)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(node.toString(), NodePackages.program("conformance")));
        command.addAll(arguments);
        Process suite = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!suite.waitFor(2, TimeUnit.MINUTES)) {
            suite.destroyForcibly();
            return -1;
        }
        return suite.exitValue();
    }

    /** The client scenarios whose line ends so, without that end. */
    private List<String> listed(Path node, String end, String... which)
            throws IOException, InterruptedException {
        Path log = folder.resolve("list.log");
        List<String> arguments = new ArrayList<>(List.of("list"));
        arguments.addAll(List.of(which));
        assertThat(run(node, arguments, log)).isZero();
        return Files.readAllLines(log)
                .stream()
                .dropWhile(line -> !line.startsWith("Client scenarios"))
                .skip(1)
                .takeWhile(line -> line.startsWith("  - "))
                .filter(line -> line.endsWith(end))
                .map(line -> line.substring(4, line.length() - end.length()).strip())
                .toList();
    }

    private static List<String> expected(String revision) throws IOException {
        try (InputStream file = Objects
                .requireNonNull(ConformanceTest.class.getResourceAsStream("/mcp-expected-failures.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> line.startsWith(revision + " "))
                    .map(line -> line.substring(revision.length() + 1).strip())
                    .toList();
        }
    }

    /** A script that starts the client, because the suite takes a command without quotes. */
    private Path client() throws IOException {
        Path script = folder.resolve("client.sh");
        Files.writeString(script,
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                        + System.getProperty("java.class.path") + "' "
                        + ConformanceClient.class.getName() + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }
}
