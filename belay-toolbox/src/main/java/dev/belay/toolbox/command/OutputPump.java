package dev.belay.toolbox.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a program writes to one stream, on a thread of its own, until it is stopped.
 *
 * <p><b>Concurrency.</b> Only the pump's thread waits for output. Whoever runs the program never does, so that nobody who floods
 * the stream, holds on to it or takes bytes out of it can keep a deadline or a cancellation from being seen. Closing the stream
 * frees the pump; what it had read by then is kept.
 */
final class OutputPump {

    /** More than a pipe holds: who still writes after that much is not waited for. */
    private static final long MOST_LEFT = 1 << 20;
    private static final long POLL_MILLIS = 5;
    /** A pump has nothing to do but copy a buffer; this is for a machine that is nearly at a standstill. */
    private static final long LONGEST_STOP_MILLIS = 5000;

    private final InputStream in;
    private final Source source;
    private final HeadTail kept;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable IOException failure;

    /** Waits for bytes; less than zero if there will be none. */
    private interface Source {

        int read(byte[] buffer) throws IOException, InterruptedException;
    }

    private OutputPump(InputStream in, @Nullable FileChannel channel, HeadTail kept, ThreadFactory threads) {
        this.in = in;
        this.source = channel == null ? this::poll : buffer -> channel.read(ByteBuffer.wrap(buffer));
        this.kept = kept;
        thread = threads.newThread(this::pump);
    }

    /** Of a pipe that is ours. */
    static OutputPump of(NamedPipe pipe, HeadTail kept, ThreadFactory threads) {
        return new OutputPump(pipe.stream(), pipe.stream().getChannel(), kept, threads);
    }

    /** Of a stream that must not be closed while somebody reads it. */
    static OutputPump polling(InputStream in, HeadTail kept, ThreadFactory threads) {
        return new OutputPump(in, null, kept, threads);
    }

    void start() {
        thread.start();
    }

    /** Why the stream could not be read, or null. */
    @Nullable
    IOException failure() {
        return failure;
    }

    private void pump() {
        byte[] buffer = new byte[64 << 10];
        try {
            for (int read = source.read(buffer); read >= 0; read = source.read(buffer)) {
                kept.add(buffer, read);
            }
        } catch (IOException e) {
            if (!stopping) {
                failure = e;
            }
        } catch (InterruptedException e) {
            failure = new IOException("the thread that reads it was interrupted", e);
        }
    }

    private int poll(byte[] buffer) throws IOException, InterruptedException {
        while (!stopping) {
            int available = in.available();
            if (available > 0) {
                return in.read(buffer, 0, Math.min(buffer.length, available));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return -1;
    }

    /** Takes what is there now, and stops. What was read from the pipe is kept, also if the pump has not come to it yet. */
    void finish() throws InterruptedException {
        long most = kept.seen() + MOST_LEFT;
        try {
            while (thread.isAlive() && in.available() > 0 && kept.seen() < most) {
                thread.join(1);
            }
        } catch (IOException e) {
            failure = e;
        }
        stop();
        thread.join(LONGEST_STOP_MILLIS);
        if (thread.isAlive()) {
            failure = new IOException("the thread that reads it does not end");
        }
    }

    /** Stops; writers who are still there learn that nobody reads any more. */
    void stop() {
        stopping = true;
        try {
            in.close();
        } catch (IOException closed) {
            // nobody reads it any more
        }
    }
}
