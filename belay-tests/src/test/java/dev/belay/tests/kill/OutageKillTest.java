package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A provider that is down and comes back, and a process that is killed while its turn waits for it. */
class OutageKillTest {

    private static final String ANSWER = """
            {"id":"r1","object":"chat.completion","model":"small","choices":[{"index":0,"finish_reason":"stop",\
            "message":{"role":"assistant","content":"Here I am again."}}],\
            "usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}""";

    @TempDir
    Path directory;

    /** Answers 503 until it is up; counts what it was asked. */
    private static final class Provider implements AutoCloseable {

        private final HttpServer server;
        private final Semaphore refused = new Semaphore(0);
        private final AtomicInteger answered = new AtomicInteger();
        private volatile boolean up;

        Provider() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", this::handle);
            server.start();
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                boolean answers = up;
                byte[] body = (answers ? ANSWER : "{\"error\":{\"message\":\"down\"}}")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(answers ? 200 : 503, body.length);
                exchange.getResponseBody().write(body);
                if (answers) {
                    answered.incrementAndGet();
                } else {
                    refused.release();
                }
            }
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @Test
    @Timeout(120)
    void aTurnSitsOutAnOutageAndTheDeathOfItsProcessAndAsksOnceWithSuccess() throws Exception {
        Path file = directory.resolve("belay.db");
        try (var provider = new Provider()) {
            try (var worker = new WorkerProcess(OutageWorker.class, file, provider.port())) {
                worker.tell("ask Are you there?");
                assertThat(worker.hear()).isEqualTo("accepted");
                provider.refused.acquire(2);
                worker.kill();
            }
            provider.refused.drainPermits();
            try (var worker = new WorkerProcess(OutageWorker.class, file, provider.port())) {
                provider.refused.acquire();
                provider.up = true;
                worker.tell("await");
                assertThat(worker.hear()).isEqualTo("Here I am again. after 1 round");
                worker.tell("quit");
                assertThat(worker.exit()).isZero();
            }
            assertThat(provider.answered).hasValue(1);
        }
    }
}
