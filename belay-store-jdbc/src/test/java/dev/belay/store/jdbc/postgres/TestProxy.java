package dev.belay.store.jdbc.postgres;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A network between a store and its server that can be cut. Bytes that were sent can stay on their way while the connection is
 * broken for the sender, and arrive later.
 */
final class TestProxy implements AutoCloseable {

    private final ServerSocket server;
    private final URI target;
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    private final List<Socket> servers = new CopyOnWriteArrayList<>();
    private volatile boolean cut;
    private volatile boolean holding;
    private volatile CountDownLatch released = new CountDownLatch(0);

    /** A way to the server of the tests. */
    TestProxy() throws IOException {
        target = URI.create(TestPostgres.url().substring("jdbc:".length()));
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /** Connections that go this way, without a pool: one that fails to connect pauses for longer than a lease. */
    DataSource source() {
        var source = new PGSimpleDataSource();
        source.setUrl(TestPostgres.url()
                .replace(target.getAuthority(),
                        server.getInetAddress().getHostAddress() + ":" + server.getLocalPort()));
        return source;
    }

    /** Breaks all connections, and lets none through until {@link #mend}. */
    void cut() {
        cut = true;
        breakAll(clients);
        breakAll(servers);
    }

    void mend() {
        cut = false;
    }

    /** What a client sends next is held, and its connection breaks for it. */
    void holdNext() {
        released = new CountDownLatch(1);
        holding = true;
    }

    /** What was held arrives. */
    void release() {
        released.countDown();
    }

    private static void breakAll(List<Socket> sockets) {
        sockets.forEach(TestProxy::close);
        sockets.clear();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it was broken already
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (cut) {
                    close(client);
                    continue;
                }
                var to = new Socket(target.getHost(), target.getPort());
                client.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                clients.add(client);
                servers.add(to);
                Thread.ofPlatform().daemon().start(() -> forward(client, to, true));
                Thread.ofPlatform().daemon().start(() -> forward(to, client, false));
            } catch (IOException e) {
                // closed, or the server is down
            }
        }
    }

    private void forward(Socket from, Socket to, boolean isRequest) {
        byte[] buffer = new byte[1 << 16];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (isRequest && holding) {
                    holding = false;
                    deliverLater(from, out, buffer, n);
                    return;
                }
                out.write(buffer, 0, n);
                out.flush();
            }
        } catch (IOException | InterruptedException e) {
            // one side has gone
        }
    }

    private void deliverLater(Socket from, OutputStream out, byte[] buffer, int length)
            throws IOException, InterruptedException {
        var held = new ByteArrayOutputStream();
        held.write(buffer, 0, length);
        while (from.getInputStream().available() > 0) {
            held.write(from.getInputStream().read());
        }
        close(from);
        released.await();
        out.write(held.toByteArray());
        out.flush();
        Thread.sleep(200); // the server reads before this side is closed
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
