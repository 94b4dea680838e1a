package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class RunVerbTest {

    private static final String ADDING = """
            {"text":"Let me see.","calls":[{"name":"add_numbers","arguments":{"a":2,"b":3}}]}
            {"text":"It is 5."}
            """;
    private static final String WRITING = """
            {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"hello"}}]}
            {"text":"Done."}
            """;

    @TempDir
    Path directory;

    @Test
    void standardOutputHasTheAnswerOnly() throws IOException {
        Run run = bench(ADDING).run("run", "--script", "script.jsonl", "Add", "2", "and", "3");
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("It is 5.\n");
        assertThat(run.err()).contains("* add_numbers {\"a\":2,\"b\":3}  ok, 1 character")
                .containsPattern("\\[\\d{8}-\\d{6}-[0-9a-f]{4}\\] 2 rounds, 1 call\n");
    }

    @Test
    void jsonPrintsEventsInstead() throws IOException {
        Run run = bench(ADDING).run("run", "--script", "script.jsonl", "--json", "Add");
        List<String> events = run.out()
                .lines()
                .map(line -> Json.of(line).get("event").orElseThrow().asString())
                .toList();
        assertThat(events).startsWith("turn_started", "round_started")
                .contains("call_finished", "text")
                .endsWith("committed");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void onATerminalWordsAreShownAsTheyComeAndOnce() throws IOException {
        Run run = bench(ADDING).terminals(1)
                .set("COLUMNS", "80")
                .run("run", "--script", "script.jsonl", "Add");
        assertThat(run.out()).isEqualTo("Let me see.\nIt is 5.\n");
    }

    @Test
    void safeAndNeverRefuseCallsThatChangeSomething() throws IOException {
        Run safe = bench(WRITING).run("run", "--script", "script.jsonl", "--approve", "safe", "Write");
        assertThat(safe.status()).isZero();
        assertThat(safe.err()).contains("rejected");
        Run never = bench(WRITING).run("run", "--script", "script.jsonl", "--approve", "never", "Write");
        assertThat(never.status()).isZero();
        assertThat(never.err()).contains("approval_denied");
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void safeAndNeverLetCallsRunThatOnlyRead() throws IOException {
        for (String mode : List.of("safe", "never", "ask")) {
            Run run = bench(ADDING).run("run", "--script", "script.jsonl", "--approve", mode, "Add");
            assertThat(run.err()).as(mode).contains("* add_numbers {\"a\":2,\"b\":3}  ok, 1 character");
        }
    }

    @Test
    void withoutATerminalACallThatAsksWaitsForAnotherCommand() throws IOException {
        Run run = bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "Write");
        assertThat(run.status()).isEqualTo(5);
        assertThat(run.err())
                .containsPattern("write_file has not begun.*'belay approve w[0-9a-f]+'.*'belay resume one'");
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void approveAllLetsThemRun() throws IOException {
        Run run = bench(WRITING).run("run", "--script", "script.jsonl", "--approve", "all", "Write");
        assertThat(run.err()).contains("1 file changed");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void aPersonIsAskedWithTheWholeArguments() throws IOException {
        Run run = bench(WRITING).terminals(0, 2)
                .input("v\ny\n")
                .run("run", "--script", "script.jsonl", "Write");
        assertThat(run.err())
                .contains("? write_file out.txt\n    | +hello\n", "Allow it? [y] once, [e] edit",
                        "tool: write_file (", "asked by: rule \"changes\": it may change something",
                        "  /content = \"hello\"",
                        "Allow it? [y] once, [t] in this turn, [s] in this session");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void wordsOfThePersonReachTheModel() throws IOException {
        Run run = bench(WRITING).terminals(0, 2)
                .input("write it to /tmp instead\n")
                .run("run", "--script", "script.jsonl", "-s", "one", "Write");
        assertThat(run.status()).isZero();
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench(WRITING).run("sessions", "show", "one").out())
                .contains("write it to /tmp instead");
    }

    @Test
    void hiddenCharactersOfArgumentsAreShown() throws IOException {
        String script = """
                {"calls":[{"name":"write_file","arguments":{"path":"a\\u202Eb","content":"x\\u001b[2K"}}]}
                {"text":"ok"}
                """;
        Run run = bench(script).terminals(0, 2)
                .set("TERM", "dumb") // no spinner: it moves by such characters
                .input("v\nn\n")
                .run("run", "--script", "script.jsonl", "Write");
        assertThat(run.err())
                .contains("? write_file a<U+202E>b", "+x<U+001B>[2K", "/path = \"a\\u{202E}b\"",
                        "/content = \"x\\u{001B}[2K\"")
                .doesNotContain("\u001b", "\u202e");
    }

    @Test
    void endOfInputAtAQuestionLeavesACallThatHasNotBegun() throws IOException {
        Run run = bench(WRITING).terminals(0, 2).run("run", "--script", "script.jsonl", "-s", "one", "Write");
        assertThat(run.status()).isEqualTo(5);
        assertThat(run.err()).contains("belay resume one");
        assertThat(bench("").run("doubts").err()).isEqualTo("nothing is in doubt\n");
        Run other = bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "--approve", "all",
                "More");
        assertThat(other.status()).isEqualTo(3);
        assertThat(other.err()).contains("has a turn that has not ended");
        Run resumed = bench("{\"text\":\"Done.\"}\n").terminals(0, 2)
                .input("y\n")
                .run("resume", "one", "--script", "script.jsonl");
        assertThat(resumed.out()).isEqualTo("Done.\n");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void aSessionIsContinued() throws IOException {
        String two = "{\"text\":\"One.\"}\n";
        assertThat(bench(two).run("run", "--script", "script.jsonl", "-s", "first", "A").out())
                .isEqualTo("One.\n");
        assertThat(bench(two).run("run", "--script", "script.jsonl", "-c", "B").err()).contains("[first]");
        assertThat(bench(two).run("sessions", "show", "first", "--messages").out().lines()).hasSize(4);
        assertThat(bench(two).run("run", "-c", "-s", "x", "B").status()).isEqualTo(2);
    }

    @Test
    void withNothingToContinueItSaysSo() throws IOException {
        assertThat(bench("").run("run", "--continue", "B").status()).isEqualTo(4);
    }

    @Test
    void theTaskMayComeFromAFileAndFromAPipe() throws IOException {
        Files.writeString(directory.resolve("notes.txt"), "buy rope");
        Run run = bench("{\"text\":\"ok\"}\n").input("from the pipe")
                .run("run", "--script", "script.jsonl", "-s", "one", "Sum up", "@notes.txt", "-");
        assertThat(run.status()).isZero();
        assertThat(bench("").run("sessions", "show", "one", "--messages").out()).contains("buy rope",
                "from the pipe");
        assertThat(bench("").run("run", "--script", "script.jsonl", "@missing.txt").status()).isEqualTo(4);
        assertThat(bench("").input(" ").run("run", "--script", "script.jsonl").status()).isEqualTo(2);
    }

    @Test
    void aScriptWithAMistakeNamesItsLine() throws IOException {
        Run run = bench("{\"text\":\"ok\"}\n{\"txt\":\"ok\"}\n").run("run", "--script", "script.jsonl", "Hi");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("line 2", "\"txt\"", "text");
        assertThat(bench("").run("run", "--script", "gone.jsonl", "Hi").status()).isEqualTo(4);
    }

    @Test
    void aScriptThatIsTooShortSaysWhatWasAskedInWords() throws IOException {
        Run run = bench(WRITING.lines().findFirst().orElseThrow() + "\n").run("run", "--script",
                "script.jsonl",
                "--approve", "never", "Write");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("the script has no answer to request 2",
                "messages is the result of write_file: \"").doesNotContain("ReplyPart", "Message[");
    }

    @Test
    void withoutAModelItSaysWhatToSet() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[model]\nprovider = \"anthropic\"\n");
        assertThat(bench("").run("trust").status()).isZero();
        Run run = bench("").run("run", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("ANTHROPIC_API_KEY");
        assertThat(directory.resolve(".belay/belay.db")).doesNotExist();
    }

    @Test
    void aTurnWithoutAnAnswerFails() throws IOException {
        Run run = bench("{\"error\":{\"kind\":\"authentication\",\"message\":\"wrong key\"}}\n").run("run",
                "--script",
                "script.jsonl", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("wrong key");
    }

    @Test
    void brokenSettingsNameLineAndColumn() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[model\nname = 1\n");
        Run run = bench(ADDING).run("run", "--script", "script.jsonl", "Hi");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).containsPattern("belay\\.toml:1:\\d+: ");
    }

    @Test
    void unknownKeysWarnWithTheNearest() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[agent]\nmax_round = 3\n");
        Run run = bench(ADDING).run("run", "--script", "script.jsonl", "Hi");
        assertThat(run.status()).isZero();
        assertThat(run.err()).contains("belay.toml:2:1: ", "max_rounds").containsOnlyOnce("is unknown here");
    }

    @Test
    void settingsThatStartProcessesNeedTrustOfAPerson() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\", \"project\"]\n");
        String script = "{\"calls\":[{\"name\":\"run_command\",\"arguments\":{\"command\":\"echo hi\"}}]}\n{\"text\":\"ok\"}\n";
        Run refused = bench(script).run("run", "--script", "script.jsonl", "--approve", "all", "Hi");
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).contains("start processes", "belay trust");
        assertThat(directory.resolve(".belay/belay.db")).doesNotExist();

        Run asked = bench(script).terminals(0, 2)
                .input("y\n")
                .run("run", "--script", "script.jsonl", "--approve", "all", "Hi");
        assertThat(asked.status()).isZero();
        assertThat(asked.err()).contains("* run_command", "ok, ");
        assertThat(bench(script).run("run", "--script", "script.jsonl", "--approve", "all", "Hi").status())
                .isZero();

        Files.writeString(directory.resolve("belay.toml"),
                "[tools]\ngroups = [\"commands\", \"project\", \"http\"]\n");
        assertThat(bench(script).run("run", "--script", "script.jsonl", "Hi").status()).isEqualTo(3);
        assertThat(bench(script).run("trust").status()).isZero();
        assertThat(bench(script).run("run", "--script", "script.jsonl", "--approve", "all", "Hi").status())
                .isZero();
    }

    @Test
    void aServerOfTheWorkspacesChoiceNeedsTrust() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[model]\nbase_url = \"https://evil.example/v1\"\nname = \"m\"\n");
        Run run = bench("").set("OPENAI_API_KEY", "secret").run("run", "Hi");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("send conversations to https://evil.example/v1");
    }

    @Test
    void withoutAHomeTrustIsRefusedWithAReason() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\"]\n");
        Run run = new CommandBench(directory).run("trust");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("HOME is not set");
    }

    @Test
    void agentsAreThoseOfTheSettings() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[agents.lawyer]\ninstructions = \"Name the statute.\"\n");
        assertThat(bench("").run("trust").status()).isZero();
        Run run = bench("{\"text\":\"ok\"}\n").run("run", "--script", "script.jsonl", "--agent", "lawyer",
                "-s", "case", "Hi");
        assertThat(run.status()).isZero();
        assertThat(bench("").run("sessions", "ls", "--json").out()).contains("\"agent\":\"lawyer\"");
        assertThat(bench("").run("run", "--script", "script.jsonl", "--agent", "nobody", "Hi").status())
                .isEqualTo(4);
    }

    @Test
    void whatAModelSaysIsRecordedAsAScript() throws IOException {
        bench(ADDING).run("run", "--script", "script.jsonl", "--record", "said.jsonl", "Add");
        Run again = bench(ADDING).run("run", "--script", "said.jsonl", "Add");
        assertThat(again.out()).isEqualTo("It is 5.\n");
        assertThat(again.err()).contains("* add_numbers {\"a\":2,\"b\":3}  ok");
    }

    @Test
    void theLogOfASessionHasALineForEachEvent() throws IOException {
        bench(ADDING).run("run", "--script", "script.jsonl", "-s", "one", "Add");
        try (Stream<String> lines = Files.lines(directory.resolve(".belay/sessions/one/events.jsonl"))) {
            assertThat(lines.map(line -> Json.of(line).get("kind").orElseThrow().asString()))
                    .containsExactly("user_message", "model_response", "tool_result", "model_response",
                            "final_answer", "turn_ended");
        }
    }

    @Test
    void twoRunsInOneDirectoryServeTheirOwnSession() throws Exception {
        CommandBench one = bench("{\"text\":\"ok\"}\n");
        Thread first = Thread.ofVirtual()
                .start(() -> one.run("run", "--script", "script.jsonl", "-s", "a", "Hi"));
        Run second = one.run("run", "--script", "script.jsonl", "-s", "b", "Hi");
        first.join();
        assertThat(second.status()).isZero();
        assertThat(one.run("sessions", "ls", "--json").out().lines()).hasSize(2);
    }

    @Test
    void toolsAreListedShownAndCalledWithoutAModel() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        assertThat(bench("").run("tools", "ls").out()).contains("add_numbers          read");
        assertThat(
                Json.of(bench("").run("tools", "show", "add_numbers").out().strip()).at("/input/required/0"))
                .contains(Json.string("a"));
        assertThat(bench("").run("tools", "call", "add_numbers", "{\"a\":2,\"b\":3}"))
                .isEqualTo(new Run(0, "5\n", ""));
        Run wrong = bench("").run("tools", "call", "add_numbers", "{\"a\":2}");
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.err()).contains("required field \"b\" is missing");
        Run unknown = bench("").run("tools", "show", "add_number");
        assertThat(unknown.status()).isEqualTo(4);
        assertThat(unknown.err()).contains("did you mean add_numbers?");
        assertThat(bench("").run("tools", "show", "xyz").err())
                .isEqualTo("belay: there is no tool \"xyz\"; 'belay tools ls' lists them\n");
    }

    @Test
    void initMakesSettingsThatDoctorReads() throws IOException {
        assertThat(bench("").run("init").status()).isZero();
        assertThat(bench("").run("init").status()).isEqualTo(3);
        Run doctor = bench("").set("ANTHROPIC_API_KEY", "k").run("doctor");
        assertThat(doctor.status()).isZero();
        assertThat(doctor.out()).contains("settings: ", "9 tools", "database: none yet",
                "model: AnthropicModel[");
    }

    private CommandBench bench(String script) throws IOException {
        if (script.equals(ADDING) && !Files.exists(directory.resolve("belay.toml"))) {
            Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        }
        if (!script.isEmpty()) {
            Files.writeString(directory.resolve("script.jsonl"), script);
        }
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
