package dev.belay.model.http.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, pushed by the JDK's client and pulled by the thread that asked.
 *
 * <p><b>Concurrency</b>: the client's threads only add to a queue, at most {@link #WINDOW} pieces ahead of the reader; only the
 * reader takes from it. An interrupted or late reader {@linkplain #cancel cancels}, which closes the connection. A reader with a
 * complete answer {@linkplain #release releases} it; the remaining bytes are dropped for a short time, so that the connection can
 * be used again.
 */
final class ArrivingBytes extends InputStream implements BodySubscriber<ArrivingBytes> {

    /** Pieces that may wait unread: enough that the network does not pause for a listener, little enough to hold in memory. */
    private static final int WINDOW = 16;
    /** How long the end of a finished answer may take before its connection is given up. */
    private static final Executor AFTER_GRACE = CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS);

    private sealed interface Arrival {

        record Bytes(List<ByteBuffer> buffers) implements Arrival {}

        record Broken(Throwable cause) implements Arrival {}

        record End() implements Arrival {}
    }

    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();
    private final Queue<ByteBuffer> current = new ArrayDeque<>();
    private volatile boolean dropping;
    private volatile boolean cancelled;
    private volatile boolean over;
    private @Nullable Patience patience;

    /** Sets how long each read may take; called before the first read. */
    void waitWith(Patience bounds) {
        patience = bounds;
    }

    @Override
    public CompletionStage<ArrivingBytes> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Subscription granted) {
        subscription.set(granted);
        if (cancelled) {
            granted.cancel();
        } else {
            granted.request(WINDOW);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (!dropping) {
            arrivals.add(new Arrival.Bytes(buffers));
        }
    }

    @Override
    public void onError(Throwable cause) {
        over = true;
        arrivals.add(new Arrival.Broken(cause));
    }

    @Override
    public void onComplete() {
        over = true;
        arrivals.add(new Arrival.End());
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (current.isEmpty() && !await()) {
            return -1;
        }
        ByteBuffer buffer = current.element();
        int count = Math.min(length, buffer.remaining());
        buffer.get(target, offset, count);
        if (!buffer.hasRemaining()) {
            current.remove();
        }
        return count;
    }

    /** What can be read without waiting: gzip asks, to know whether another member follows. */
    @Override
    public int available() {
        ByteBuffer buffer = current.peek();
        return buffer == null ? 0 : buffer.remaining();
    }

    private boolean await() throws IOException {
        Patience bounds = patience;
        if (bounds != null && bounds.isOver()) {
            throw new TooLateException(); // also if bytes keep arriving
        }
        while (current.isEmpty()) {
            Arrival next;
            try {
                next = bounds == null
                        ? arrivals.take()
                        : arrivals.poll(bounds.nanosToWait(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while an answer was arriving");
            }
            switch (next) {
                case null -> throw new TooLateException();
                case Arrival.Broken(Throwable cause) -> throw new IOException(cause.getMessage(), cause);
                case Arrival.End end -> {
                    arrivals.add(end);
                    return false;
                }
                case Arrival.Bytes(List<ByteBuffer> buffers) -> {
                    buffers.stream().filter(ByteBuffer::hasRemaining).forEach(current::add);
                    request(1);
                }
            }
        }
        if (bounds != null) {
            bounds.heard();
        }
        return true;
    }

    /** Closes the connection without reading the rest. */
    void cancel() {
        cancelled = true;
        Subscription granted = subscription.get();
        if (granted != null) {
            granted.cancel();
        }
    }

    /** Drops the rest of a complete answer in the background; closes the connection if it takes longer than the grace time. */
    void release() {
        dropping = true;
        arrivals.clear();
        current.clear();
        if (!over) {
            request(Long.MAX_VALUE);
            AFTER_GRACE.execute(() -> {
                if (!over) {
                    cancel();
                }
            });
        }
    }

    private void request(long count) {
        Subscription granted = subscription.get();
        if (granted != null) {
            granted.request(count);
        }
    }

    /** No bytes arrived in the time allowed. */
    static final class TooLateException extends IOException {

        private static final long serialVersionUID = 1L;
    }
}
