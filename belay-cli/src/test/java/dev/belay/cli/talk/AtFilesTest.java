package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code @FILE} stands for the text of a file, byte by byte, and for nothing else. */
@Timeout(180)
class AtFilesTest {

    private static final String CALL = """
            {"choices":[{"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function",\
            "function":{"name":"write_file","arguments":"{\\"path\\":\\"out.txt\\",\\"content\\":\\"hello\\"}"}}]},\
            "finish_reason":"tool_calls"}]}""";
    private static final String ANSWER = """
            {"choices":[{"delta":{"role":"assistant","content":"Written."},"finish_reason":"stop"}]}""";

    static final List<String> CONTENTS = List.of(
            "--approve=all\n--record=made.jsonl\n",
            "--help\n",
            "- one\n- two\n\n  * three \\\n# four\n",
            "'a \"quoted\n line' and \"more\n",
            "one\r\ntwo\r\n\r\n\ttabs and blanks   \n\n\n",
            "\n\n  behind and before blanks  \n\n",
            "@other.txt\n@@other.txt\n",
            "no line break at the end",
            "${sys:user.home} %s \\u0041 $HOME `id`\n",
            "\ufeffwith a mark, a \u0000, a \u001b[2J and \ud83d\ude00\n");

    static final List<String> NAMES = List.of("--approve=all", "-", "@notes", "a b", "--help", "a=b,c",
            "'q\"",
            "$HOME");

    @TempDir
    Path directory;

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @FieldSource("CONTENTS")
    void runSendsTheBytesOfTheFileAndTakesNoOptionFromThem(String content) throws IOException {
        Files.writeString(directory.resolve("notes.md"), content);
        server.play(stream(CALL)).play(stream(ANSWER));
        Run run = bench().run("run", "Do", "this", at("notes.md"), "and", "that");
        assertThat(sent()).as(run.err())
                .isEqualTo("Do this\n\n" + directory + "/notes.md:\n" + content + "\n\nand that");
        assertThat(run.status()).isEqualTo(5);
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(directory.resolve("made.jsonl")).doesNotExist();
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void theNameOfAFileIsNoOption(String name) throws IOException {
        Files.writeString(directory.resolve(name), "line 1\nline 2\n");
        server.play(stream(CALL)).play(stream(CALL));
        assertThat(bench().run("run", "@" + name).status()).isEqualTo(5);
        assertThat(sent()).isEqualTo(name + ":\nline 1\nline 2\n");
        assertThat(bench().run("run", at(name)).status()).isEqualTo(5);
        assertThat(sent()).isEqualTo(directory.resolve(name) + ":\nline 1\nline 2\n");
    }

    @Test
    void aNameOfTwoLinesIsOneLineOfTheMessage() throws IOException {
        Files.writeString(directory.resolve("a\nb"), "text");
        server.play(stream(ANSWER));
        bench().run("run", "@a\nb");
        assertThat(sent()).isEqualTo("a<U+000A>b:\ntext");
    }

    @Test
    void standardInputIsSentAsItIs() throws IOException {
        server.play(stream(ANSWER)).play(stream(ANSWER));
        assertThat(bench().input("--approve=all\n  diff\n\n").run("run", "Review this:", "-").status())
                .isZero();
        assertThat(sent()).isEqualTo("Review this:\n\n--approve=all\n  diff\n\n");
        assertThat(bench().input("\n a task\n").run("run").status()).isZero();
        assertThat(sent()).isEqualTo("\n a task\n");
    }

    @Test
    void anImageIsNamedAsNoText() throws IOException {
        Files.write(directory.resolve("rope.png"), new byte[]{(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a,
            '\n', (byte) 0xff});
        Run run = bench().run("run", "Look at", "@rope.png");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("belay: rope.png is not UTF-8 text\n");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void chatSendsTheBytesOfTheFileAndTakesNoCommandFromThem() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        server.playAlways(stream(ANSWER));
        try (Pty chat = new Pty(directory, 80,
                Map.of("OPENAI_BASE_URL", server.url() + "/v1", "OPENAI_MODEL", "small"), "chat")) {
            for (String content : CONTENTS) {
                Files.writeString(directory.resolve("notes.md"), content);
                chat.await("> ").type("Read @notes.md\r").await("Written.").await("1 round");
                assertThat(sent()).isEqualTo("Read @notes.md\n\nnotes.md:\n" + content);
            }
            chat.await("> ").type("\u0004");
            assertThat(chat.exit()).isZero();
        }
    }

    /** Commands that take words, and one that takes none. */
    @ParameterizedTest
    @ValueSource(strings = {"", "run --script s", "chat", "deny w0", "approve", "answer --text x", "resolve",
        "events", "settle", "tools call", "tools show", "sessions show", "sessions fork", "turns cancel",
        "mcp ls", "policy explain", "replay", "eval", "pause", "resume", "ps"})
    void noCommandTakesItsWordsFromAFile(String command) throws IOException {
        Files.writeString(directory.resolve("words"), "--help\n");
        var words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.removeIf(String::isEmpty);
        words.add(at("words"));
        Run run = bench().run(words.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isNotZero();
        assertThat(run.out()).doesNotContain("Usage:");
    }

    /** An absolute name: argument files would be looked for in the directory of this process. */
    private String at(String name) {
        return "@" + directory.resolve(name);
    }

    /** The last message of the user, as it came to the server. */
    private String sent() {
        List<Json> messages = server.requests().getLast().json().get("messages").orElseThrow().items();
        return messages.stream()
                .filter(message -> message.get("role").orElseThrow().asString().equals("user"))
                .toList()
                .getLast()
                .get("content")
                .orElseThrow()
                .asString();
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
