package dev.belay.toolbox.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one output stream of a program on a thread of its own until it is stopped.
 *
 * <p><b>Concurrency.</b> Only the pump's thread waits for output. The thread that runs the program does not, so a process that
 * floods the stream, holds it open or reads from it cannot delay a deadline or a cancellation. Closing the stream frees the pump;
 * the bytes read so far are kept.
 */
final class OutputPump {

    /** More than a pipe holds: after that many bytes the pump does not wait for further writers. */
    private static final long MOST_LEFT = 1 << 20;
    private static final long POLL_MILLIS = 5;
    /** A pump only copies a buffer; this is enough even on a heavily loaded machine. */
    private static final long LONGEST_STOP_MILLIS = 5000;

    private final InputStream in;
    private final Source source;
    private final HeadTail kept;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable IOException failure;

    /** Waits for bytes; negative at the end of the stream. */
    private interface Source {

        int read(byte[] buffer) throws IOException, InterruptedException;
    }

    private OutputPump(InputStream in, @Nullable FileChannel channel, HeadTail kept, ThreadFactory threads) {
        this.in = in;
        this.source = channel == null ? this::poll : buffer -> channel.read(ByteBuffer.wrap(buffer));
        this.kept = kept;
        thread = threads.newThread(this::pump);
    }

    /** A pump for a pipe of Belay's own, which may be closed at any time. */
    static OutputPump of(NamedPipe pipe, HeadTail kept, ThreadFactory threads) {
        return new OutputPump(pipe.stream(), pipe.stream().getChannel(), kept, threads);
    }

    /** A pump for a stream of the JDK, which must not be closed during a read. */
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

    /** Reads the bytes that are available now, and stops. Bytes already read from the pipe are kept. */
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

    /** Stops; processes that still write get an error. */
    void stop() {
        stopping = true;
        try {
            in.close();
        } catch (IOException closed) {
            // the stream is not used any more
        }
    }
}
