package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An alarm that is set holds a turn and its store in the heap, so what has ended leaves none. */
@Timeout(60)
class AlarmsLeftTest {

    private static final int TURNS = 100;
    private static final List<CallPart> CALLS = List.of(call("a", "pay"), call("b", "pay"), call("c", "pay"));

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay asking(TimeSource source) {
        return bench.open(calling(CALLS), builder -> builder.time(source)
                .parkAfter(Duration.ZERO)
                .tools(StaticToolProvider.builder()
                        .raw(tool("pay", ToolEffect.ONCE).approval(Approval.ALWAYS),
                                (arguments, context) -> "paid")
                        .build()));
    }

    /** Approves what asks first; how many it has approved. */
    private static int approve(Belay belay) {
        return (int) belay.approvals()
                .open(null, 1)
                .items()
                .stream()
                .filter(open -> belay.approvals()
                        .decide(open.keyId(), open.request().digest(), ApprovalAnswer.once())
                        .equals(VerbResult.DONE))
                .count();
    }

    private void assertThatNoneIsLeft(Belay belay) {
        belay.close();
        time.advance(Duration.ofSeconds(2)); // what looks for writes of others from time to time notices that it is closed
        assertThat(time.alarms()).isZero();
    }

    @Test
    void aClosedRuntimeLeavesNone() throws Exception {
        Belay belay = asking(time);
        assertThat(belay.session("s").turn("Go.").run()).isInstanceOf(TurnResult.Resting.class);
        assertThatNoneIsLeft(belay);
    }

    /** The end of the last call lets the turn rest, and its alarm must not come after that. */
    @Test
    void callsThatFallAsleepSideBySideLeaveNone() throws Exception {
        Belay belay = asking(new Late());
        for (int turn = 0; turn < TURNS; turn++) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            for (int answered = 0; answered < CALLS.size();) {
                answered += approve(belay);
            }
            assertThat(input.awaitCommit().text()).contains("paid");
        }
        assertThatNoneIsLeft(belay);
    }

    /** Lets other threads go first before an alarm is set. */
    private final class Late implements TimeSource {

        @Override
        public Alarm at(Instant due, Runnable action) {
            for (int i = 0; i < 5; i++) {
                LockSupport.parkNanos(1);
            }
            return time.at(due, action);
        }

        @Override
        public Alarm after(Duration delay, Runnable action) {
            return time.after(delay, action);
        }

        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public long nanos() {
            return time.nanos();
        }
    }
}
