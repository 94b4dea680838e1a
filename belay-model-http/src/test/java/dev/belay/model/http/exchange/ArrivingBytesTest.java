package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.http.HttpTimeouts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The hand-over between the client's threads and the reader. */
class ArrivingBytesTest {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong requested = new AtomicLong();
    private final ArrivingBytes bytes = new ArrivingBytes();
    private boolean cancelled;

    ArrivingBytesTest() {
        bytes.waitWith(
                new Patience(HttpTimeouts.DEFAULT.withTotal(Duration.ofSeconds(100)), nanos::get, "here"));
        bytes.onSubscribe(new Subscription() {
            @Override
            public void request(long count) {
                requested.addAndGet(count);
            }

            @Override
            public void cancel() {
                cancelled = true;
            }
        });
    }

    @Test
    void aStreamThatNeverPausesIsGivenUpToo() throws IOException {
        arrive(1);
        arrive(2);
        assertThat(bytes.read()).isEqualTo(1);
        nanos.set(Duration.ofSeconds(101).toNanos());
        assertThatThrownBy(bytes::read).isInstanceOf(ArrivingBytes.TooLateException.class);
    }

    @Test
    void moreIsAskedForOnlyAsItIsRead() throws IOException {
        long window = requested.get();
        arrive(1, 2);
        arrive(3);
        assertThat(requested).hasValue(window);
        assertThat(bytes.read()).isEqualTo(1);
        assertThat(bytes.read()).isEqualTo(2);
        assertThat(requested).hasValue(window + 1);
        assertThat(bytes.read()).isEqualTo(3);
        assertThat(requested).hasValue(window + 2);
    }

    @Test
    void theEndIsTheEndForGood() throws IOException {
        arrive();
        arrive(0xff);
        bytes.onComplete();
        assertThat(bytes.read()).isEqualTo(0xff);
        assertThat(bytes.read()).isEqualTo(-1);
        assertThat(bytes.read()).isEqualTo(-1);
    }

    @Test
    void aBreakIsHeardAfterWhatHadArrived() throws IOException {
        arrive(1);
        bytes.onError(new IOException("zebra"));
        assertThat(bytes.read()).isEqualTo(1);
        assertThatThrownBy(bytes::read).isInstanceOf(IOException.class).hasMessage("zebra");
    }

    @Test
    void cancellingBeforeTheStartCancelsTheStart() {
        ArrivingBytes early = new ArrivingBytes();
        early.cancel();
        boolean[] stopped = {false};
        early.onSubscribe(new Subscription() {
            @Override
            public void request(long count) {
                throw new AssertionError("nothing is wanted any more");
            }

            @Override
            public void cancel() {
                stopped[0] = true;
            }
        });
        assertThat(stopped[0]).isTrue();
        bytes.cancel();
        assertThat(cancelled).isTrue();
    }

    private void arrive(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        bytes.onNext(List.of(buffer.flip()));
    }
}
