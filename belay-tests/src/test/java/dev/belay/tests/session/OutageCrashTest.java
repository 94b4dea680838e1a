package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.toolset.Answer;
import dev.belay.toolset.StructuredOutput;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Contract P.7 with a crash at every write: the outage goes on where it was, and each recorded try is counted once. */
class OutageCrashTest {

    private static final int OUTAGE = 2;

    /** What can be seen of a turn that sits out an outage. */
    private record Seen(String text, List<Message> messages, int rounds, Usage usage, int unrecorded,
            int asked) {}

    /** The provider is down for its first requests, of whichever process; each of those costs something. */
    private static final class Down implements Crashes.Scenario<Seen> {

        private final FakeTime time = new FakeTime();
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Model model() {
            return SessionBench.model(request -> {
                if (asked.incrementAndGet() <= OUTAGE) {
                    throw new ModelException(Kind.UNAVAILABLE, "down").withPartial(text("half"));
                }
                return text("whole");
            });
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder.time(time);
        }

        @Override
        public void begin(Belay belay) {
            belay.session("s").turn("Hello").id("in").submit();
        }

        @Override
        public Seen end(Belay belay) throws Exception {
            var input = belay.session("s").input("in").orElseThrow();
            while (input.result().isEmpty()) {
                time.advance(Duration.ofMillis(100));
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            TurnResult.Ended result = input.awaitCommit();
            return new Seen(result.text(), belay.session("s").messages(), result.rounds(), result.usage(),
                    result.unrecorded(), asked.get());
        }
    }

    @Test
    void whicheverWriteAProcessDiesAtTheOutageGoesOnWhereItWas() throws Exception {
        List<Crashes.Play<Seen>> plays = new Crashes<>(Down::new).play();
        assertThat(plays.getFirst().end()).isEqualTo(
                new Seen("whole", plays.getFirst().end().messages(), 1, Usage.of(30, 15), 0, 3));
        assertThat(plays).hasSizeGreaterThan(20);
        assertThat(plays).as("what lists say is a write, too")
                .anyMatch(play -> play.where().contains("awaits "));
        for (Crashes.Play<Seen> play : plays) {
            Seen seen = play.end();
            assertThat(seen.text()).as(play.where()).isEqualTo("whole");
            assertThat(seen.messages()).as(play.where()).isEqualTo(plays.getFirst().end().messages());
            assertThat(seen.rounds()).as(play.where()).isEqualTo(1);
            long recorded = seen.usage().input().orElseThrow() / 10;
            assertThat(seen.asked() - recorded).as("requests without a record, " + play.where())
                    .isBetween(0L, (long) seen.unrecorded());
        }
    }

    /** The same outage in a loop of a program, which is run again when the model is due. */
    private static final class DownInALoop implements Crashes.Scenario<Seen> {

        private final FakeTime time = new FakeTime();
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Model model() {
            return SessionBench.model(request -> {
                if (asked.incrementAndGet() <= OUTAGE) {
                    throw new ModelException(Kind.UNAVAILABLE, "down").withPartial(text("half"));
                }
                return text("whole");
            });
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder.time(time);
        }

        @Override
        public void begin(Belay belay) {
            belay.onReady("mine", turn -> {
                turn.step().answer();
                turn.finish();
            });
            try (OpenTurn turn = belay.session("s").begin("Hello", "in", "mine")) {
                if (turn.result().isEmpty()) {
                    turn.step().answer();
                }
            } catch (BelayException waits) {
                assertThat(waits.code()).isIn("model_unavailable", "turn_busy", "turn_lost");
            }
        }

        @Override
        public Seen end(Belay belay) throws Exception {
            var input = belay.session("s").input("in").orElseThrow();
            while (input.result().isEmpty()) {
                time.advance(Duration.ofMillis(100));
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            TurnResult.Ended result = input.awaitCommit();
            return new Seen(result.text(), belay.session("s").messages(), result.rounds(), result.usage(),
                    result.unrecorded(), asked.get());
        }
    }

    @Test
    void whicheverWriteAProcessDiesAtALoopOfAProgramGoesOnToo() throws Exception {
        for (Crashes.Play<Seen> play : new Crashes<>(DownInALoop::new).play()) {
            assertThat(play.end().text()).as(play.where()).isEqualTo("whole");
            assertThat(play.end().messages()).as(play.where()).hasSize(2);
        }
    }

    /** Answers with the wrong form until it is corrected. */
    private static final class Corrected implements Crashes.Scenario<Seen> {

        private static final StructuredOutput<Verdict> FORM = StructuredOutput.of(Verdict.class);

        /** What is asked for. */
        record Verdict(boolean refund) {}

        @Override
        public Model model() {
            return SessionBench.model(
                    request -> text(request.messages().size() == 1 ? "yes" : "{\"refund\":true}"));
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder;
        }

        @Override
        public void begin(Belay belay) {
            belay.session("s").turn("Hello").id("in").as(FORM).submit();
        }

        @Override
        public Seen end(Belay belay) throws Exception {
            TurnResult.Ended result = belay.session("s").input("in").orElseThrow().awaitCommit();
            assertThat(result.answer(FORM)).isEqualTo(new Answer.Given<>(new Verdict(true)));
            return new Seen(result.text(), belay.session("s").messages(), result.rounds(), result.usage(), 0,
                    0);
        }
    }

    @Test
    void whicheverWriteAProcessDiesAtAnAnswerIsCorrectedOnce() throws Exception {
        List<Crashes.Play<Seen>> plays = new Crashes<>(Corrected::new).play();
        assertThat(plays).hasSizeGreaterThan(8)
                .allSatisfy(play -> assertThat(play.end()).isEqualTo(plays.getFirst().end()));
        assertThat(plays.getFirst().end().rounds()).isEqualTo(2);
    }
}
