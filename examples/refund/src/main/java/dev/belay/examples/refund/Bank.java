package dev.belay.examples.refund;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.tool.ToolException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The services outside: an approval desk that receives keys, and a bank that pays. The bank knows idempotency keys, as real ones
 * do: the same key is the same payment. Its first answer comes too late.
 */
final class Bank implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, String> payments = new LinkedHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final CountDownLatch firstPayment = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);

    Bank() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/ask", exchange -> {
            asked.add(exchange.getRequestHeaders().getFirst("Approval-Key"));
            answer(exchange, "null");
        });
        server.createContext("/pay", exchange -> {
            String receipt = book(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            awaitAnswering();
            answer(exchange, Json.string(receipt).text());
        });
        server.start();
    }

    private synchronized String book(String key) {
        requests.incrementAndGet();
        String receipt = payments.computeIfAbsent(key, any -> "R-" + (payments.size() + 1));
        firstPayment.countDown();
        return receipt;
    }

    private void awaitAnswering() throws IOException {
        try {
            answering.await();
        } catch (InterruptedException e) {
            throw new IOException("the bank closes", e);
        }
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Waits for the key that is sent to the desk. */
    String awaitAsked() throws InterruptedException {
        String key = asked.poll(1, TimeUnit.MINUTES);
        if (key == null) {
            throw new IllegalStateException("no request for an approval within a minute");
        }
        return key;
    }

    /** Waits until money has moved; the answer is not sent yet. */
    void awaitPayment() throws InterruptedException {
        if (!firstPayment.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("no payment within a minute");
        }
    }

    /** Answers payments from now on. */
    void answerPayments() {
        answering.countDown();
    }

    int requests() {
        return requests.get();
    }

    synchronized int payments() {
        return payments.size();
    }

    @Override
    public void close() {
        answerPayments();
        server.stop(0);
    }

    /** The client of a worker. */
    static final class Client {

        private final HttpClient http = HttpClient.newHttpClient();
        private final String address;

        Client(int port) {
            address = "http://127.0.0.1:" + port;
        }

        Json ask(Json request, String approvalKey) throws IOException, InterruptedException {
            return post("/ask", "Approval-Key", approvalKey, request);
        }

        Json pay(Json request, String idempotencyKey) throws IOException, InterruptedException {
            return post("/pay", "Idempotency-Key", idempotencyKey, request);
        }

        /** Sends the answer of the person to the webhook of a worker. */
        static int approve(int webhook, String key) throws IOException, InterruptedException {
            var request = HttpRequest
                    .newBuilder(URI.create("http://127.0.0.1:" + webhook + "/approvals/" + key))
                    .POST(HttpRequest.BodyPublishers.ofString("{\"approved\": true}"))
                    .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            }
        }

        private Json post(String path, String header, String value, Json body)
                throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(URI.create(address + path))
                    .header(header, value)
                    .POST(HttpRequest.BodyPublishers.ofString(body.text()))
                    .build();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new ToolException("the bank answered " + response.statusCode());
            }
            return Json.of(response.body());
        }
    }
}
