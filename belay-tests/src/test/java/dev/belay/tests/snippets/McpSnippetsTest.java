package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.mcp.McpServers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/mcp.md shows; the servers themselves are tested in their module. */
class McpSnippetsTest {

    @Test
    void nothingIsApprovedAndNothingIsWrittenWithoutAServer(@TempDir Path folder) {
        try (McpServers servers = McpSnippets.pinned(folder)) {
            McpSnippets.look(servers);
            assertThat(McpSnippets.approve(servers)).isFalse();
            assertThat(servers.list()).isEmpty();
            assertThat(Files.exists(folder.resolve("mcp-tools.json"))).isFalse();
        }
    }
}
