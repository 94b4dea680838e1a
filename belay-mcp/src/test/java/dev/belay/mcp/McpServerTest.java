package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

/** How a server is described. */
class McpServerTest {

    @Test
    void secretsAreInNoText() {
        assertThat(McpServer.program("files", "server", "--quiet").variable("TOKEN", "s3cret").toString())
                .contains("TOKEN")
                .doesNotContain("s3cret");
        assertThat(McpServer.http("tickets", URI.create("https://tickets.example/mcp?key=s3cret"))
                .header("Authorization", "Bearer s3cret")
                .toString()).doesNotContain("s3cret");
    }
}
