package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an agent of the command has beside its tools: a plan, sub-agents, a history that stays within the context. */
@Timeout(120)
class AgentPartsTest {

    /** The model asks another agent, which writes a file. */
    private static final String ASKS = """
            {"calls":[{"name":"ask_agent","arguments":{"agent":"helper","task":"Write the file"}}]}
            {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"x"}}]}
            {"text":"It is written."}
            {"text":"The helper has done it."}
            """;

    @TempDir
    Path directory;

    @Test
    void aPlanStandsBehindTheNextQuestion() throws IOException {
        Run run = run("--approve", "ask",
                """
                        {"calls":[{"name":"update_plan","arguments":{"steps":[{"text":"look around","status":"ACTIVE"}]}}]}
                        {"text":"Done."}
                        """);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(bench().run("context").out()).contains("The plan so far:\n    | - [active] look around");
        assertThat(verified()).isEqualTo(new Run(0, "verified: 1 calls\n", ""));
    }

    @Test
    void callsOfASubAgentAskAndItsAnswerComesBack() throws IOException {
        Run waits = run("--approve", "ask", ASKS);
        assertThat(waits.status()).as(waits.err()).isEqualTo(5);
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench().run("pending").out()).containsPattern("approval +child-\\S+ +write_file")
                .doesNotContainPattern("approval +one ");
        script(ASKS.lines().skip(2).map(line -> line + "\n").reduce("", String::concat));
        Run resumed = bench().terminals(0, 2).input("y\n").run("resume", "one", "--script", "script.jsonl");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(resumed.out()).isEqualTo("The helper has done it.\n");
        assertThat(directory.resolve("out.txt")).exists();
        assertThat(bench().run("context").out()).contains("result of ask_agent:\n    | It is written.");
    }

    @Test
    void aRunWithASubAgentIsVerifiedAndItsRecordingPlaysAgain() throws IOException {
        script(ASKS);
        assertThat(bench().run("run", "-s", "one", "--approve", "all", "--script", "script.jsonl", "--record",
                "said.jsonl", "Go").status()).isZero();
        assertThat(verified()).isEqualTo(new Run(0, "verified: 1 calls\n", ""));
        Files.delete(directory.resolve("out.txt"));
        Run again = bench().run("run", "-s", "two", "--approve", "all", "--script", "said.jsonl", "Go");
        assertThat(again.out()).as(again.err()).isEqualTo("The helper has done it.\n");
        assertThat(directory.resolve("out.txt")).exists();
    }

    @Test
    void agentsOfTheSettingsCanBeAskedUnlessTheyHaveAModelOfTheirOwn() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), """
                [agents.lawyer]
                instructions = "You name the statute.\\nAlways."
                [agents.far]
                model = { base_url = "http://127.0.0.1:9/v1", name = "m" }
                """);
        assertThat(bench().run("trust").status()).isZero();
        Run run = run("--approve", "ask", """
                {"calls":[{"name":"ask_agent","arguments":{"agent":"far","task":"x"}}]}
                {"calls":[{"name":"ask_agent","arguments":{"agent":"lawyer","task":"x"}}]}
                {"text":"Statute 5."}
                {"text":"Done."}
                """);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).contains("unknown_agent");
        assertThat(bench().run("context").out())
                .contains("- lawyer: You name the statute.\n", "- helper: an agent like you",
                        "    | Statute 5.")
                .doesNotContain("- far:", "Always.");
        assertThat(bench().run("sessions", "ls", "--json").out()).contains("\"agent\":\"lawyer\"");
    }

    @Test
    void whatIsLeftOutIsNotOffered() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[agent]\nleave_out = [\"plan\", \"sub_agents\"]\n");
        Run run = run("--approve", "ask",
                """
                        {"calls":[{"name":"update_plan","arguments":{"steps":[]}},{"name":"ask_agent","arguments":{}}]}
                        {"text":"Done."}
                        """);
        assertThat(run.err()).contains("* update_plan {\"steps\":[]}  unknown_tool",
                "* ask_agent {}  unknown_tool");
        assertThat(bench().run("context").out()).doesNotContain("publish a plan", "- helper:");
    }

    @Test
    void aHistoryThatNearsTheEndOfTheContextIsShortened() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[model]\ncontext = 6000\n");
        for (int turn = 1; turn <= 4; turn++) {
            Run run = run("--approve", "ask", "{\"text\":\"" + "word ".repeat(1500)
                    + "\"}\n{\"text\":\"A summary.\"}\n");
            assertThat(run.status()).as(run.err()).isZero();
        }
        assertThat(bench().run("sessions", "show", "one", "--json").out()).contains("\"turn\":4");
        assertThat(bench().run("context").out()).contains("earlier messages of this conversation");
    }

    private Run run(String option, String value, String script) throws IOException {
        script(script);
        return bench().run("run", "-s", "one", option, value, "--script", "script.jsonl", "Go");
    }

    private Run verified() {
        return bench().run("replay", ".belay/sessions/one/events.jsonl", "--verify");
    }

    private void script(String script) throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), script);
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
