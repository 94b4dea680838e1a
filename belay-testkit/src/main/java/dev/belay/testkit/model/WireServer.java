package dev.belay.testkit.model;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A small HTTP server on loopback that plays prepared answers byte by byte: in pieces, packed, paused, dropped, or never. Answers
 * are taken in the order given; a request without an answer gets status 500. Thread-safe. Closing it ends all its threads.
 */
public final class WireServer implements AutoCloseable {

    private static final int LONGEST_WAIT_SECONDS = 30;

    private final ServerSocket listening;
    private final Queue<Function<SeenRequest, WireAnswer>> answers = new ConcurrentLinkedQueue<>();
    private volatile Function<SeenRequest, WireAnswer> always = request -> WireAnswer.of(500, "text/plain",
            "the test has given no answer for this request");
    private final List<SeenRequest> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore closedByClient = new Semaphore(0);

    private WireServer(ServerSocket listening) {
        this.listening = listening;
    }

    /** Starts one on a free port. */
    public static WireServer start() {
        try {
            WireServer server = new WireServer(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()));
            server.threads.add(Thread.ofVirtual().name("wire-server").start(server::accept));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its root, without a slash at the end. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** Plays this for the next request that has no answer yet. */
    public WireServer play(WireAnswer answer) {
        answers.add(request -> answer);
        return this;
    }

    /** Plays for the next request without an answer the one that this function makes of the request. */
    public WireServer play(Function<SeenRequest, WireAnswer> answer) {
        answers.add(answer);
        return this;
    }

    /** Plays this for every request for which no other answer is left. */
    public WireServer playAlways(WireAnswer answer) {
        always = request -> answer;
        return this;
    }

    /** The requests so far. */
    public List<SeenRequest> requests() {
        return List.copyOf(requests);
    }

    /** How many connections were opened so far. */
    public int connections() {
        return connections.get();
    }

    /** Waits for one more request. */
    public void awaitRequest() throws InterruptedException {
        await(arrived, "no request came");
    }

    /** Waits until a client closes a connection in the middle of an answer that hangs. */
    public void awaitClosedByClient() throws InterruptedException {
        await(closedByClient, "the client did not close its connection");
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
            for (Thread thread : threads) {
                thread.interrupt();
                thread.join();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(Semaphore what, String otherwise) throws InterruptedException {
        if (!what.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(otherwise + " within " + LONGEST_WAIT_SECONDS + " s");
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                connections.incrementAndGet();
                threads.add(Thread.ofVirtual().name("wire-connection").start(() -> serve(socket)));
            }
        } catch (IOException e) {
            // closing ends the loop
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean more = true;
            while (more) {
                SeenRequest request = read(in);
                requests.add(request);
                arrived.release();
                Function<SeenRequest, WireAnswer> next = answers.poll();
                WireAnswer answer = (next == null ? always : next).apply(request);
                more = send(answer, socket, in);
            }
        } catch (IOException e) {
            // the client is gone, or the server is closed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private boolean send(WireAnswer answer, Socket socket, InputStream in)
            throws IOException, InterruptedException {
        OutputStream out = socket.getOutputStream();
        if (!answer.isSilent()) {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status() + " Status\r\n");
            answer.headers()
                    .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
            write(out, head.append("Transfer-Encoding: chunked\r\n\r\n").toString());
        }
        for (int i = 0; i < answer.pieces().size(); i++) {
            answer.beforePiece(i);
            chunk(out, answer.pieces().get(i));
        }
        answer.beforePiece(answer.pieces().size());
        switch (answer.ending()) {
            case COMPLETE -> write(out, "0\r\n\r\n");
            case DROP -> {
                socket.setSoLinger(true, 0);
                socket.close();
            }
            case HANG -> awaitEnd(in);
        }
        return answer.ending() == WireAnswer.Ending.COMPLETE;
    }

    private void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {
                // a client sends nothing more; only the end of the stream matters
            }
        } catch (IOException e) {
            // reset: closed too
        }
        closedByClient.release();
    }

    private static void chunk(OutputStream out, byte[] piece) throws IOException {
        if (piece.length > 0) {
            ByteArrayOutputStream framed = new ByteArrayOutputStream(piece.length + 16);
            framed.writeBytes(
                    (Integer.toHexString(piece.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            framed.writeBytes(piece);
            framed.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            out.write(framed.toByteArray());
            out.flush();
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    static SeenRequest read(InputStream in) throws IOException {
        String[] first = line(in).split(" ", 3);
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new SeenRequest(first[0], first.length > 1 ? first[1] : "", headers, body);
    }

    private static String line(InputStream in) throws IOException {
        List<Byte> bytes = new ArrayList<>();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the client has closed the connection");
            }
            if (b != '\r') {
                bytes.add((byte) b);
            }
        }
        byte[] line = new byte[bytes.size()];
        for (int i = 0; i < line.length; i++) {
            line[i] = bytes.get(i);
        }
        return new String(line, StandardCharsets.UTF_8);
    }
}
