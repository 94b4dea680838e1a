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
class ReplayVerbTest {

    @TempDir
    Path directory;

    @Test
    void aLogOfAbcbIsPrintedAndNotVerified() throws IOException {
        write("""
                {"at":1748613022124,"kind":"user_message","content":"hi"}
                {"at":1748613022125,"kind":"model_response","content":"{}"}

                {"at":1748613022126,"kind":"tool_result","tool_name":"echo","output":"pong"}
                {"at":1748613022127,"kind":"tool_denied","tool_name":"echo"}
                {"kind":"final_answer","content":"done"}
                """);
        assertThat(bench().run("replay", "log.jsonl")).isEqualTo(new Run(0, """
                [1] user_message: hi
                [2] model_response: {}
                [3] tool_result: echo: pong
                [4] tool_denied: echo
                [5] final_answer: done
                """, ""));
        assertThat(bench().run("replay", "log.jsonl", "--verify").status()).isEqualTo(3);
    }

    @Test
    void aTornLastLineIsReportedUnlessLenient() throws IOException {
        write("{\"kind\":\"user_message\",\"content\":\"hi\"}\n{\"kind\":\"final_an");
        Run run = bench().run("replay", "log.jsonl");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("log.jsonl:2: the last line is torn or wrong");
        assertThat(bench().run("replay", "log.jsonl", "--lenient").out()).isEqualTo("[1] user_message: hi\n");
        write("{\"kind\":\"user_massage\"}\n{\"kind\":\"user_message\",\"content\":\"hi\"}\n");
        assertThat(bench().run("replay", "log.jsonl").err()).contains("log.jsonl:1: ", "user_massage");
        assertThat(bench().run("replay", "none.jsonl").status()).isEqualTo(4);
    }

    @Test
    void aRunIsVerifiedWithoutRunningABody() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        Files.writeString(directory.resolve("script.jsonl"),
                """
                        {"calls":[{"name":"add_numbers","arguments":{"a":"x"}},{"name":"add_numbers","arguments":{"a":2,"b":3}}]}
                        {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"hi"}},\
                        {"name":"read_file","arguments":{"path":"none.txt"}}]}
                        {"text":"Done."}
                        """);
        assertThat(bench().run("run", "--script", "script.jsonl", "--approve", "all", "-s", "one", "Go")
                .status())
                .isZero();
        Files.delete(directory.resolve("out.txt"));
        Path log = directory.resolve(".belay/sessions/one/events.jsonl");
        assertThat(bench().run("replay", log.toString(), "--verify"))
                .isEqualTo(new Run(0, "verified: 4 calls\n", ""));
        assertThat(directory.resolve("out.txt")).doesNotExist();

        Files.writeString(log, Files.readString(log)
                .replace("\"arguments\":\"{\\\"a\\\":2,", "\"arguments\":\"{\\\"a\\\":9,"));
        Run changed = bench().run("replay", log.toString(), "--verify");
        assertThat(changed.status()).isEqualTo(1);
        assertThat(changed.err()).contains("differs");
    }

    @Test
    void aTurnThatWaitsIsNotVerifiedAndSaysSo() throws IOException {
        Files.writeString(directory.resolve("script.jsonl"),
                """
                        {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"hi"}}]}
                        {"text":"Done."}
                        """);
        assertThat(bench().run("run", "--script", "script.jsonl", "-s", "one", "Go").status()).isEqualTo(5);
        Run run = bench().run("replay", ".belay/sessions/one/events.jsonl", "--verify");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("the last turn of this log has not ended: it waits", "belay resume");
    }

    private void write(String text) throws IOException {
        Files.writeString(directory.resolve("log.jsonl"), text);
    }

    private CommandBench bench() {
        return new CommandBench(directory);
    }
}
