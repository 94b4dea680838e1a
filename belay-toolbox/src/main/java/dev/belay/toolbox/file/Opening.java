package dev.belay.toolbox.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Opens what may turn out to be a pipe. A pipe is refused before it is opened, but one can be swapped in after that look, and then
 * the opening waits for somebody at its other end, deaf to interruption. So an opening that takes too long gets that somebody:
 * the same name is opened for reading and writing, which never waits, and closed again.
 */
final class Opening {

    /** A disk that takes longer only gets a second opening, which does no harm. */
    private static final long PATIENCE_MILLIS = 1000;
    private static final long IDLE_SECONDS = 10;

    /** One thread for all, there only while files are opened. */
    private static final ScheduledThreadPoolExecutor WATCH = watch();

    private Opening() {}

    /** Opens something. */
    interface Open<T extends Closeable> {

        T open() throws IOException;
    }

    /**
     * Opens, and is freed if it hangs.
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
            // then nobody waits for it, or it is not ours to write
        }
    }

    /** The channel, if it is that of a file: no pipe has a position. */
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
