package dev.belay.benchmarks.durable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A way to a server on this machine that adds some time to each request, as another machine would. */
final class SlowNetwork implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Duration delay;

    SlowNetwork(int target, Duration delay) throws IOException {
        this.target = target;
        this.delay = delay;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                var to = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> forward(client, to, delay));
                Thread.ofPlatform().daemon().start(() -> forward(to, client, Duration.ZERO));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private static void forward(Socket from, Socket to, Duration delay) {
        byte[] buffer = new byte[1 << 16];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!delay.isZero()) {
                    LockSupport.parkNanos(delay.toNanos());
                }
                out.write(buffer, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            // one side has gone
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
