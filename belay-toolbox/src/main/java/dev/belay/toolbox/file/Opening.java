package dev.belay.toolbox.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Opens a name that may turn out to be a pipe. A pipe is refused before it is opened, but another process can put one in place
 * after that check. The opening then blocks until the other end is opened, and an interruption does not end it. So a watchdog
 * opens the same name for reading and writing, which never blocks, and closes it again if an opening takes too long.
 */
final class Opening {

    /** On a slower disk the file is only opened a second time, which does no harm. */
    private static final long PATIENCE_MILLIS = 1000;
    private static final long IDLE_SECONDS = 10;

    /** One thread for all openings, which runs only while files are opened. */
    private static final ScheduledThreadPoolExecutor WATCH = watch();

    private Opening() {}

    /** Opens something. */
    interface Open<T extends Closeable> {

        T open() throws IOException;
    }

    /**
     * Opens a file or fails; it does not block forever.
     *
     * @param open opens it
     * @param otherEnd opens the same name for reading and writing
     */
    static <T extends Closeable> T watched(Open<T> open, Open<?> otherEnd) throws IOException {
        ScheduledFuture<?> help = WATCH.schedule(() -> free(otherEnd), PATIENCE_MILLIS,
                TimeUnit.MILLISECONDS);
        try {
            return open.open();
        } finally {
            help.cancel(false);
        }
    }

    private static void free(Open<?> otherEnd) {
        try {
            otherEnd.open().close();
        } catch (IOException gone) {
            // the name is gone, or not writable; the opening does not block then
        }
    }

    /** The channel, if it belongs to a file: a pipe has no position. */
    static SeekableByteChannel seekable(SeekableByteChannel channel) throws IOException {
        try {
            channel.position(0);
            return channel;
        } catch (IOException notAFile) {
            channel.close();
            throw new IOException("it has become a pipe", notAFile);
        }
    }

    private static ScheduledThreadPoolExecutor watch() {
        var watch = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().daemon().name("belay-toolbox-openings").factory());
        watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        watch.setRemoveOnCancelPolicy(true);
        return watch;
    }
}
