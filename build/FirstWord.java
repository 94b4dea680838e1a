import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Measures the time from the first word that a server sends to its appearance on a terminal, by {@code belay run} and by a bare
 * client of the same stream. Started by {@code build/measure-first-word}.
 */
final class FirstWord {

    private static final String WORD = "Belaying";
    private static final String EVENT = "data: {\"choices\":[{\"delta\":{\"content\":\"" + WORD + "\"}}]}\n\n";
    private static final String REST = "data: {\"choices\":[{\"delta\":{\"content\":\".\"},\"finish_reason\":\"stop\"}]}\n\n"
            + "data: [DONE]\n\n";

    private final ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private volatile long sent;
    private volatile CountDownLatch seen = new CountDownLatch(1);

    private FirstWord() throws IOException {}

    /** The launcher, how often, and a directory to work in. */
    public static void main(String[] args) throws Exception {
        var measure = new FirstWord();
        Thread.ofVirtual().start(measure::serve);
        int times = Integer.parseInt(args[1]);
        List<Long> bare = new ArrayList<>();
        List<Long> belay = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            bare.add(measure.bare());
            belay.add(measure.belay(args[0], Path.of(args[2])));
        }
        print("bare client", bare);
        print("belay run", belay);
        System.exit(0);
    }

    private static void print(String what, List<Long> nanos) {
        Collections.sort(nanos);
        System.out.printf("%-12s median %6.1f ms   slowest %6.1f ms   of %d%n", what,
                nanos.get(nanos.size() / 2) / 1e6, nanos.getLast() / 1e6, nanos.size());
    }

    private void serve() {
        while (true) {
            try (Socket socket = listening.accept()) {
                socket.setTcpNoDelay(true);
                request(socket.getInputStream());
                OutputStream out = socket.getOutputStream();
                write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
                sent = System.nanoTime();
                chunk(out, EVENT);
                seen.await();
                chunk(out, REST);
                write(out, "0\r\n\r\n");
            } catch (IOException | InterruptedException gone) {
                System.err.println(gone);
            }
        }
    }

    private static void request(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        String length = head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1");
        in.readNBytes(Integer.parseInt(length));
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        write(out, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private long bare() throws IOException {
        seen = new CountDownLatch(1);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
            write(socket.getOutputStream(), "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
            long took = until(socket.getInputStream());
            socket.getInputStream().readAllBytes();
            return took;
        }
    }

    private long belay(String launcher, Path directory) throws IOException, InterruptedException {
        seen = new CountDownLatch(1);
        var builder = new ProcessBuilder("script", "-qefc", launcher + " run Hi", "/dev/null")
                .directory(Files.createDirectories(directory).toFile())
                .redirectErrorStream(true);
        builder.environment().put("OPENAI_BASE_URL", "http://127.0.0.1:" + listening.getLocalPort() + "/v1");
        builder.environment().put("OPENAI_MODEL", "small");
        builder.environment().put("TERM", "xterm");
        Process process = builder.start();
        process.getOutputStream();
        long took = until(process.getInputStream());
        process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException("the run failed with exit code " + process.exitValue());
        }
        return took;
    }

    private long until(InputStream in) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(WORD) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the word did not come: " + text);
            }
            text.append((char) next);
        }
        long took = System.nanoTime() - sent;
        seen.countDown();
        return took;
    }
}
