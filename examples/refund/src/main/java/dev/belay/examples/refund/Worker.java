package dev.belay.examples.refund;

import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * The process that does the work and is killed. Its arguments are the journal's file and the bank's address. It prints
 * {@code webhook PORT} and, at the end of the refund, {@code outcome TEXT}.
 */
final class Worker {

    private Worker() {}

    public static void main(String[] args) throws Exception {
        Path journal = Path.of(args[0]);
        int bank = Integer.parseInt(args[1]);
        Thread.ofPlatform().daemon().start(Worker::endWithItsParent);
        // region worker
        var tools = new RefundTools(new Bank.Client(bank)).provider();
        try (var belay = Belay.builder().tools(tools).store(JdbcStore.sqlite(journal)).build()) {
            HttpServer webhook = listen(belay);
            System.out.println("webhook " + webhook.getAddress().getPort());

            // the same name is the same batch: the second and third worker go on with what the first began
            var refund = new CallRequest("refund", "{\"order\": 42, \"cents\": 8950}");
            belay.calls().submit("refund-of-order-42", List.of(refund));
            System.out.println("outcome "
                    + belay.calls().join("refund-of-order-42").orElseThrow().getFirst().text());
            webhook.stop(0);
        }
        // endregion
    }

    /** The example is killed in its middle now and then; its worker must not stay. */
    private static void endWithItsParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said; the end of the input is the end of the parent
            }
        } catch (IOException e) {
            // the same
        }
        Runtime.getRuntime().halt(1);
    }

    // region webhook
    /** {@code POST /approvals/KEY}: the holder of the key may answer once. */
    private static HttpServer listen(Belay belay) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/approvals/", exchange -> {
            String key = exchange.getRequestURI().getPath().substring("/approvals/".length());
            Json answer = Json
                    .of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            Delivery delivery = belay.resolve(key, Resolution.ok(answer));
            exchange.sendResponseHeaders(switch (delivery) {
                case Delivery.Unknown unknown -> 404;
                case Delivery.Refused refused -> 422;
                default -> 200;
            }, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
    // endregion
}
