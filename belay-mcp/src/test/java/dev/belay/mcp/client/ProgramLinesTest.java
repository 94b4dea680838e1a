package dev.belay.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who reads the lines of a program. Where no thread reads on its own, only a look can have read a line. */
@Timeout(30)
class ProgramLinesTest {

    private final PipedInputStream in = new PipedInputStream(1 << 16);
    private final PipedOutputStream out = new PipedOutputStream();
    private final BlockingQueue<String> read = new LinkedBlockingQueue<>();
    private final ProgramLines lines = new ProgramLines(in, 100, read::add);

    @BeforeEach
    void connect() throws IOException {
        out.connect(in);
    }

    private void say(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A quick reply: from now on waiting threads look. */
    private void quick() {
        lines.replied(System.nanoTime() + TimeUnit.SECONDS.toNanos(60)); // however late this thread runs
    }

    private boolean look(BooleanSupplier there) {
        return lines.look(System.nanoTime(), there);
    }

    private Thread own() {
        return Thread.ofVirtual().start(() -> {
            try {
                lines.read();
            } catch (IOException e) {
                read.add(String.valueOf(e.getMessage()));
            }
        });
    }

    @Test
    void aThreadThatWaitsForAQuickProgramReadsByItself() throws Exception {
        say("one\ntwo\n");
        quick();
        assertThat(look(() -> read.contains("two"))).isTrue();
        assertThat(List.copyOf(read)).isEqualTo(List.of("one", "two"));
    }

    @Test
    void aProgramThatWasNotQuickIsLeftToTheOwnThread() throws Exception {
        say("one\n");
        assertThat(look(() -> !read.isEmpty())).isFalse();
        lines.replied(System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
        assertThat(look(() -> !read.isEmpty())).isFalse();
        own();
        assertThat(read.take()).isEqualTo("one");
    }

    @Test
    void aLookThatFindsNoReplyEndsAndIsTheLast() throws Exception {
        quick();
        assertThat(look(() -> false)).isFalse();
        say("late\n");
        assertThat(look(() -> !read.isEmpty())).isFalse();
    }

    @Test
    void aLookDoesNotBlockInHalfALine() throws Exception {
        say("ha");
        quick();
        assertThat(look(() -> !read.isEmpty())).isFalse();
        say("lf\n");
        own();
        assertThat(read.take()).isEqualTo("half");
    }

    @Test
    void whileAThreadWaitsInAnotherWayNoThreadLooks() throws Exception {
        say("one\n");
        quick();
        lines.await();
        assertThat(look(() -> !read.isEmpty())).isFalse();
        lines.awaited();
        quick();
        assertThat(look(() -> !read.isEmpty())).isTrue();
    }

    @Test
    void theOwnThreadReadsAgainAfterItsRest() throws Exception {
        say("one\n");
        own();
        assertThat(read.take()).isEqualTo("one");
        quick();
        say("two\n"); // read in the place of a rest, or after it
        assertThat(read.take()).isEqualTo("two");
        quick();
        say("three\n");
        lines.await();
        assertThat(read.take()).isEqualTo("three");
    }

    @Test
    void aThreadThatLookedInVainWakesTheOwnThreadAndDoesNotWaitForItsRest() throws Exception {
        var resting = new ProgramLines(in, 100, TimeUnit.HOURS.toNanos(1), read::add);
        say("quick\n");
        resting.replied(System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        Thread own = Thread.ofVirtual().start(() -> {
            try {
                resting.read();
            } catch (IOException e) {
                read.add(String.valueOf(e.getMessage()));
            }
        });
        assertThat(read.take()).isEqualTo("quick");
        while (own.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(resting.look(System.nanoTime(), () -> false)).isFalse();
        resting.await();
        say("slow\n");
        assertThat(read.take()).isEqualTo("slow");
    }

    @Test
    void aLineThatIsTooLongForALookIsTooLongForTheOwnThread() throws Exception {
        say("x".repeat(101));
        quick();
        assertThat(look(() -> !read.isEmpty())).isFalse();
        say("\nnext\n");
        assertThatThrownBy(lines::read).hasMessageContaining("more than 100 bytes");
    }
}
