package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers and models that do not do what they should: each ends in a sentence that says what to do, and the session goes on. */
@Timeout(180)
class FaultyModelTest {

    @TempDir
    Path directory;

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void noServerEndsAfterThePatienceOfTheSettings() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[agent]\npatience = \"PT1S\"\n");
        server.close();
        Run run = bench().run("run", "-s", "one", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("there is no server at", "start it (for Ollama: ollama serve)",
                "belay: the turn has no answer");
        assertThat(run.err().split("the model does not answer", -1)).as("told once").hasSize(2);
        goesOn();
    }

    @Test
    void aWebPageInsteadOfAnApiIsSaidSo() {
        server.playAlways(WireAnswer.of(200, "text/html", "<html><title>Welcome</title></html>"));
        failsWith("Welcome");
    }

    @Test
    void aWrongKeyIsSaidSo() {
        server.playAlways(WireAnswer.of(401, "application/json", "{\"error\":{\"message\":\"bad key\"}}"));
        failsWith("bad key", "OPENAI_API_KEY");
    }

    @Test
    void aModelThatCannotCallToolsIsToldHowToBeUsed() {
        server.playAlways(WireAnswer.of(400, "application/json",
                "{\"error\":{\"message\":\"registry.ollama.ai/library/gemma:2b does not support tools\"}}"));
        failsWith("does not support tools", "tool_calls = \"text\"");
    }

    @Test
    void garbageIsSaidSo() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[agent]\npatience = \"PT0S\"\n");
        server.playAlways(WireAnswer.stream(List.of("data: {\"choices\":[{\"del\n\n", "data: ]]\n\n")));
        failsWith("belay: the turn has no answer");
    }

    @Test
    void proseOfAModelWithoutToolCallsIsAnAnswerAfterItWasToldTheForm() throws IOException {
        text();
        server.play(said("I would add the two numbers."))
                .play(said("{\\\"kind\\\":\\\"final\\\",\\\"content\\\":\\\"5\\\"}"));
        assertThat(bench().run("run", "Add").out()).isEqualTo("5\n");
        assertThat(server.requests().getLast().body()).contains("tool_call", "final");
    }

    @Test
    void ofTwoObjectsTheFirstCountsAndAFenceInAStringIsContent() throws IOException {
        text();
        server.play(said(
                "{\\\"kind\\\":\\\"tool_call\\\",\\\"tool_name\\\":\\\"add_numbers\\\",\\\"arguments\\\":{\\\"a\\\":2,\\\"b\\\":3}}"
                        + "{\\\"kind\\\":\\\"final\\\",\\\"content\\\":\\\"guess\\\"}"))
                .play(said(
                        "{\\\"kind\\\":\\\"final\\\",\\\"content\\\":\\\"```java\\\\nint five = 2 + 3;\\\\n```\\\"}"));
        Run run = bench().run("run", "Add");
        assertThat(run.out()).as(run.err()).isEqualTo("```java\nint five = 2 + 3;\n```\n");
        assertThat(run.err()).contains("* add_numbers {\"a\":2,\"b\":3}  ok");
    }

    @Test
    void anEndlessStreamIsEndedByCancelling() throws Exception {
        var never = new CountDownLatch(1);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            words.add("data: {\"choices\":[{\"delta\":{\"content\":\"word \"}}]}\n\n");
        }
        server.play(WireAnswer.stream(words).pauseBeforeEnd(never));
        // another command cancels it while it is told
        CommandBench watched = bench().terminals(1)
                .set("COLUMNS", "80")
                .watch("word word word ", () -> bench().run("turns", "cancel", "one"));
        Run run = watched.run("run", "-s", "one", "Hi");
        assertThat(run.status()).isEqualTo(130);
        never.countDown();
        goesOn();
    }

    @Test
    void theInstructionsOfTheAgentAreSentWithItsTools() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[agents.lawyer]\ninstructions = \"Name the statute.\"\n" + CommandBench.BASICS);
        assertThat(bench().run("trust").status()).isZero();
        server.play(said("ok"));
        assertThat(bench().run("run", "--agent", "lawyer", "Hi").out()).isEqualTo("ok\n");
        assertThat(server.requests().getLast().body()).contains("Name the statute.", "add_numbers");
    }

    @Test
    void aSettingBoundsTheTimeOfARequest() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[model]\ntimeout = \"PT0.2S\"\n[agent]\npatience = \"PT0S\"\n");
        var never = new CountDownLatch(1);
        server.play(WireAnswer.stream(List.of()).pauseBeforeEnd(never));
        failsWith("200 ms");
        never.countDown();
        Files.writeString(directory.resolve("belay.toml"), "[model]\ntimeout = \"PT0S\"\n");
        assertThat(bench().run("run", "Hi").err()).contains("at most P1D, found PT0S");
    }

    @Test
    void aSettingBoundsTheContext() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[model]\ncontext = 10\n");
        assertThat(bench().run("run", "-s", "one", "Hi").err())
                .contains("the context of the model has 10; raise");
        assertThat(server.requests()).isEmpty();
        Files.writeString(directory.resolve("belay.toml"), "[model]\ncontext = 0\n");
        assertThat(bench().run("run", "Hi").err()).contains("a model reads at least 1 token, found 0");
    }

    @Test
    void aPriceMakesTheCostKnown() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[model]\ninput_price = 2.5\noutput_price = 10\n");
        server.play(WireAnswer.stream(List.of(
                "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}],"
                        + "\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":200,\"total_tokens\":1200}}\n\n",
                "data: [DONE]\n\n")));
        // 1000 × 2.50 + 200 × 10.00, per million
        assertThat(bench().run("run", "Hi").err()).contains("1200 tokens, cost 0.0045");
    }

    @Test
    void anAddressThatIsNotThisMachineIsToldOnceAndLooksDoNotDeceive() throws IOException {
        Run run = new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("OPENAI_BASE_URL", "http://127.0.0.1.nowhere.invalid/v1")
                .set("OPENAI_MODEL", "small")
                .run("doctor");
        assertThat(run.err().split("which is not this machine", -1)).hasSize(2);
        assertThat(bench().run("doctor").err()).doesNotContain("not this machine");
    }

    @Test
    void doctorSendsNoKeyToAServerOfSettingsThatAreNotTrusted() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[model]\nname = \"m\"\nbase_url = \"" + server.url()
                        + "/v1\"\napi_key_env = \"BANK_KEY\"\n");
        Run run = bench().set("BANK_KEY", "secret").run("doctor", "--probe");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("not trusted; 'belay trust' trusts the settings",
                "model: not looked for");
        assertThat(server.requests()).isEmpty();
        for (List<String> command : List.of(List.of("run", "Hi"), List.of("eval", "cases.jsonl"))) {
            Files.writeString(directory.resolve("cases.jsonl"),
                    "{\"input\":\"Hi\",\"answer\":{\"equals\":\"ok\"}}\n");
            assertThat(bench().set("BANK_KEY", "secret").run(command.toArray(String[]::new)).status())
                    .isEqualTo(3);
        }
        assertThat(server.requests()).isEmpty();

        Run trusted = bench().set("BANK_KEY", "secret").run("trust");
        assertThat(trusted.err()).contains("send conversations to " + server.url() + "/v1",
                "use the key in BANK_KEY");
        server.play(said("ok"));
        assertThat(bench().set("BANK_KEY", "secret").run("run", "Hi").out()).isEqualTo("ok\n");
        assertThat(server.requests().getLast().headers()).containsEntry("authorization", "Bearer secret");
    }

    private void failsWith(String... words) {
        Run run = bench().set("OPENAI_API_KEY", "wrong-1").run("run", "-s", "one", "Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(words).doesNotContain("    at ");
        goesOn();
    }

    /** The session takes the next task. */
    private void goesOn() {
        try {
            Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(bench().run("run", "-s", "one", "--script", "done.jsonl", "Again").out())
                .isEqualTo("Done.\n");
    }

    private void text() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[model]\ntool_calls = \"text\"\n" + CommandBench.BASICS);
    }

    private static WireAnswer said(String escaped) {
        return WireAnswer.stream(List.of("data: {\"choices\":[{\"delta\":{\"content\":\"" + escaped
                + "\"},\"finish_reason\":\"stop\"}]}\n\n", "data: [DONE]\n\n"));
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("OPENAI_BASE_URL", server.url() + "/v1")
                .set("OPENAI_MODEL", "small");
    }
}
