package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The screens of the pages: each is what a pseudo-terminal had, as text beside the tests and as a picture beside the page.
 * {@code -Dbelay.screens=record} writes them anew.
 */
@Timeout(300)
class ScreensTest {

    private static final Path TEXTS = Path.of("src", "test", "screens");
    private static final Path PICTURES = Path.of("..", "docs", "screens");
    private static final String ENTER = "\r";

    @TempDir
    Path directory;

    @BeforeEach
    void aPseudoTerminalIsThere() throws IOException {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        Files.writeString(directory.resolve("belay.toml"), """
                [model]
                context = 32768
                input_price = 2.5
                output_price = 10
                """);
        assertThat(new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .run("trust")
                .status()).isZero();
        Files.writeString(directory.resolve("Rope.java"), """
                record Rope(int metres) {
                    boolean holds(int kilograms) {
                        return kilograms < 80;
                    }
                }
                """);
        Files.writeString(directory.resolve("script.jsonl"),
                """
                        {"text":"I look first.","calls":[{"name":"read_file","arguments":{"path":"Rope.java"}}],"usage":{"input":1210,"output":42}}
                        {"calls":[{"name":"edit_file","arguments":{"path":"Rope.java","find":"        return kilograms < 80;","replace":"        return kilograms <= STRENGTH;"}}],"usage":{"input":1502,"output":88}}
                        {"text":"## What changed\\n\\nThe limit is **a constant** now, and `holds` includes it:\\n\\n```java\\nboolean holds(int kilograms) {\\n    return kilograms <= STRENGTH;\\n}\\n```\\n\\n| load | before | now |\\n|---|---|---|\\n| 79 | yes | yes |\\n| 80 | no | **yes** |\\n\\n1. `STRENGTH` must still be declared.\\n2. See the [language guide](https://docs.example/constants) for the usual place of constants.","usage":{"input":1730,"output":160}}
                        """);
    }

    @ParameterizedTest
    @CsvSource({"100, dark", "100, light", "60, dark", "60, light"})
    void aChatWithAnApproval(int columns, String theme) throws Exception {
        try (Pty chat = new Pty(directory, columns, Map.of("BELAY_THEME", theme), "chat", "-s", "ropes",
                "--script",
                "script.jsonl")) {
            chat.await("> ")
                    .type("Let a rope hold 80 kg, see @Rope.java" + ENTER)
                    .question("Allow it?")
                    .type("y" + ENTER);
            chat.await("3 rounds").await("> ").type("/nosuch" + ENTER).await("nothing was sent").await("> ");
            chat.type("/cost" + ENTER).await("cost").await("> ").type("\u0004");
            assertThat(chat.exit()).isZero();
            same("chat-" + columns, theme, new TerminalScreen(columns).show(chat.screen()));
        }
    }

    /** Without what differs between runs. */
    private static String stable(String text) {
        return text.replaceAll("\\d+\\.\\d s", "0.1 s")
                .replaceAll("digest [0-9a-f]{12}", "digest 0123456789ab");
    }

    private static void same(String name, String theme, TerminalScreen screen) throws IOException {
        String text = stable(screen.text());
        String picture = stable(screen.svg(theme.equals("dark")));
        Path kept = TEXTS.resolve(name + ".txt");
        Path drawn = PICTURES.resolve(name + "-" + theme + ".svg");
        if (System.getProperty("belay.screens", "").equals("record")) {
            Files.createDirectories(TEXTS);
            Files.createDirectories(PICTURES);
            Files.writeString(kept, text);
            Files.writeString(drawn, picture);
        }
        assertThat(text).isEqualTo(Files.readString(kept));
        assertThat(picture).isEqualTo(Files.readString(drawn));
    }
}
