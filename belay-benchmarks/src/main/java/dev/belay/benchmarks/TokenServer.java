package dev.belay.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A model server on loopback that answers every request with the same stream of tokens, one event each, some time apart. One
 * virtual thread for each connection.
 */
final class TokenServer implements AutoCloseable {

    private final ServerSocket listening;
    private final int tokens;
    private final Duration pace;

    private TokenServer(ServerSocket listening, int tokens, Duration pace) {
        this.listening = listening;
        this.tokens = tokens;
        this.pace = pace;
    }

    /** Starts one that sends so many tokens at this pace. */
    static TokenServer start(int tokens, Duration pace) throws IOException {
        TokenServer server = new TokenServer(new ServerSocket(0, 4096, InetAddress.getLoopbackAddress()),
                tokens, pace);
        Thread.ofVirtual().start(server::accept);
        return server;
    }

    String baseUrl() {
        return "http://127.0.0.1:" + listening.getLocalPort() + "/v1";
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closing ends the loop
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (skipRequest(in)) {
                answer(socket.getOutputStream());
            }
        } catch (IOException e) {
            // the client is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(OutputStream out) throws IOException, InterruptedException {
        write(out,
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < tokens; i++) {
            if (i > 0 && !pace.isZero()) {
                Thread.sleep(pace);
            }
            chunk(out,
                    "{\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"token \"},\"finish_reason\":null}]}");
        }
        chunk(out,
                "{\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}");
        chunk(out, "[DONE]");
        write(out, "0\r\n\r\n");
    }

    private static void chunk(OutputStream out, String data) throws IOException {
        String event = "data: " + data + "\n\n";
        write(out, Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Reads a request with a content length; false if there is no more. */
    private static boolean skipRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return false;
            }
            head.append((char) b);
        }
        String length = head.toString()
                .lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .map(line -> line.substring(15).strip())
                .findFirst()
                .orElse("0");
        in.skipNBytes(Long.parseLong(length));
        return true;
    }
}
