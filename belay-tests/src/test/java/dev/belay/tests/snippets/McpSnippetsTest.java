package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.mcp.McpServers;
import dev.belay.runtime.Belay;
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
            try (Belay belay = Belay.builder().build()) {
                McpSnippets.approve(servers, belay, tool -> true);
                assertThat(belay.audit(0, 10)).isEmpty();
            }
            assertThat(servers.list()).isEmpty();
            assertThat(Files.exists(folder.resolve("mcp-tools.json"))).isFalse();
        }
    }
}
