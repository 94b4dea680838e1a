package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run against a server that speaks Chat Completions, as Ollama and others do. */
@Timeout(180)
class WireRunTest {

    private static final String CALL = """
            {"choices":[{"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function",\
            "function":{"name":"write_file","arguments":"{\\"path\\":\\"out.txt\\",\\"content\\":\\"hello\\"}"}}]},\
            "finish_reason":"tool_calls"}]}""";
    private static final String ANSWER = """
            {"choices":[{"delta":{"role":"assistant","content":"Written."},"finish_reason":"stop"}]}""";

    @TempDir
    Path directory;

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aTaskWithAnApprovalIsDone() {
        server.play(stream(CALL)).play(stream(ANSWER));
        Run run = bench().terminals(0, 2).input("y\n").run("run", "Write hello to out.txt");
        assertThat(run.err()).contains("? write_file out.txt\n",
                "2 rounds, 1 call, 1 file changed");
        assertThat(run.out()).isEqualTo("Written.\n");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
        assertThat(server.requests().getLast().body()).contains("\"tool_call_id\":\"c1\"");
    }

    @Test
    void aPersonWithAKeyDoesTheSame() {
        server.play(stream(CALL)).play(stream(ANSWER));
        Run run = bench().set("OPENAI_API_KEY", "k-1")
                .terminals(0, 2)
                .input("y\n")
                .run("run", "Write hello to out.txt");
        assertThat(run.out()).as(run.err()).isEqualTo("Written.\n");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
        assertThat(server.requests().getFirst().headers()).containsEntry("authorization", "Bearer k-1");
        assertThat(run.err()).doesNotContain("k-1");
    }

    @Test
    void aPersonWithAKeyOfAnthropicDoesTheSame() {
        server.play(messages("{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"write_file\",\"input\":{}}",
                "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\":\\\"out.txt\\\",\\\"content\\\":\\\"hello\\\"}\"}",
                "tool_use"))
                .play(messages("{\"type\":\"text\",\"text\":\"\"}",
                        "{\"type\":\"text_delta\",\"text\":\"Written.\"}",
                        "end_turn"));
        Run run = new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("ANTHROPIC_BASE_URL", server.url().toString())
                .set("ANTHROPIC_API_KEY", "k-1")
                .set("ANTHROPIC_MODEL", "m")
                .terminals(0, 2)
                .input("y\n")
                .run("run", "Write hello to out.txt");
        assertThat(run.out()).as(run.err()).isEqualTo("Written.\n");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
        assertThat(server.requests().getFirst().headers()).containsEntry("x-api-key", "k-1");
        assertThat(server.requests().getLast().body()).contains("\"tool_use_id\":\"c1\"");
    }

    private static WireAnswer messages(String block, String delta, String stop) {
        return WireAnswer.stream(List.of(
                event("{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\","
                        + "\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}"),
                event("{\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + block + "}"),
                event("{\"type\":\"content_block_delta\",\"index\":0,\"delta\":" + delta + "}"),
                event("{\"type\":\"content_block_stop\",\"index\":0}"),
                event("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" + stop
                        + "\"},\"usage\":{\"output_tokens\":2}}"),
                event("{\"type\":\"message_stop\"}")));
    }

    private static String event(String json) {
        return "event: " + Json.of(json).get("type").orElseThrow().asString() + "\ndata: " + json + "\n\n";
    }

    /** Ollama's usual port, where a program of this machine may listen already. */
    private static HttpServer ollama() throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 11434), 0);
        } catch (BindException taken) {
            return Assumptions.abort("another program listens on Ollama's port");
        }
    }

    @Test
    void aPersonWithOllamaNeedsNoSettings() throws IOException {
        HttpServer ollama = ollama();
        var asked = new AtomicInteger();
        ollama.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String answer = exchange.getRequestURI().getPath().equals("/v1/models")
                    ? "{\"object\":\"list\",\"data\":[{\"id\":\"qwen3:8b\",\"object\":\"model\"}]}"
                    : "data: " + (asked.getAndIncrement() == 0 ? CALL : ANSWER) + "\n\ndata: [DONE]\n\n";
            exchange.getResponseHeaders()
                    .add("Content-Type",
                            answer.startsWith("data") ? "text/event-stream" : "application/json");
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        ollama.start();
        try {
            CommandBench plain = new CommandBench(directory).set("HOME",
                    directory.resolve("home").toString());
            assertThat(plain.run("doctor").out()).contains("qwen3:8b");
            Run run = plain.terminals(0, 2).input("y\n").run("run", "Write hello to out.txt");
            assertThat(run.out()).as(run.err()).isEqualTo("Written.\n");
            assertThat(directory.resolve("out.txt")).hasContent("hello");
        } finally {
            ollama.stop(0);
        }
    }

    @Test
    void wordsAreShownBeforeTheModelHasEnded() throws Exception {
        var rest = new CountDownLatch(1);
        server.play(WireAnswer.stream(List.of(
                "data: {\"choices\":[{\"delta\":{\"content\":\"First \"}}]}\n\n",
                "data: {\"choices\":[{\"delta\":{\"content\":\"second\"},\"finish_reason\":\"stop\"}]}\n\n",
                "data: [DONE]\n\n")).pauseBefore(1, rest));
        // the server goes on only once the first word is on the terminal
        CommandBench watched = bench().terminals(1).set("COLUMNS", "80").watch("First ", rest::countDown);
        assertThat(watched.run("run", "Hi").out()).isEqualTo("First second\n");
    }

    @Test
    void aModelWithoutToolCallsUsesTheEnvelope() throws Exception {
        Files.writeString(directory.resolve("belay.toml"),
                "[model]\ntool_calls = \"text\"\n" + CommandBench.BASICS);
        server.play(said(
                "{\\\"kind\\\":\\\"tool_call\\\",\\\"tool_name\\\":\\\"add_numbers\\\",\\\"arguments\\\":{\\\"a\\\":2,\\\"b\\\":3}}"))
                .play(said(
                        "<think>hm {</think>Sure: {\\\"kind\\\":\\\"final\\\",\\\"content\\\":\\\"5, by ```a+b```\\\"}"));
        Run run = bench().run("run", "Add");
        assertThat(run.out()).isEqualTo("5, by ```a+b```\n");
        assertThat(run.err()).contains("* add_numbers {\"a\":2,\"b\":3}  ok");
    }

    private static WireAnswer said(String escaped) {
        return stream(
                "{\"choices\":[{\"delta\":{\"content\":\"" + escaped + "\"},\"finish_reason\":\"stop\"}]}");
    }

    @Test
    void aWebPageInsteadOfAnApiIsSaidSo() {
        server.playAlways(WireAnswer.of(200, "text/html", "<html><title>Welcome</title></html>"));
        Run run = bench().run("run", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Welcome");
    }

    @Test
    void aWrongKeyNamesTheVariable() {
        server.playAlways(WireAnswer.of(401, "application/json", "{\"error\":{\"message\":\"bad key\"}}"));
        Run run = bench().set("OPENAI_API_KEY", "wrong").run("run", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("bad key");
        assertThat(bench().run("sessions", "ls", "--json").out()).contains("\"state\":\"idle\"");
        assertThat(run.err()).contains("set OPENAI_API_KEY to a valid key").doesNotContain("builder");
        assertThat(bench().run("run", "Hi").err()).as("without a key")
                .contains("set OPENAI_API_KEY to a valid key")
                .doesNotContain("builder");
    }

    @Test
    void aWrongKeyNamesTheVariableOfTheSettings() throws Exception {
        server.playAlways(WireAnswer.of(401, "application/json", "{\"error\":{\"message\":\"bad key\"}}"));
        Files.writeString(directory.resolve("belay.toml"), "[model]\napi_key_env = \"MY_KEY\"\nbase_url = \""
                + server.url() + "/v1\"\n");
        assertThat(bench().run("trust").status()).isZero();
        assertThat(bench().set("MY_KEY", "wrong").run("run", "Hi").err())
                .contains("set MY_KEY to a valid key")
                .doesNotContain("builder", "OPENAI_API_KEY");
    }

    @Test
    void doctorFindsOutThatAModelCannotCallTools() {
        server.playAlways(stream(ANSWER));
        Run run = bench().run("doctor", "--probe");
        assertThat(run.out()).contains("tool calls: none", "tool_calls = \"text\"");
    }

    private static WireAnswer stream(String event) {
        return WireAnswer.stream(List.of("data: " + event + "\n\n", "data: [DONE]\n\n"));
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("OPENAI_BASE_URL", server.url() + "/v1")
                .set("OPENAI_MODEL", "small");
    }
}
