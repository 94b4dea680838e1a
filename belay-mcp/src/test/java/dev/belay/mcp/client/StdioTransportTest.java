package dev.belay.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.Request;
import dev.belay.schema.KnownSecrets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that a program never answers. */
@Timeout(60)
class StdioTransportTest {

    private static final Incoming DEAF = new Incoming() {
        @Override
        public void notified(Json notification) {}

        @Override
        public void asked(Json request, Consumer<Json> reply) {}

        @Override
        public void unreadable(String why) {}

        @Override
        public void lost(String why) {}
    };

    private static Request request(long id, @Nullable Duration patience) {
        return new Request(id, "tools/call", Map.of(), Map.of(), null, Map.of(), patience, heard -> {});
    }

    @Test
    void aRequestWithoutAReplyIsNotKept() throws Exception {
        var silent = new McpServer.Way.Program(List.of("sh", "-c", "while read line; do :; done"), Map.of(),
                null);
        StdioTransport transport = StdioTransport.start("silent", silent, KnownSecrets.NONE, DEAF);
        try {
            assertThatThrownBy(() -> transport.ask(request(1, Duration.ofMillis(20))))
                    .isInstanceOf(LostException.class)
                    .hasMessageContaining("did not answer tools/call");
            assertThat(transport.unanswered()).isZero();
            var ended = new CompletableFuture<Throwable>();
            Thread asking = Thread.ofVirtual().start(() -> {
                try {
                    transport.ask(request(2, null));
                } catch (Exception e) {
                    ended.complete(e);
                }
            });
            while (transport.unanswered() == 0) {
                Thread.onSpinWait();
            }
            asking.interrupt();
            assertThat(ended.join()).isInstanceOf(InterruptedException.class);
            assertThat(transport.unanswered()).isZero();
        } finally {
            transport.close();
        }
        assertThatThrownBy(() -> transport.ask(request(3, null))).isInstanceOf(LostException.class);
        assertThat(transport.unanswered()).isZero();
    }

    @Test
    void aRequestThatHasNotLeftDidNotHappen() throws Exception {
        var deaf = new McpServer.Way.Program(List.of("sleep", "1000"), Map.of(), null);
        StdioTransport transport = StdioTransport.start("deaf", deaf, KnownSecrets.NONE, DEAF);
        Json longer = Json.string("x".repeat(1 << 20)); // than a pipe
        var request = new Request(2, "tools/call", Map.of("arguments", longer), Map.of(), null, Map.of(),
                Duration.ofMillis(20), heard -> {});
        try {
            transport.tell(longer);
            assertThatThrownBy(() -> transport.ask(request)).isInstanceOfSatisfying(LostException.class,
                    e -> assertThat(e.sent()).isFalse());
        } finally {
            transport.close();
        }
    }
}
