package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Time moves only when a test says so, and alarms keep to it. */
final class FakeTimeTest {

    private final FakeTime time = new FakeTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void timeStandsStill() {
        assertThat(time.now()).isEqualTo(FakeTime.START);
        assertThat(time.nanos()).isZero();
    }

    @Test
    void alarmsRunInTheOrderOfTheirMoments() {
        time.after(Duration.ofSeconds(3), () -> ran.add("third at " + time.nanos()));
        time.at(FakeTime.START.plusSeconds(2), () -> ran.add("second at " + time.nanos()));
        time.after(Duration.ofSeconds(2), () -> ran.add("beside it"));
        time.after(Duration.ofSeconds(9), () -> ran.add("never"));

        time.advance(Duration.ofSeconds(4));

        assertThat(ran).containsExactly("second at 2000000000", "beside it", "third at 3000000000");
        assertThat(time.nanos()).isEqualTo(4_000_000_000L);
        assertThat(time.now()).isEqualTo(FakeTime.START.plusSeconds(4));
    }

    @Test
    void anAlarmSetByAnAlarmRunsToo() {
        time.after(Duration.ofSeconds(1), () -> time.after(Duration.ofSeconds(1), () -> ran.add("second")));

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("second");
    }

    @Test
    void alarmsRunOnTheThreadThatMovesTheTime() {
        List<Thread> threads = new ArrayList<>();
        time.after(Duration.ofSeconds(1), () -> threads.add(Thread.currentThread()));

        time.advance(Duration.ofSeconds(1));

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void aJumpForwardReachesTheWallClockOnly() {
        time.at(FakeTime.START.plusSeconds(60), () -> ran.add("wall"));
        time.after(Duration.ofSeconds(60), () -> ran.add("passing"));

        time.jump(Duration.ofHours(1));

        assertThat(ran).containsExactly("wall");
        assertThat(time.nanos()).isZero();
        assertThat(time.now()).isEqualTo(FakeTime.START.plusSeconds(3600));
    }

    @Test
    void aJumpBackPutsTheWallClockOff() {
        time.at(FakeTime.START.plusSeconds(60), () -> ran.add("wall"));
        time.after(Duration.ofSeconds(60), () -> ran.add("passing"));

        time.jump(Duration.ofHours(-1));
        time.advance(Duration.ofSeconds(60));
        assertThat(ran).containsExactly("passing");

        time.advance(Duration.ofHours(1));
        assertThat(ran).containsExactly("passing", "wall");
    }

    @Test
    void aCancelledAlarmDoesNotRun() {
        time.after(Duration.ofSeconds(1), () -> ran.add("cancelled")).cancel();

        time.advance(Duration.ofSeconds(1));

        assertThat(ran).isEmpty();
        assertThat(time.alarms()).isZero();
    }

    @Test
    void anAlarmOfThePastRunsAtOnceElsewhere() throws Exception {
        var rang = new CountDownLatch(2);
        time.at(FakeTime.START.minusSeconds(1), rang::countDown);
        time.after(Duration.ZERO, rang::countDown);

        rang.await();

        assertThat(time.alarms()).isZero();
    }

    @Test
    void aTestCanWaitForAlarms() throws Exception {
        var setter = Thread.ofVirtual().start(() -> {
            time.after(Duration.ofSeconds(1), () -> {});
            time.after(Duration.ofSeconds(1), () -> {});
        });

        time.awaitAlarms(2);

        assertThat(time.alarms()).isEqualTo(2);
        setter.join();
    }

    @Test
    void aTestCanWaitForOneAlarmAmongOthers() throws InterruptedException {
        time.after(Duration.ofSeconds(1), () -> {});
        var setter = Thread.ofVirtual().start(() -> time.at(time.now().plusSeconds(7), () -> {}));

        time.awaitAlarmIn(Duration.ofSeconds(7));

        assertThat(time.alarms()).isEqualTo(2);
        setter.join();
    }

    @Test
    void anAlarmThatIsSetWhileTimePassesRings() throws InterruptedException {
        for (int n = 0; n < 2_000; n++) {
            var own = new FakeTime();
            var rang = new CountDownLatch(1);
            Thread.ofVirtual().start(() -> own.at(FakeTime.START.plusSeconds(1), rang::countDown));
            own.advance(Duration.ofSeconds(2));
            assertThat(rang.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void timeDoesNotPassBackwards() {
        assertThatThrownBy(() -> time.advance(Duration.ofSeconds(-1)))
                .hasMessageContaining("PT-1S")
                .hasMessageContaining("jump");
    }
}
