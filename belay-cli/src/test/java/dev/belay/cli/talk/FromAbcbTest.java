package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Weak points of abcb, seen from the command; {@code docs/from-abcb.md} lists the tests of the others. */
@Timeout(180)
class FromAbcbTest {

    @TempDir
    Path directory;

    @Test
    void aMissingFileIsAnAnswerForTheModel() throws IOException {
        Run run = run(
                "{\"calls\":[{\"name\":\"read_file\",\"arguments\":{\"path\":\"none.txt\"}}]}\n{\"text\":\"Not there.\"}\n",
                "Read");
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("Not there.\n");
    }

    @Test
    void failuresStandInTheLogWithArgumentsAndCode() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        run("""
                {"calls":[{"name":"nothing","arguments":{}},{"name":"add_numbers","arguments":{"a":"x"}}]}
                {"text":"Done."}
                """, "Try");
        List<Json> log = log();
        assertThat(log.stream().map(event -> LogLines.text(event, "code"))).contains("unknown_tool",
                "invalid_arguments");
        assertThat(log.stream().map(event -> LogLines.text(event, "arguments"))).contains("{\"a\":\"x\"}");
        assertThat(LogLines.text(log.getLast(), "kind")).isEqualTo("turn_ended");
        assertThat(bench().run("replay", ".belay/sessions/one/events.jsonl", "--summary").out())
                .contains("rounds: 2, calls: [", "failed: 2, denied: []");
    }

    @Test
    void aModelThatFailsStandsInTheLog() throws IOException {
        Run run = run("{\"error\":{\"kind\":\"authentication\",\"message\":\"wrong key\"}}\n", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(log().getFirst().get("content")).contains(Json.string("Hi"));
        assertThat(LogLines.text(log().getLast(), "kind")).isEqualTo("turn_ended");
        assertThat(log().getLast().text()).contains("wrong key");
        assertThat(bench().run("replay", ".belay/sessions/one/events.jsonl").status()).isZero();
    }

    @Test
    void theLogIsWrittenWhileAQuestionIsOpen() throws IOException {
        Run run = run(
                "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"a\",\"content\":\"b\"}}]}\n",
                "Write");
        assertThat(run.status()).isEqualTo(5);
        assertThat(log().stream().map(event -> LogLines.text(event, "kind"))).containsExactly("user_message",
                "model_response");
    }

    @Test
    void aCallThatCannotRunIsNotAskedAbout() throws IOException {
        Files.writeString(directory.resolve("script.jsonl"),
                "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":1}}]}\n{\"text\":\"Sorry.\"}\n");
        Run run = bench().terminals(0, 2).run("run", "--script", "script.jsonl", "-s", "one", "Write");
        assertThat(run.status()).isZero();
        assertThat(run.err()).doesNotContain("Allow it?").contains("invalid_arguments");
    }

    @Test
    void aDeniedCallIsNotRepeatedForEver() throws IOException {
        String write = "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"a\",\"content\":\"b\"}}]}\n";
        Files.writeString(directory.resolve("script.jsonl"), write.repeat(4) + "{\"text\":\"I give up.\"}\n");
        Run run = bench().run("run", "--script", "script.jsonl", "--approve", "never", "Write");
        assertThat(run.err()).contains("repeat_guard");
        assertThat(run.out()).isEqualTo("I give up.\n");
    }

    @Test
    void secretsAreNotRead() throws IOException {
        Files.writeString(directory.resolve(".env"), "KEY=hidden");
        run("{\"calls\":[{\"name\":\"read_file\",\"arguments\":{\"path\":\".env\"}}]}\n{\"text\":\"Refused.\"}\n",
                "Read");
        assertThat(bench().run("sessions", "show", "one", "--messages").out()).doesNotContain("hidden");
    }

    @Test
    void aTaskWithQuotesIsKeptAsItIs() throws IOException {
        run("{\"text\":\"ok\"}\n", "say \"hi\" \\ and {");
        assertThat(log().getFirst().get("content")).contains(Json.string("say \"hi\" \\ and {"));
    }

    @Test
    void sessionsOfOneMomentHaveNamesOfTheirOwn() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            names.add(TalkVerb.newSession());
        }
        assertThat(names).hasSizeGreaterThan(18); // a random suffix; one of 65536 may repeat
    }

    @Test
    void eventsArePrintedAsTheyStandInTheLog() throws IOException {
        run("{\"text\":\"ok\"}\n", "Hi");
        Run events = bench().run("events", "one", "--follow");
        assertThat(events.status()).isZero();
        assertThat(events.out())
                .isEqualTo(Files.readString(directory.resolve(".belay/sessions/one/events.jsonl")));
        assertThat(bench().run("events", "two").status()).isEqualTo(4);
    }

    private Run run(String script, String task) throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), script);
        return bench().run("run", "--script", "script.jsonl", "-s", "one", task);
    }

    private List<Json> log() throws IOException {
        return LogLines.read(directory.resolve(".belay/sessions/one/events.jsonl"), false);
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
