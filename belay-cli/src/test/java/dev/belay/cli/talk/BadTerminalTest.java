package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile text, and terminals that do what terminals do, in a real pseudo-terminal. */
@Timeout(240)
class BadTerminalTest {

    private static final String ENTER = "\r";
    private static final String CTRL_D = "\u0004";
    /** A title, the clipboard, a link, a cleared screen, another direction, tabs and combining marks. */
    private static final String EVIL = "\u001b]0;OWNED\u0007\u001b]52;c;T1dORUQ=\u0007\u001b]8;;http://OWNED.example\u001b\\x"
            + "\u001b[2J\u009b2J\u202e\u2066\ta\u0301\u0301\u0301 &#27;]0;OWNED&#7;";
    /** What the command itself sends to a terminal of these tests. */
    private static final String OURS = "\u001b(\\[[0-9;?]*[A-Za-z]|[=>]|\\(B)";

    @TempDir
    Path directory;

    @BeforeEach
    void aPseudoTerminalIsThere() {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 100})
    void noForeignTextControlsAChat(int columns) throws Exception {
        Files.writeString(directory.resolve("evil.txt"), EVIL);
        script(Json.write(out -> {
            out.beginObject()
                    .name("reasoning")
                    .value(EVIL)
                    .name("text")
                    .value("# " + EVIL + "\n\n**" + EVIL + "** `" + EVIL + "`\n");
            out.name("calls").beginArray();
            out.beginObject().name("name").value("read_file").name("arguments").beginObject();
            out.name("path").value("evil.txt").endObject().endObject();
            out.beginObject().name("name").value("write_file").name("arguments").beginObject();
            out.name("path")
                    .value("out.txt")
                    .name("content")
                    .value(EVIL + "\n" + EVIL)
                    .endObject()
                    .endObject();
            out.beginObject()
                    .name("name")
                    .value(EVIL)
                    .name("arguments")
                    .beginObject()
                    .endObject()
                    .endObject();
            out.endArray().endObject();
        }).text() + "\n"
                + Json.write(out -> out.beginObject()
                        .name("text")
                        .value("| " + EVIL + " |\n|---|\n| " + EVIL
                                + " |\n\n[" + EVIL + "](" + EVIL + ")")
                        .endObject()).text()
                + "\n");
        try (Pty chat = chat(columns)) {
            chat.await("> ")
                    .type("Go" + ENTER)
                    .question("Allow it?")
                    .type("v" + ENTER)
                    .await("digest")
                    .question("Allow it?");
            chat.type("n" + ENTER)
                    .await("2 rounds")
                    .await("\u001b[1m> ")
                    .type("/resume" + ENTER)
                    .await("Session one.");
            chat.await("\u001b[1m> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
            String left = chat.screen().replaceAll(OURS, "");
            assertThat(left).contains("OWNED").doesNotContainPattern("[\u001b\u0080-\u009f\u202e\u2066]");
            assertThat(chat.screen()).doesNotContainPattern("\u001b\\[2J|\u001b\\]");
        }
    }

    @Test
    void aQuestionIsAnsweredAfterTheTerminalBecameNarrow() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty chat = chat(100)) {
            chat.await("> ")
                    .type("write" + ENTER)
                    .question("Allow it?")
                    .resize(24)
                    .question("Allow it?")
                    .type("y" + ENTER);
            chat.await("After.").await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch-terminal", "dumb", "vt100"})
    void anyTerminalIsServed(String kind) throws Exception {
        script("{\"text\":\"**First** word.\",\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty chat = new Pty(directory, 80, Map.of("TERM", kind), "chat", "--script", "script.jsonl", "-s",
                "one",
                "--approve", "all")) {
            chat.await("> ")
                    .type("write" + ENTER)
                    .await(kind.equals("dumb") ? "**First** word." : "First")
                    .await("After.");
            chat.await("> ").type("/exit" + ENTER);
            assertThat(chat.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void noColourIsSentWhereNoneIsWanted() throws Exception {
        script("{\"text\":\"# Title\\n\\n**First** `word`.\"}\n");
        try (Pty run = new Pty(directory, 80, Map.of("NO_COLOR", "1"), "run", "--script", "script.jsonl",
                "Go")) {
            assertThat(run.await("# Title").await("First `word`.").exit()).isZero();
            assertThat(run.screen()).doesNotContainPattern("\u001b\\[[0-9;]*m");
        }
    }

    @Test
    void aMegabyteIsPastedAndSent() throws Exception {
        script("{\"text\":\"After.\"}\n");
        String line = "0123456789abcde\n";
        try (Pty chat = chat(80)) {
            chat.await("> ").type("\u001b[200~" + line.repeat((1 << 20) / line.length()) + "\u001b[201~");
            chat.type(ENTER).await("After.").await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(new CommandBench(directory).run("sessions", "show", "one", "--messages").out())
                .hasSizeGreaterThan(1 << 20);
    }

    @Test
    void twoChatsOnOneSessionTakeTurns() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty first = chat(80); Pty second = chat(80)) {
            first.await("> ");
            second.await("> ");
            first.type("write" + ENTER).question("Allow it?");
            second.type("me too" + ENTER).await("has a turn that has not ended").await("> ");
            first.type("y" + ENTER).await("After.").await("> ").type(CTRL_D);
            assertThat(first.exit()).isZero();
            second.type("now" + ENTER).await("Allow it?").type(CTRL_D);
        }
    }

    @Test
    void ctrlCNeverWritesIntoALine() throws Exception {
        script("{\"text\":\"One two three four\",\"calls\":[{\"name\":\"run_command\",\"arguments\":{\"command\":\"sleep 100\"}}]}\n");
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\"]\n");
        assertThat(new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .run("trust")
                .status()).isZero();
        try (Pty run = new Pty(directory, 80, "run", "-s", "one", "--approve", "all", "--script",
                "script.jsonl", "Go")) {
            run.await("three four")
                    .await("run_comma")
                    .type("\u0003")
                    .await("ending the turn")
                    .await("no answer");
            assertThat(run.exit()).isEqualTo(130);
            assertThat(run.screen()).doesNotContain("^C");
            assertThat(new TerminalScreen(80).show(run.screen()).text().lines())
                    .contains("One two three four")
                    .anyMatch(line -> line.startsWith("belay: ending the turn"));
        }
    }

    private static final String WRITE = "{\"name\":\"write_file\",\"arguments\":{\"path\":\"out.txt\",\"content\":\"hello\"}}";

    private Pty chat(int columns) throws IOException {
        return new Pty(directory, columns, "chat", "--script", "script.jsonl", "-s", "one");
    }

    private void script(String lines) throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), lines);
    }
}
