package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.cli.shell.ExitCode;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the command promises as a local agent: its files, its output, its tools and what it needs no model for. */
@Timeout(180)
class LocalAgentTest {

    private static final Pattern CODE = Pattern.compile("(?m)^\\| (\\d+) \\|");

    @TempDir
    Path directory;

    @Test
    void databaseNotesAndLogAreInTheDirectoryOfTheWorkspaceForItsOwnerOnly() throws IOException {
        run("--approve", "all", call("session_note_append", "{\"note\":\"buy rope\"}"));
        assertThat(directory.resolve(".belay/belay.db")).exists();
        assertThat(directory.resolve(".belay/notes.jsonl")).content().contains("buy rope");
        assertThat(directory.resolve(".belay/sessions/one/events.jsonl")).content().contains("user_message");
        assertThat(Files.getPosixFilePermissions(directory.resolve(".belay")).toString())
                .doesNotContain("GROUP", "OTHERS");
    }

    @Test
    void everyExitCodeStandsInTheTableOfThePage() throws Exception {
        Set<Integer> codes = new TreeSet<>(Set.of(69, 70)); // those of the launcher
        for (Field field : ExitCode.class.getFields()) {
            codes.add(field.getInt(null));
        }
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        String table = page.substring(page.indexOf("## Exit codes"), page.indexOf("## How fast it is"));
        List<Integer> told = CODE.matcher(table)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
        assertThat(told).containsExactlyElementsOf(codes);
    }

    @Test
    void withoutAModelEverythingElseWorks() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        Run parked = run("--approve", "ask", call("write_file", "{\"path\":\"a.txt\",\"content\":\"b\"}"));
        assertThat(parked.status()).isEqualTo(5);
        String key = bench().run("pending").out().lines().skip(1).findFirst().orElseThrow().split(" ", -1)[0];
        for (List<String> command : List.of(List.of("tools", "ls"), List.of("tools", "show", "add_numbers"),
                List.of("tools", "call", "add_numbers", "{\"a\":2,\"b\":3}"), List.of("policy", "check"),
                List.of("policy", "explain", "write_file", "{\"path\":\"a\",\"content\":\"b\"}"),
                List.of("replay", ".belay/sessions/one/events.jsonl"), List.of("sessions", "ls"),
                List.of("sessions", "show", "one"), List.of("pending", key), List.of("deny", key, "no"))) {
            Run run = bench().run(command.toArray(String[]::new));
            assertThat(run.status()).as("%s: %s", command, run.err()).isZero();
            assertThat(run.out()).as("%s", command).isNotEmpty();
        }
        assertThat(bench().run("resolve", key, "--text", "late").status()).as("it is answered").isNotZero();
    }

    @Test
    void filesAreConfinedToTheWorkspaceAndSecretsAreRefused() throws IOException {
        Path inside = Files.createDirectories(directory.resolve("inside"));
        Files.writeString(directory.resolve("outside.txt"), "hidden");
        Files.createSymbolicLink(inside.resolve("link.txt"), directory.resolve("outside.txt"));
        Files.createDirectories(inside.resolve(".git"));
        Files.createDirectories(inside.resolve(".belay"));
        for (String secret : List.of(".env", "id_rsa", ".git/config", ".belay/notes.jsonl")) {
            Files.writeString(inside.resolve(secret), "hidden");
        }
        assertThat(bench().run("trust", "-C", "inside").status()).isZero();
        for (String path : List.of("../outside.txt", directory.resolve("outside.txt").toString(), "link.txt",
                ".env", "id_rsa", ".git/config", ".belay/notes.jsonl")) {
            Run run = bench().run("tools", "call", "-C", "inside", "read_file",
                    "{\"path\":\"" + path + "\"}");
            assertThat(run.status()).as(path).isEqualTo(1);
            assertThat(run.out() + run.err()).as(path).doesNotContain("hidden");
        }
        Run missing = bench().run("tools", "call", "read_file", "{\"path\":\"none.txt\"}");
        assertThat(missing.out() + missing.err()).contains("none.txt").doesNotContain("Exception");
    }

    @Test
    void commandsHaveNoInputNoKeysAndADeadline() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\"]\n");
        assertThat(bench().run("trust").status()).isZero();
        Run run = bench().input("typed")
                .set("BANK_KEY", "secret")
                .run("tools", "call", "run_command",
                        "{\"command\":\"cat; env; echo end\"}");
        assertThat(run.out()).as(run.err()).contains("end").doesNotContain("typed", "secret", "BANK_KEY");
        Run slow = bench().run("tools", "call", "run_command",
                "{\"command\":\"(sleep 600; touch late) & sleep 600\",\"seconds\":1}");
        assertThat(slow.status()).as(slow.out()).isEqualTo(1);
        assertThat(ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains("sleep 600"))).isEmpty();
    }

    @Test
    void twoAndThreeAreFiveAndANoteIsOneRecord() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        assertThat(bench().run("tools", "call", "add_numbers", "{\"a\":2,\"b\":3}").out()).isEqualTo("5\n");
        assertThat(bench().run("tools", "call", "session_note_append", "{\"note\":\"one\\ntwo\"}").out())
                .isEqualTo("note appended\n");
        assertThat(Files.readAllLines(directory.resolve(".belay/notes.jsonl"))).hasSize(1);
        assertThat(bench().run("tools", "show", "session_note_append").out()).doesNotContain("path",
                "file\"");
    }

    @Test
    void aScriptedRunAsksNoServerAndAServerElsewhereIsToldOnce() throws IOException {
        try (WireServer server = WireServer.start()) {
            Files.writeString(directory.resolve("script.jsonl"), "{\"text\":\"ok\"}\n");
            Run run = bench().set("OPENAI_BASE_URL", server.url() + "/v1")
                    .set("OPENAI_API_KEY", "k")
                    .run("run", "--script", "script.jsonl", "Hi");
            assertThat(run.out()).isEqualTo("ok\n");
            assertThat(server.requests()).isEmpty();
            server.playAlways(WireAnswer.of(401, "application/json", "{\"error\":{\"message\":\"no\"}}"));
            Run near = bench().set("OPENAI_BASE_URL", server.url() + "/v1")
                    .set("OPENAI_MODEL", "m")
                    .run("run", "Hi");
            assertThat(near.err()).doesNotContain("not this machine");
        }
        Files.writeString(directory.resolve("belay.toml"), "[agent]\npatience = \"PT0S\"\n");
        Run far = bench().set("OPENAI_BASE_URL", "http://nowhere.invalid/v1")
                .set("OPENAI_MODEL", "m")
                .run("run", "Hi");
        assertThat(far.status()).isEqualTo(1);
        assertThat(far.err()).containsOnlyOnce("which is not this machine");
    }

    private static String call(String tool, String arguments) {
        return "{\"calls\":[{\"name\":\"" + tool + "\",\"arguments\":" + arguments
                + "}]}\n{\"text\":\"Done.\"}\n";
    }

    private Run run(String option, String value, String script) throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), script);
        return bench().run("run", "-s", "one", option, value, "--script", "script.jsonl", "Go");
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
