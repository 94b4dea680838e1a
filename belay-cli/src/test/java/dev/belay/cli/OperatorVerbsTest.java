package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench.Run;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.schema.Description;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operators' commands on a database that a runtime has left: a finished session, one that waits, and a call in doubt. */
@Timeout(180)
class OperatorVerbsTest {

    @TempDir
    Path directory;

    private CommandBench bench;

    @Tool
    @Description("Asks a person.")
    record Ask(String question) implements ToolInput<String> {}

    @Tool(timeout = "PT0.1S")
    @Description("Pays.")
    record Pay(int cents) implements ToolInput<String> {}

    @BeforeEach
    void leaveADatabase() throws Exception {
        bench = new CommandBench(directory).set("HOME", directory.resolve("home").toString());
        Files.createDirectories(directory.resolve(".belay"));
        var model = new ScriptedModel()
                .when(request -> request.messages().getFirst().toString().contains("Ask"),
                        ScriptStep.call("ask", "{\"question\":\"May I?\"}")
                                .when(r -> r.messages().size() == 1))
                .reply("Hello.")
                .call("pay", "{\"cents\":5}")
                .reply("I do not know.");
        try (Belay belay = Belay.builder()
                .model(model)
                .tools(StaticToolProvider.builder().attempt(Ask.class, (ask, context) -> {
                    context.completionKey();
                    return ToolResult.pending();
                }).tool(Pay.class, (pay, context) -> {
                    new CountDownLatch(1).await();
                    return "";
                }).build())
                .parkAfter(Duration.ZERO)
                .store(JdbcStore.sqlite(directory.resolve(".belay/belay.db")))
                .build()) {
            belay.session("greeting").turn("Hi").run();
            belay.session("payment").turn("Pay").run();
            belay.session("question").turn("Ask").id("in").submit();
            while (belay.sessions(SessionFilter.ALL.state(SessionEntry.State.WAITING), null, 1)
                    .items()
                    .isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void psListsWhatWaitsAndForWhat() {
        Run run = bench.run("ps");
        assertThat(run.status()).isZero();
        assertThat(run.out().lines().toList()).hasSize(2);
        assertThat(run.out().lines().toList().get(1))
                .matches("question turn 1 +waiting +completion +\\d+s +default");
        Json line = json(bench.run("ps", "--json"));
        assertThat(line.get("session")).contains(Json.string("question"));
        assertThat(line.get("waits_for")).contains(Json.string("completion"));
    }

    @Test
    void commandsThatReadChangeNothing() throws Exception {
        assertThat(bench.run("trust").status()).as("a program made the database").isZero();
        byte[] before = Files.readAllBytes(directory.resolve(".belay/belay.db"));
        for (String command : List.of("ps", "sessions ls", "sessions show payment",
                "sessions export greeting",
                "pending", "doubts", "grants", "audit", "pauses", "doctor")) {
            assertThat(bench.set("ANTHROPIC_API_KEY", "k").run(command.split(" ", -1)).status()).as(command)
                    .isZero();
        }
        assertThat(Files.readAllBytes(directory.resolve(".belay/belay.db"))).isEqualTo(before);
        assertThat(bench.run("audit").out()).doesNotContain("anna");
    }

    @Test
    void verbsTakeNoTurnOver() {
        String id = json(bench.run("pending", "--json")).get("key_id").orElseThrow().asString();
        assertThat(bench.run("resolve", id, "--text", "yes").status()).isZero();
        // the answer is kept; the turn waits for a process that serves it
        assertThat(bench.run("ps").out()).containsPattern("question turn 1 +ready +process ");
        assertThat(bench.run("sessions", "show", "question").out()).contains("(active)");
    }

    @Test
    void sessionsAreListedByPrefixAndState() {
        assertThat(bench.run("sessions", "ls").out().lines()).hasSize(4);
        assertThat(bench.run("sessions", "ls", "gre", "--json").out().lines()).hasSize(1);
        assertThat(bench.run("sessions", "ls", "--state", "waiting", "--json").out()).contains("question")
                .doesNotContain("greeting");
        assertThat(bench.run("sessions", "ls", "nothing")).isEqualTo(new Run(0, "", "no sessions\n"));
    }

    @Test
    void aSessionIsShownWithItsCalls() {
        Run run = bench.run("sessions", "show", "payment");
        assertThat(run.out()).contains("pay {\"cents\":5}", "-> Error (tool_timeout)",
                "answer: I do not know.",
                "in doubt: ");
        assertThat(json(bench.run("sessions", "show", "payment", "--json")).at("/calls/0/code"))
                .contains(Json.string("tool_timeout"));
        assertThat(bench.run("sessions", "show", "greeting", "--messages").out().lines()).hasSize(2);
        assertThat(bench.run("sessions", "show", "nobody").status()).isEqualTo(4);
    }

    @Test
    void aForkAnExportAndAnImportHaveTheSamePast() {
        assertThat(bench.run("sessions", "fork", "greeting", "fork").status()).isZero();
        assertThat(bench.run("sessions", "fork", "greeting", "fork").status()).isEqualTo(3);
        assertThat(bench.run("sessions", "export", "greeting", "out.jsonl").status()).isZero();
        assertThat(bench.run("sessions", "import", "out.jsonl", "copy").status()).isZero();
        assertThat(bench.run("sessions", "show", "copy", "--messages").out())
                .isEqualTo(bench.run("sessions", "show", "greeting", "--messages").out());
        assertThat(bench.run("sessions", "import", "missing.jsonl", "other").status()).isEqualTo(4);
    }

    @Test
    void anImportNamesTheSessionsAboveThatTheStoreDoesNotHave() throws Exception {
        String head = "{\"format\":\"belay-session\",\"v\":1,\"session\":\"child\",\"revision\":0,"
                + "\"above\":[\"boss\",\"greeting\"],\"depth\":2,\"gated\":true,\"state\":null}";
        Files.writeString(directory.resolve("child.jsonl"), head + "\n{\"turns\":0,\"count\":0,\"hash\":\""
                + new FramedHash().add(head).hex() + "\"}\n");
        Run run = bench.run("sessions", "import", "child.jsonl", "copy");
        assertThat(run.status()).isZero();
        assertThat(run.err())
                .contains("the policies of boss decide about its calls, and this store has no such"
                        + " sessions: its calls are denied until you import them too");
        assertThat(bench.run("sessions", "fork", "copy", "boss").err())
                .contains("boss is the name of a session above this one");
    }

    @Test
    void deletingIsRefusedWhileACallIsInDoubt() {
        Run run = bench.run("sessions", "rm", "payment");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).startsWith("belay: not possible: ");
        assertThat(bench.run("sessions", "rm", "payment", "--force").status()).isZero();
        assertThat(bench.run("sessions", "show", "payment").status()).isEqualTo(4);
        assertThat(bench.run("sessions", "rm", "greeting").status()).isZero();
    }

    @Test
    void aClosedSessionIsOpenedAgain() {
        assertThat(bench.run("sessions", "close", "greeting").out()).isEqualTo("closed greeting\n");
        assertThat(bench.run("sessions", "close", "greeting").out())
                .isEqualTo("closed greeting (it was so before)\n");
        assertThat(bench.run("sessions", "open", "greeting").status()).isZero();
    }

    @Test
    void aWaitIsAnsweredByItsIdOnce() {
        Json wait = json(bench.run("pending", "--json"));
        assertThat(wait.get("tool")).contains(Json.string("ask"));
        String id = wait.get("key_id").orElseThrow().asString();
        Run wrong = bench.run("resolve", id, "--value", "7");
        assertThat(wrong.status()).isEqualTo(3);
        assertThat(wrong.err()).contains("does not fit");
        assertThat(bench.run("resolve", id, "--value", "yes").status()).isEqualTo(2);
        assertThat(bench.run("resolve", id, "--text", "yes")).isEqualTo(new Run(0, "answered\n", ""));
        assertThat(bench.run("pending").err()).isEqualTo("nothing waits for an answer\n");
        assertThat(bench.run("resolve", id, "--text", "no").status()).isEqualTo(4);
    }

    @Test
    void aWaitIsAnsweredByItsWholeKeyAndTheFirstWins() {
        String id = json(bench.run("pending", "--json")).get("key_id").orElseThrow().asString();
        String key = bench.run("reissue", id).out().strip();
        assertThat(bench.run("resolve", key, "--text", "yes").status()).isZero();
        assertThat(bench.run("resolve", key, "--text", "yes").out()).contains("so before");
        Run lost = bench.run("resolve", key, "--text", "no");
        assertThat(lost.status()).isEqualTo(3);
        assertThat(lost.err()).contains("another answer came first");
        assertThat(bench.run("audit", "--json").out()).contains("\"verb\":\"reissue\"", "\"actor\":\"anna\"",
                "\"door\":\"command\"");
    }

    @Test
    void aDoubtIsSettledOnce() {
        String id = json(bench.run("doubts", "--json")).get("doubt").orElseThrow().asString();
        assertThat(bench.run("settle", id, "--happened", "{}", "--reason", "x").status()).isEqualTo(3);
        assertThat(bench.run("settle", id, "--happened", "\"R-1\"", "--reason", "bank", "--actor", "ben"))
                .isEqualTo(new Run(0, "settled " + id + "\n", ""));
        assertThat(bench.run("settle", id, "--did-not-happen", "--reason", "x").status()).isEqualTo(3);
        assertThat(bench.run("settle", "none", "--did-not-happen", "--reason", "x").status()).isEqualTo(4);
        assertThat(bench.run("doubts").err()).isEqualTo("nothing is in doubt\n");
        assertThat(bench.run("audit", "--json").out()).contains("\"actor\":\"ben\"");
    }

    @Test
    void aPauseIsListedUntilItEnds() {
        assertThat(bench.run("pause", "--tool", "pay", "--reason", "bank is down").status()).isZero();
        assertThat(json(bench.run("pauses", "--json")).get("target")).contains(Json.string("tool/pay"));
        assertThat(bench.run("unpause", "--tool", "pay").out()).isEqualTo("unpaused tool pay\n");
        assertThat(bench.run("pauses").err()).isEqualTo("nothing is paused\n");
        assertThat(bench.run("pause", "--session", "nobody", "--reason", "x").status()).isEqualTo(3);
        assertThat(bench.run("pause", "--tool", "a", "--agent", "b", "--reason", "x").status()).isEqualTo(2);
    }

    @Test
    void onlyAnActiveTurnIsCancelled() {
        assertThat(bench.run("turns", "cancel", "question").out()).isEqualTo("cancelling question\n");
        assertThat(bench.run("turns", "cancel", "greeting").status()).isEqualTo(3);
        assertThat(bench.run("turns", "retry", "greeting").status()).isEqualTo(3);
        assertThat(bench.run("turns", "again", "greeting").status()).isEqualTo(3);
        assertThat(bench.run("turns", "abandon", "greeting", "--reason", "x").status()).isEqualTo(3);
    }

    @Test
    void aParkedTurnIsAbandoned() {
        assertThat(bench.run("turns", "abandon", "question", "--reason", "nobody answers").out())
                .isEqualTo("abandoned turn 1 of question\n");
        assertThat(bench.run("sessions", "show", "question").out()).contains("stopped, abandoned: ");
        assertThat(bench.run("turns", "again", "question").status()).isZero();
    }

    @Test
    void theDatabaseIsFoundFromBelowAndByName() throws Exception {
        Path below = Files.createDirectories(directory.resolve("a/b"));
        assertThat(new CommandBench(below).run("ps").out()).contains("question");
        Path elsewhere = Files.createDirectories(directory.resolve("else/.belay"));
        Run missing = new CommandBench(elsewhere).run("ps");
        assertThat(missing.status()).isEqualTo(4);
        assertThat(missing.err()).contains("there is no database", "--store FILE");
        assertThat(new CommandBench(elsewhere).run("ps", "--store", "../../.belay/belay.db").status())
                .isZero();
        assertThat(new CommandBench(elsewhere)
                .set("BELAY_STORE", directory.resolve(".belay/belay.db").toString())
                .run("ps")
                .status()).isZero();
    }

    @Test
    void aFileThatIsNoDatabaseIsSaidSo() throws Exception {
        Files.writeString(directory.resolve("text.db"),
                "This is not a database, and it is long enough to be one.");
        Run run = bench.run("ps", "--store", "text.db");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("belay: ").doesNotContain("should not happen");
    }

    @Test
    void aNarrowTerminalGetsBlocksInsteadOfColumns() {
        Run run = bench.terminals(1).set("COLUMNS", "20").run("ps");
        assertThat(run.out()).startsWith("what question turn 1\n  state waiting\n");
    }

    private static Json json(Run run) {
        assertThat(run.status()).isZero();
        return Json.of(run.out().strip());
    }
}
