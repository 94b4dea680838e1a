package dev.belay.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and values of a table cannot pass for other words of its question. */
class McpWishesTest {

    @TempDir
    Path work;

    private String question(String keys) throws IOException {
        Files.writeString(work.resolve("belay.toml"), "[mcp.s]\n" + keys.replace(';', '\n') + "\n");
        Run run = new CommandBench(work).set("HOME", work.resolve("home").toString()).run("mcp", "ls");
        assertThat(run.status()).as(run.err()).isEqualTo(3);
        return run.err();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "command = ['a'] ; only = ['b, c'] | command = ['a'] ; only = ['b', 'c']",
        "command = ['a'] ; effects = { 'b, c' = 'once' } ; trusted = true | command = ['a'] ; effects = { 'b' = 'once', 'c' = 'once' } ; trusted = true",
        "command = ['a'] ; effects = { 'b' = 'once', 'c' = 'once' } ; effect = 'read' | command = ['a'] ; effects = { 'b, c' = 'once' } ; effect = 'read'",
        "command = ['a'] ; env = { 'B = b' = 'c' } | command = ['a'] ; env = { 'B' = 'b = c' }",
        "command = ['a b'] | command = ['a', 'b']"})
    void tablesThatDifferAskDifferentQuestions(String one, String other) throws IOException {
        assertThat(question(one)).isNotEqualTo(question(other));
    }

    @Test
    void aToolOrAVariableWhoseNameIsASentenceIsQuoted() throws IOException {
        assertThat(question(
                "command = ['a'] ; effects = { 'look of MCP server s run, all others ask' = 'read' }"))
                .contains("  let calls of the tool 'look of MCP server s run, all others ask' of MCP server s"
                        + " run without asking\n");
        assertThat(question("command = ['a'] ; env = { 'LEVEL = loud' = 'x y' }"))
                .contains("  give MCP server s the variable 'LEVEL = loud' = 'x y'\n");
        assertThat(question("url = 'http://127.0.0.1:9/mcp' ; headers = { 'X-Team' = \"a'b\" }"))
                .contains("  give MCP server s the header X-Team = 'a'\\''b'\n");
    }
}
