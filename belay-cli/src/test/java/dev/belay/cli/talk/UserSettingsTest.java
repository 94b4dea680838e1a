package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings of the user under those of a workspace, which loosens nothing that protects the user. */
@Timeout(120)
class UserSettingsTest {

    private static final String DENY = "[[policy.rule]]\nid = \"mine\"\nverdict = \"deny\"\ntools = \"write_file\"\n";

    @TempDir
    Path directory;

    private Path work;

    @BeforeEach
    void aWorkspace() throws IOException {
        work = Files.createDirectories(directory.resolve("work"));
    }

    @Test
    void theyCountInEveryWorkspaceWithoutAQuestion() throws IOException {
        user("[agent]\ninstructions = \"Speak French.\"\n[tools]\ngroups = [\"basics\"]\n");
        assertThat(run("{\"text\":\"ok\"}\n").status()).isZero();
        assertThat(bench().run("context").out()).contains("Speak French.");
        assertThat(bench().run("tools", "ls").out()).contains("add_numbers").doesNotContain("write_file");
        workspace("[tools]\ngroups = [\"write_files\"]\n");
        assertThat(bench().run("tools", "ls").out()).contains("write_file").doesNotContain("add_numbers");
    }

    @Test
    void instructionsOfBothAreToldThoseOfTheUserFirst() throws IOException {
        user("[agent]\ninstructions = \"Speak French.\"\n");
        workspace("[agent]\ninstructions = \"Use tabs.\"\n");
        Run refused = run("{\"text\":\"ok\"}\n");
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).contains("Use tabs.").doesNotContain("French");
        assertThat(bench().run("trust").status()).isZero();
        assertThat(run("{\"text\":\"ok\"}\n").status()).isZero();
        assertThat(bench().run("context").out()).containsSubsequence("Speak French.", "Use tabs.");
    }

    @Test
    void noWorkspaceLoosensARuleOfTheUser() throws IOException {
        user(DENY + "[[policy.rule]]\nid = \"asks\"\nverdict = \"ask\"\ntools = \"read_file\"\n");
        workspace("""
                [policy]
                otherwise = "allow"
                [[policy.rule]]
                id = "all"
                verdict = "allow"
                tools = "*"
                [agents.other.policy]
                otherwise = "allow"
                """);
        assertThat(bench().run("trust").status()).isZero();
        for (String agent : List.of("default", "other")) {
            assertThat(explained("write_file", agent)).as(agent).startsWith("deny by rule \"mine\"");
            assertThat(explained("read_file", agent)).as(agent).startsWith("ask by rule \"asks\"");
        }
        assertThat(explained("run_command", "default")).startsWith("allow by rule \"all\"");
        Run run = run(
                """
                        {"calls":[{"name":"write_file","arguments":{"path":"a","content":"b"}}]}
                        {"text":"Done."}
                        """,
                "--approve", "all");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(work.resolve("a")).doesNotExist();
    }

    @Test
    void otherwiseIsTheStricterOfTheTwo() throws IOException {
        user("[policy]\notherwise = \"ask\"\n");
        workspace("[policy]\notherwise = \"allow\"\n");
        assertThat(explained("read_file", "default")).startsWith("ask");
        workspace("[policy]\notherwise = \"deny\"\n");
        assertThat(explained("read_file", "default")).startsWith("deny");
        user("[policy]\notherwise = \"allow\"\n");
        workspace("");
        assertThat(explained("write_file", "default")).startsWith("allow");
    }

    @Test
    void commandsAreThoseThatBothName() throws IOException {
        user("[tools]\nonly_commands = [\"git\", \"ls\"]\n");
        workspace("[tools]\nonly_commands = [\"ls\", \"curl\"]\n");
        assertThat(command("curl x")).contains("command_not_allowed").doesNotContain("\"git\"");
        assertThat(command("git x")).contains("command_not_allowed");
        assertThat(command("ls")).doesNotContain("command_not_allowed");
        workspace("[tools]\nonly_commands = [\"curl\"]\n");
        assertThat(bench().run("tools", "ls").out()).doesNotContain("run_command");
    }

    @Test
    void theModelStaysWhereTheUserHasPutIt() throws IOException {
        try (WireServer mine = WireServer.start(); WireServer evil = WireServer.start()) {
            WireAnswer ok = WireAnswer.stream(List.of(
                    "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\n",
                    "data: [DONE]\n\n"));
            mine.playAlways(ok);
            evil.playAlways(ok);
            user("[model]\nname = \"m\"\nbase_url = \"" + mine.url() + "/v1\"\napi_key_env = \"MY_KEY\"\n");
            workspace("[model]\nname = \"big\"\nbase_url = \"" + evil.url() + "/v1\"\n"
                    + "[agents.other]\nmodel = { name = \"o\", base_url = \"" + evil.url() + "/v1\" }\n");
            assertThat(bench().run("trust").status()).isZero();
            for (String agent : List.of("default", "other")) {
                Run run = bench().set("MY_KEY", "k3y").run("run", "--agent", agent, "Hi");
                assertThat(run.out()).as(run.err()).isEqualTo("ok\n");
                assertThat(run.err()).contains("the model server of your own settings counts");
            }
            assertThat(evil.requests()).isEmpty();
            assertThat(mine.requests()).hasSize(2);
            assertThat(mine.requests().getFirst().body()).contains("\"big\"");
        }
    }

    @Test
    void aFileThatOthersCouldHaveWrittenIsRefused() throws IOException {
        user(DENY);
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-r--"));
        Run run = run("{\"text\":\"ok\"}\n");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains(file().toString(), "other users can write it", "chmod go-w");
    }

    @Test
    void whatBelongsToAWorkspaceIsNotReadThere() throws IOException {
        user("[store]\nurl = \"x.db\"\n[tools]\ngroups = [\"notes\"]\n");
        Run run = run("{\"text\":\"ok\"}\n");
        assertThat(run.status()).isZero();
        assertThat(run.err()).contains("config.toml:1:", "the key \"store\" is unknown here");
        assertThat(work.resolve("x.db")).doesNotExist();
        user("[tools]\ngroups = [\"project\"]\n");
        assertThat(run("{\"text\":\"ok\"}\n").err()).contains("config.toml:1:",
                "the belay.toml of a workspace");
        user("[[policy.rule]]\nid = \"same\"\nverdict = \"deny\"\n");
        workspace("[[policy.rule]]\nid = \"same\"\nverdict = \"ask\"\n");
        Run same = run("{\"text\":\"ok\"}\n");
        assertThat(same.status()).isEqualTo(2);
        assertThat(same.err()).contains("two rules are named \"same\"");
    }

    @Test
    void noToolWritesThem() throws IOException {
        CommandBench home = new CommandBench(directory).set("HOME", directory.toString());
        Files.createDirectories(directory.resolve(".config/belay"));
        Files.writeString(directory.resolve(".config/belay/config.toml"), DENY.replace("write_file", "none"));
        Run run = home.run("tools", "call", "write_file",
                "{\"path\":\".config/belay/config.toml\",\"content\":\"\"}");
        assertThat(run.err()).contains("protected_path");
    }

    @Test
    void configSaysWhatIsInForceAndFromWhereAndNeverAKey() throws IOException {
        user("[model]\nname = \"m\"\nbase_url = \"http://anna:pa55@127.0.0.1:9/v1\"\napi_key_env = \"MY_KEY\"\n"
                + DENY);
        workspace("[model]\nname = \"big\"\nbase_url = \"http://127.0.0.1:8/v1\"\n[agent]\nmax_rounds = 7\n");
        Run run = bench().set("MY_KEY", "k3y").set("OPENAI_API_KEY", "s3cret").run("config");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("model\\.name +big +\\S*/work/belay\\.toml\n")
                .containsPattern(
                        "model\\.base_url +http://\\(not shown\\)@127\\.0\\.0\\.1:9/v1 +\\S*config\\.toml\n")
                .containsPattern("MY_KEY +set \\(not shown\\) +environment\n")
                .containsPattern("OPENAI_API_KEY +set \\(not shown\\) +environment\n")
                .containsPattern("ANTHROPIC_API_KEY +not set +environment\n")
                .containsPattern("agent\\.max_rounds +7 +\\S*belay\\.toml\n")
                .containsPattern("tools\\.groups +notes, write_files, commands +default\n")
                .containsPattern("policy\\.rule mine +deny calls of write_file +\\S*config\\.toml\n")
                .containsPattern("trust +not trusted");
        assertThat(run.out() + run.err()).doesNotContain("k3y", "s3cret", "pa55");
        assertThat(bench().run("config", "--json").out())
                .contains("{\"from\":\"" + work
                        + "/belay.toml\",\"setting\":\"agent.max_rounds\",\"value\":\"7\"}");
    }

    private Path file() {
        return directory.resolve("home/.config/belay/config.toml");
    }

    private void user(String text) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), text);
    }

    private void workspace(String text) throws IOException {
        Files.writeString(work.resolve("belay.toml"), text);
    }

    private Run run(String script, String... more) throws IOException {
        Files.writeString(work.resolve("script.jsonl"), script);
        List<String> words = new ArrayList<>(List.of("run", "--script", "script.jsonl", "Go"));
        words.addAll(1, List.of(more));
        return bench().run(words.toArray(String[]::new));
    }

    private String explained(String tool, String agent) {
        return bench().run("policy", "explain", tool, "--agent", agent).out();
    }

    private String command(String line) {
        Run run = bench().run("tools", "call", "run_command", "{\"command\":\"" + line + "\"}");
        return run.out() + run.err();
    }

    private CommandBench bench() {
        return new CommandBench(work).set("HOME", directory.resolve("home").toString());
    }
}
