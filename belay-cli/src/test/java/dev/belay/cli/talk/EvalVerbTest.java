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

@Timeout(180)
class EvalVerbTest {

    private static final String ADDS = "{\"calls\":[{\"name\":\"add_numbers\",\"arguments\":{\"a\":2,\"b\":3}}]}\n";
    private static final String CASE = """
            {"name":"add","input":"Add 2 and 3","calls":[{"name":"add_numbers","arguments":{"a":2}}],"answer":{"contains":"5"}}
            """;

    @TempDir
    Path directory;

    @Test
    void ratesAreThoseOfDrawingKOfAllRuns() throws IOException {
        Run run = bench(CASE,
                (ADDS + "{\"text\":\"It is 5.\"}\n").repeat(2) + "{\"text\":\"It is 5.\"}\n" + ADDS
                        + "{\"text\":\"It is 6.\"}\n")
                .run("eval", "cases.jsonl", "--runs", "4", "--k", "2", "--script",
                        "script.jsonl");
        assertThat(run.status()).isEqualTo(1);
        // 2 of 4 pass: of the 6 pairs of runs 5 have one that passes, 1 has two
        assertThat(run.out()).containsPattern("add +2/4 +0\\.50 +0\\.83 +0\\.17 ")
                .containsPattern("all +2/4 +0\\.50 +0\\.83 +0\\.17 ");
        assertThat(run.err()).contains("add, run 3: expected the call", "found []",
                "add, run 4: expected an answer that contains \"5\", found It is 6.");
    }

    @Test
    void tokensAndCostAreThoseOfAllRuns() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[model]\ninput_price = 2.5\noutput_price = 10\n");
        String answer = "{\"text\":\"5\",\"usage\":{\"input\":1000,\"output\":200}}\n";
        Run run = bench("{\"name\":\"five\",\"input\":\"a\",\"answer\":{\"equals\":\"5\"}}\n",
                answer.repeat(3))
                .run("eval", "cases.jsonl", "--runs", "3", "--script", "script.jsonl");
        assertThat(run.status()).as(run.err()).isZero();
        // 3 × (1000 + 200) tokens, 3 × (1000 × 2.50 + 200 × 10.00) per million
        assertThat(run.out()).containsPattern("five +3/3 +1\\.00 +1\\.00 +1\\.00 +3600 +0\\.0135\\b");
    }

    @Test
    void withoutPricesThereIsNoCost() throws IOException {
        String one = "{\"name\":\"five\",\"input\":\"a\",\"answer\":{\"equals\":\"5\"}}\n";
        String answer = "{\"text\":\"5\",\"usage\":{\"input\":1000,\"output\":200}}\n";
        assertThat(bench(one, answer).run("eval", "cases.jsonl", "--runs", "1", "--script", "script.jsonl")
                .out())
                .containsPattern("five .* 1200 +-\n")
                .containsPattern("all .* 1200 +-\n");
        assertThat(bench(one, answer)
                .run("eval", "cases.jsonl", "--runs", "1", "--script", "script.jsonl", "--json")
                .out()).contains("\"tokens\":1200").doesNotContain("cost");
    }

    @Test
    void aRateThatIsHighEnoughPasses() throws IOException {
        String half = ADDS + "{\"text\":\"5\"}\n{\"text\":\"5\"}\n";
        assertThat(
                bench(CASE, half).run("eval", "cases.jsonl", "--runs", "2", "--min-rate", "0.5", "--script",
                        "script.jsonl").status())
                .isZero();
        assertThat(
                bench(CASE, half).run("eval", "cases.jsonl", "--runs", "2", "--min-rate", "0.6", "--script",
                        "script.jsonl").status())
                .isEqualTo(1);
    }

    @Test
    void answersAreComparedByTextPatternOrJson() throws IOException {
        String cases = """
                {"input":"a","answer":{"equals":"yes"},"calls":[]}
                {"input":"b","answer":{"matches":"^y.s$"}}
                {"input":"c","answer":{"json":{"sum":5,"by":{"hand":true}}}}
                {"input":"d","answer":{"json":{"sum":6}}}
                """;
        String script = """
                {"text":"yes"}
                {"text":"yes"}
                {"text":"{\\"sum\\":5,\\"by\\":{\\"hand\\":true,\\"x\\":1}}"}
                {"text":"{\\"sum\\":5}"}
                """;
        Run run = bench(cases, script).run("eval", "cases.jsonl", "--runs", "1", "--script", "script.jsonl",
                "--json");
        assertThat(run.out().lines()).hasSize(5)
                .element(4)
                .asString()
                .contains("\"case\":\"all\",\"passed\":3");
        assertThat(run.err()).startsWith("case 4, run 1: expected an answer that is JSON with");
    }

    @Test
    void callsThatAskAreRefused() throws IOException {
        String writes = "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"out.txt\",\"content\":\"x\"}}]}\n{\"text\":\"ok\"}\n";
        assertThat(
                bench("{\"input\":\"w\",\"calls\":[\"write_file\"]}\n", writes)
                        .run("eval", "cases.jsonl", "--runs",
                                "1", "--script", "script.jsonl")
                        .status())
                .isZero();
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void aRunSeesNeitherTheNotesOfTheWorkspaceNorThoseOfAnotherRun() throws IOException {
        Files.createDirectories(directory.resolve(".belay"));
        Files.writeString(directory.resolve(".belay/notes.jsonl"), "{\"at\":1,\"text\":\"rope: ours\"}\n");
        String turn = """
                {"calls":[{"name":"session_note_search","arguments":{"query":"rope"}}]}
                {"calls":[{"name":"session_note_append","arguments":{"note":"rope: a trial"}}]}
                {"text":"ok"}
                """;
        CommandBench bench = bench("{\"input\":\"Note it\",\"answer\":{\"equals\":\"ok\"}}\n",
                turn.repeat(2));
        assertThat(bench.run("trust").status()).isZero();
        Run run = bench.run("eval",
                "cases.jsonl", "--runs", "2", "--approve", "all", "--script", "script.jsonl");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(directory.resolve(".belay/notes.jsonl")).hasContent("{\"at\":1,\"text\":\"rope: ours\"}");

        // a script that ends after the search of the second run tells what that has found
        Files.writeString(directory.resolve("script.jsonl"), turn + turn.lines().findFirst().orElseThrow());
        Run second = bench.run("eval", "cases.jsonl", "--runs", "2", "--approve", "all", "--script",
                "script.jsonl");
        assertThat(second.err()).startsWith("case 1, run 2: ")
                .contains("the result of session_note_search: \"no matches\"");
    }

    @Test
    void aMistakeNamesItsLine() throws IOException {
        assertThat(bench("\n{\"imput\":\"a\"}\n", "").run("eval", "cases.jsonl").err()).contains(
                "cases.jsonl:2: ",
                "\"imput\"", "did you mean \"input\"?");
        assertThat(bench("{\"input\":\"a\",\"answer\":{\"matches\":\"(\"}}\n", "").run("eval", "cases.jsonl")
                .status())
                .isEqualTo(2);
        assertThat(bench("", "").run("eval", "cases.jsonl").status()).isEqualTo(2);
        assertThat(bench("", "").run("eval", "none.jsonl").status()).isEqualTo(4);
    }

    private CommandBench bench(String cases, String script) throws IOException {
        if (!Files.exists(directory.resolve("belay.toml"))) {
            Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        }
        Files.writeString(directory.resolve("cases.jsonl"), cases);
        Files.writeString(directory.resolve("script.jsonl"), script);
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
