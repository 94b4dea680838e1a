package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
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

    @Test
    void aSecretThatIsAPartOfAValueIsTakenOutAlone() {
        McpServer server = McpServer.program("files", "server")
                .variable("URL", "https://me:s3cret99@files.example/")
                .hiding("s3cret99")
                .directory(Path.of("."));
        assertThat(server.secrets().hideIn("no entry for s3cret99")).doesNotContain("s3cret99");
    }
}
