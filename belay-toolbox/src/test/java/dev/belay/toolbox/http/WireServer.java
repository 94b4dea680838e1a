package dev.belay.toolbox.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that answers every connection by a script, down to the byte. */
@SuppressWarnings("AddressSelection") // literals, which stand for one address
final class WireServer implements AutoCloseable {

    private final ServerSocket listening;
    private final Script script;
    /** The heads of the requests, in order. */
    final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** Answers one request. */
    interface Script {

        void answer(String path, OutputStream out) throws IOException;
    }

    WireServer(ServerSocket listening, Script script) {
        this.listening = listening;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    WireServer(Script script) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), script);
    }

    /** A server that always answers with the same text. */
    static WireServer saying(String answer) throws IOException {
        return new WireServer((path, out) -> out.write(answer.getBytes(StandardCharsets.UTF_8)));
    }

    static String page(String type, String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    static String redirect(String location) {
        return "HTTP/1.1 302 Found\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n";
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (SocketException closed) {
            // the end of the test
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            StringBuilder head = new StringBuilder();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                head.append(line).append('\n');
            }
            if (!head.isEmpty()) {
                requests.add(head.toString());
                script.answer(head.toString().split(" ", 3)[1], socket.getOutputStream());
            }
        } catch (IOException gone) {
            // the client left, which is its right
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
