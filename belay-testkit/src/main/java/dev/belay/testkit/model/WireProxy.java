package dev.belay.testkit.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A plain HTTP proxy on loopback, for one request after the other. Thread-safe. */
final class WireProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final List<String> targets = new CopyOnWriteArrayList<>();
    private final Thread thread;

    private WireProxy(ServerSocket listening) {
        this.listening = listening;
        this.thread = Thread.ofVirtual().name("wire-proxy").start(this::serve);
    }

    static WireProxy start() {
        try {
            return new WireProxy(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort());
    }

    /** The requested addresses. */
    List<String> targets() {
        return List.copyOf(targets);
    }

    private void serve() {
        try {
            while (true) {
                try (Socket client = listening.accept()) {
                    pass(client);
                }
            }
        } catch (IOException e) {
            // closing ends the loop
        }
    }

    private void pass(Socket client) throws IOException {
        SeenRequest request = WireServer.read(client.getInputStream());
        targets.add(request.target());
        URI target = URI.create(request.target());
        try (Socket server = new Socket(target.getHost(), target.getPort())) {
            byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
            StringBuilder head = new StringBuilder(
                    request.method() + " " + target.getRawPath() + " HTTP/1.1\r\n");
            request.headers()
                    .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
            server.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
            server.getOutputStream().write(body);
            server.getOutputStream().flush();
            InputStream answer = server.getInputStream();
            byte[] buffer = new byte[4096];
            for (int count = answer.read(buffer); count >= 0; count = answer.read(buffer)) {
                client.getOutputStream().write(buffer, 0, count);
                client.getOutputStream().flush();
                if (new String(buffer, 0, count, StandardCharsets.ISO_8859_1).endsWith("0\r\n\r\n")) {
                    return;
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            thread.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
