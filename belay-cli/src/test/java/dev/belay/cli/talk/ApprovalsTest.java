package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ApprovalsTest {

    private static final String WRITING = """
            {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"hello"}}]}
            {"text":"Done."}
            """;
    private static final String WRITING_TWICE = """
            {"calls":[{"name":"write_file","arguments":{"path":"one.txt","content":"1"}}]}
            {"calls":[{"name":"write_file","arguments":{"path":"two.txt","content":"2"}}]}
            {"text":"Done."}
            """;
    private static final String DONE = "{\"text\":\"Done.\"}\n";

    @TempDir
    Path directory;

    @Test
    void forThisTurnAsksOnce() throws IOException {
        Run run = bench(WRITING_TWICE).terminals(0, 2)
                .input("v\nt\n")
                .run("run", "--script", "script.jsonl", "Write");
        assertThat(run.status()).isZero();
        assertThat(directory.resolve("two.txt")).hasContent("2");
        assertThat(run.err()).containsOnlyOnce("? write_file");
    }

    @Test
    void aGrantForTheSessionHoldsUntilItIsRevoked() throws IOException {
        talk("v\ns\n", "run", "--script", "script.jsonl", "-s", "one", "Write");
        Files.delete(directory.resolve("out.txt"));
        assertThat(bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "Again").status())
                .isZero();
        assertThat(directory.resolve("out.txt")).hasContent("hello");

        Run grants = bench("").run("grants", "--json");
        Json grant = Json.of(grants.out().strip());
        assertThat(grant.get("tool")).contains(Json.string("write_file"));
        assertThat(grant.at("/rules/0/rule")).contains(Json.string("changes"));
        assertThat(grant.get("by")).contains(Json.string("anna"));
        String id = grant.get("id").orElseThrow().asString();
        assertThat(bench("").run("grants", "--revoke", id).status()).isEqualTo(2);
        assertThat(bench("").run("grants", "one", "--revoke", id).out()).isEqualTo("revoked " + id + "\n");
        assertThat(bench("").run("grants", "one").err()).isEqualTo("no grants\n");
        assertThat(bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "Again").status())
                .isEqualTo(5);
    }

    @Test
    void argumentsAreEditedAndCheckedAndTheModelIsTold() throws IOException {
        Run run = talk("e\n{\"path\":1}\ne\n{\"path\":\"other.txt\",\"content\":\"hi\"}\ny\n", "run",
                "--script",
                "script.jsonl", "-s", "one", "Write");
        assertThat(run.status()).isZero();
        assertThat(run.err()).contains("these arguments do not fit the tool");
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(directory.resolve("other.txt")).hasContent("hi");
        assertThat(bench("").run("sessions", "show", "one", "--messages").out())
                .contains("arguments_changed");
        String changed = "{\"path\":\"other.txt\",\"content\":\"hi\"}";
        assertThat(bench("").run("sessions", "show", "one").out())
                .contains("\n    a person changed this to " + changed + "\n");
        Json asked = Json.of(bench("").run("sessions", "show", "one", "--json").out().strip())
                .at("/calls/0/asked")
                .orElseThrow();
        assertThat(asked.get("decided")).contains(Json.of(changed));
        assertThat(asked.at("/proposed/path")).contains(Json.string("out.txt"));
    }

    @Test
    void aCallWhoseArgumentsNoPersonChangedIsShownWithoutAChange() throws IOException {
        talk("y\n", "run", "--script", "script.jsonl", "-s", "one", "Write");
        assertThat(bench("").run("sessions", "show", "one").out()).contains("write_file ")
                .doesNotContain("a person changed");
    }

    @Test
    void aPersonAnswersInThePlaceOfTheTool() throws IOException {
        talk("a\nalready written\n", "run", "--script", "script.jsonl", "-s", "one", "Write");
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench("").run("sessions", "show", "one").out()).contains("already written");
    }

    @Test
    void anAnswerOfAnotherCommandNamesTheDigest() throws IOException {
        String key = parked();
        Run shown = bench("").run("pending", key);
        assertThat(shown.out()).contains("/content = \"hello\"", "digest: ");
        String digest = shown.out().replaceAll("(?s).*digest: (\\w+)\n.*", "$1");

        assertThat(bench("").run("approve", key).err()).contains("--digest");
        Run wrong = bench("").run("approve", key, "--digest", "000000000000");
        assertThat(wrong.status()).isEqualTo(3);
        assertThat(wrong.err())
                .contains("\"000000000000\" is not that of this request; 'belay pending KEY-ID'");
        Run unknown = bench("").run("approve", "wabc", "--digest", digest);
        assertThat(unknown.status()).isEqualTo(3);
        assertThat(unknown.err()).contains("\"wabc\"", "the id is of another store; 'belay pending'");
        assertThat(bench("").run("approve", key, "--digest", digest.substring(0, 12)).out())
                .isEqualTo("approved once: " + key + "\n");
        for (String again : List.of(digest, digest.substring(0, 12))) {
            assertThat(bench("").run("approve", key, "--digest", again).out()).contains("(it was so before)");
        }
        assertThat(bench("").run("approve", key).out()).contains("(it was so before)");
        for (String other : List.of(digest.substring(0, 11), "000000000000", "12")) {
            Run refused = bench("").run("approve", key, "--digest", other);
            assertThat(refused.status()).isEqualTo(3);
            assertThat(refused.err()).contains(
                    "the digest \"" + other + "\" is not that of this request; it was approved once by anna");
        }
        Run late = bench("").run("deny", key, "no");
        assertThat(late.status()).isEqualTo(3);
        assertThat(late.err()).contains("approved once by anna");

        // the person has answered: the mode of the command that goes on does not take that back
        Run resumed = bench(DONE).run("resume", "one", "--script", "script.jsonl", "--approve", "never");
        assertThat(resumed.out()).isEqualTo("Done.\n");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
        assertThat(bench("").run("audit").out()).contains("ask", "approve");
    }

    @Test
    void onATerminalARequestIsShownBeforeItIsApproved() throws IOException {
        String key = parked();
        Run no = bench("").terminals(0, 2).input("n\n").run("approve", key);
        assertThat(no.status()).isEqualTo(3);
        Run yes = bench("").terminals(0, 2).input("y\n").run("approve", key, "--turn");
        assertThat(yes.err()).contains("/content = \"hello\"");
        assertThat(yes.out()).isEqualTo("approved for its turn: " + key + "\n");
    }

    @Test
    void wordsOfADenialReachTheModel() throws IOException {
        String key = parked();
        assertThat(bench("").run("deny", key, "use", "the", "database").status()).isZero();
        assertThat(bench(DONE).run("resume", "one", "--script", "script.jsonl").status()).isZero();
        assertThat(bench("").run("sessions", "show", "one").out()).contains("use the database");
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void anApprovalIsTakenBackUntilTheCallBegins() throws IOException {
        String key = parked();
        Run early = bench("").run("take-back", key);
        assertThat(early.status()).isEqualTo(3);
        assertThat(early.err()).contains("it was not answered yet");
        assertThat(bench("").terminals(0, 2).input("y\n").run("approve", key).status()).isZero();
        assertThat(bench("").run("take-back", key, "the", "wrong", "file").out())
                .isEqualTo("taken back: " + key + "\n");
        assertThat(bench("").run("take-back", key).out())
                .isEqualTo("taken back: " + key + " (it was so before)\n");
        assertThat(bench(DONE).run("resume", "one", "--script", "script.jsonl").status()).isZero();
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench("").run("sessions", "show", "one").out())
                .contains("the approval was taken back: the wrong file");
        assertThat(bench("").run("audit").out()).contains("take-back");
    }

    @Test
    void anAnswerMustFitWhatTheToolPromises() throws IOException {
        String key = parked();
        String digest = Json.of(bench("").run("pending", key, "--json").out().strip())
                .at("/request/digest")
                .orElseThrow()
                .asString();
        assertThat(bench("").run("answer", key, "--digest", digest, "--value", "{").status()).isEqualTo(2);
        assertThat(bench("").run("answer", key, "--digest", digest, "--text", "written").status()).isZero();
        assertThat(bench("").run("approve", "w00", "--digest", digest).status()).isEqualTo(3);
    }

    @Test
    void theModeOfTheCommandThatGoesOnCounts() throws IOException {
        parked();
        Run never = bench(DONE).run("resume", "one", "--script", "script.jsonl", "--approve", "never");
        assertThat(never.status()).isZero();
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void approveAllAnswersWhatAnEarlierCommandAsked() throws IOException {
        parked();
        Run all = bench(DONE).run("resume", "one", "--script", "script.jsonl", "--approve", "all");
        assertThat(all.status()).isZero();
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void aRuleThatDeniesCountsUnderApproveAll() throws IOException {
        policy("""
                [[policy.rule]]
                id = "no-writes"
                verdict = "deny"
                tools = "write_*"
                reason = "this project is read by others"
                """);
        Run run = bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "--approve", "all",
                "Write");
        assertThat(run.status()).isZero();
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench("").run("sessions", "show", "one").out()).contains("this project is read by others");
    }

    @Test
    void whatAllLetsRunIsInTheAuditLog() throws IOException {
        Run run = bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "--approve", "all",
                "Write");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(directory.resolve("out.txt")).exists();
        List<String> rows = bench("").run("audit", "--json").out().lines().toList();
        assertThat(rows).filteredOn(row -> row.contains("\"verb\":\"ask\"")).hasSize(1);
        assertThat(rows).filteredOn(row -> row.contains("\"verb\":\"approve\""))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("\"door\":\"command --approve all\"", "\"answer\":{\"approve\":\"ONCE\"}");
    }

    @Test
    void rulesThatLoosenNeedTrustAndSafeIsStricter() throws IOException {
        policy("""
                [[policy.rule]]
                id = "text-files"
                verdict = "allow"
                tools = "write_file"
                where = [{ pointer = "/path", glob = "*.txt" }]
                """);
        Run refused = bench(WRITING).run("run", "--script", "script.jsonl", "Write");
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err())
                .contains(
                        "let calls of write_file where /path glob *.txt run without asking (rule \"text-files\" of the policy)");
        assertThat(bench("").run("trust").status()).isZero();

        assertThat(
                bench(WRITING).run("run", "--script", "script.jsonl", "--approve", "safe", "Write").status())
                .isZero();
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench(WRITING).run("run", "--script", "script.jsonl", "Write").status()).isZero();
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void policiesAreCheckedAndExplainedWithoutAModel() throws IOException {
        policy("""
                [[policy.rule]]
                id = "big"
                verdict = "ask"
                tools = "add_numbers"
                where = [{ pointer = "/a", above = 100 }]
                reason = "large numbers need a person"

                [agents.reader.policy]
                otherwise = "deny"

                """ + CommandBench.BASICS);
        assertThat(bench("").run("policy", "check").out())
                .containsPattern("default +write_file +idempotent +ask +changes")
                .containsPattern("reader +write_file +idempotent +deny");
        assertThat(bench("").run("policy", "explain", "add_numbers", "{\"a\":101,\"b\":1}").out())
                .isEqualTo("""
                        ask by rule "big": large numbers need a person
                          matches: ask by rule "big": large numbers need a person
                        """);
        assertThat(bench("").run("policy", "explain", "add_numbers", "{\"a\":1,\"b\":1}").out())
                .isEqualTo("allow by no rule\n");
        assertThat(bench("").run("policy", "explain", "write_file", "--agent", "reader").out())
                .startsWith("deny");
        assertThat(bench("").run("policy", "explain", "write_file", "--agent", "x").status()).isEqualTo(4);
        assertThat(bench("").run("policy", "explain", "add_numbers", "{").status()).isEqualTo(2);
    }

    @Test
    void aRuleThatIsStricterMeanwhileWinsOverAnApproval() throws IOException {
        approve(parked());
        policy("[[policy.rule]]\nid = \"frozen\"\nverdict = \"deny\"\ntools = \"write_file\"\n");
        Run resumed = bench(DONE).run("resume", "one", "--script", "script.jsonl");
        assertThat(resumed.out()).as(resumed.err()).isEqualTo("Done.\n");
        assertThat(bench("").run("sessions", "show", "one").out()).contains("frozen");
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void aFileThatChangedSinceItWasShownIsNotOverwritten() throws IOException {
        Files.writeString(directory.resolve("out.txt"), "old\n");
        String key = parked();
        assertThat(bench("").run("pending", key).out()).contains("-old", "+hello");
        approve(key);
        Files.writeString(directory.resolve("out.txt"), "newer\n");
        Run resumed = bench(DONE).run("resume", "one", "--script", "script.jsonl");
        assertThat(resumed.err()).contains("prepared_tool_mismatch");
        assertThat(directory.resolve("out.txt")).hasContent("newer");
    }

    private void approve(String key) throws IOException {
        assertThat(bench("").terminals(0, 2).input("y\n").run("approve", key).status()).isZero();
    }

    @Test
    void aMistakeInThePolicyNamesLineAndColumn() throws IOException {
        policy("[[policy.rule]]\nid = \"a\"\nverdict = \"alow\"\n");
        Run run = bench("").run("policy", "check");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).containsPattern("belay\\.toml:3:\\d+: ").contains("allow");
    }

    private Run talk(String typed, String... command) throws IOException {
        return bench(WRITING).terminals(0, 2).input(typed).run(command);
    }

    /** Leaves a call that asks without an answer; its key id. */
    private String parked() throws IOException {
        assertThat(bench(WRITING).run("run", "--script", "script.jsonl", "-s", "one", "Write").status())
                .isEqualTo(5);
        Json wait = Json.of(bench("").run("pending", "--json").out().strip());
        assertThat(wait.get("kind")).contains(Json.string("approval"));
        return wait.get("key_id").orElseThrow().asString();
    }

    private void policy(String toml) throws IOException {
        Files.writeString(directory.resolve("belay.toml"), toml);
    }

    private CommandBench bench(String script) throws IOException {
        if (!script.isEmpty()) {
            Files.writeString(directory.resolve("script.jsonl"), script);
        }
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
