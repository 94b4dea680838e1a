package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.JournalProbe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.7: the last turn is tried once more without a new message. */
class AgainTest {

    private final SessionBench bench = new SessionBench();
    private final AtomicBoolean down = new AtomicBoolean(true);
    private final List<List<Message>> requests = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private Model provider() {
        return model(request -> {
            requests.add(request.messages());
            if (down.get()) {
                throw new ModelException(ModelException.Kind.UNAVAILABLE, "down");
            }
            return text("here");
        });
    }

    private Belay open() {
        return bench.open(provider(), builder -> builder.modelPatience(Duration.ZERO));
    }

    private static List<String> audit(Belay belay) {
        return belay.audit(0, 9)
                .stream()
                .map(AuditEntry::note)
                .map(note -> note.by().name() + " " + note.verb() + " " + note.target())
                .toList();
    }

    private static InputHandle done(Session.Again again) {
        return ((Session.Again.Done) again).input();
    }

    private static String refusal(Session.Again again) {
        return ((Session.Again.NotPossible) again).reason();
    }

    @Test
    void aStoppedTurnIsTriedOnceMoreWithoutANewMessage() throws Exception {
        Session session = open().session("s");
        assertThat(session.turn("Hello").instructions("Be brief.").run())
                .isNotInstanceOf(TurnResult.Finished.class);
        down.set(false);
        InputHandle input = done(session.again());
        TurnResult.Ended result = input.awaitCommit();
        assertThat(input.inputId()).isEqualTo("again/1");
        assertThat(result.text()).isEqualTo("here");
        assertThat(result.turn()).isEqualTo(2);
        assertThat(requests.getLast()).as("as the first turn was asked").isEqualTo(requests.getFirst());
        assertThat(session.messages()).containsExactly(Message.user("Hello"), Message.assistant("here"));
    }

    @Test
    void aTurnThatIsStoppedAgainIsTriedUnderItsOwnNumber() throws Exception {
        Session session = open().session("s");
        session.turn("Hello").run();
        assertThat(done(session.again()).awaitCommit()).isNotInstanceOf(TurnResult.Finished.class);
        down.set(false);
        InputHandle second = done(session.again());
        assertThat(second.inputId()).isEqualTo("again/2");
        assertThat(second.awaitCommit().text()).isEqualTo("here");
    }

    @Test
    void askingForItTwiceIsAlreadyWithTheSameInputAndNotedOnce() throws Exception {
        var asked = new CountDownLatch(2);
        var answers = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            asked.countDown();
            if (asked.getCount() == 1) {
                throw new ModelException(ModelException.Kind.AUTHENTICATION, "wrong key");
            }
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("here");
        }), UnaryOperator.identity());
        Session session = belay.as(new Actor("anna", "test")).session("s");
        session.turn("Hello").run();
        InputHandle first = done(session.again());
        asked.await();
        InputHandle second = ((Session.Again.Already) session.again()).input();
        assertThat(audit(belay)).containsExactly("anna again s/1");
        assertThat(second.inputId()).isEqualTo(first.inputId());
        answers.countDown();
        assertThat(second.awaitCommit()).isEqualTo(first.awaitCommit());
        assertThat(session.head().orElseThrow().revision()).isEqualTo(2);
    }

    /** Both have seen that nothing runs when the first of them is accepted. */
    @Test
    void twoProgramsThatAskAtOnceTryItOnceAndTheSecondIsTold() throws Exception {
        Belay first = open();
        first.session("s").turn("Hello").run();
        down.set(false);
        var overtaking = new AtomicReference<Session.Again>();
        Belay second = bench.dying(model(request -> text("here")), (moment, write) -> {
            if (moment == JournalProbe.Moment.BEFORE && write.equals("accept s again/1")
                    && overtaking.get() == null) {
                overtaking.set(first.session("s").again());
            }
            return false;
        }, UnaryOperator.identity()).belay;
        Session.Again again = second.as(new Actor("ben", "test")).session("s").again();
        InputHandle input = ((Session.Again.Already) again).input();
        assertThat(input.inputId()).isEqualTo(done(overtaking.get()).inputId()).isEqualTo("again/1");
        assertThat(input.awaitCommit().text()).isEqualTo("here");
        assertThat(first.session("s").head().orElseThrow().revision()).isEqualTo(2);
        assertThat(audit(first)).as("only what was done is noted").containsExactly("program again s/1");
    }

    @Test
    void whatIsNotAStoppedHeadIsNotPossibleAndNothingIsWritten() throws Exception {
        Belay belay = open();
        Session session = belay.session("s");
        assertThat(refusal(session.again())).contains("no session");
        down.set(false);
        session.turn("Hello").run();
        int writes = bench.writes().size();
        assertThat(refusal(session.again())).contains("not stopped");
        down.set(true);
        session.turn("More").run();
        session.close();
        assertThat(refusal(session.again())).contains("closed");
        session.open();
        assertThat(bench.writes().stream().skip(writes)).noneMatch(write -> write.contains("again/"));
        assertThat(audit(belay)).containsExactly("program close s", "program open s");
        down.set(false);
        assertThat(done(session.again()).awaitCommit().text()).isEqualTo("here");
    }

    @Test
    void aTurnThatRunsIsNotTriedAgain() throws Exception {
        var asked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            asked.countDown();
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("here");
        }), UnaryOperator.identity());
        InputHandle input = belay.session("s").turn("Hello").submit();
        asked.await();
        assertThat(refusal(belay.session("s").again())).contains("turn 1");
        answers.countDown();
        input.awaitCommit();
    }

    @Test
    void aForkTriesTheTurnThatItWasMadeWith() throws Exception {
        Belay belay = open();
        belay.session("s").turn("Hello").run();
        Session fork = belay.session("s").fork("t");
        down.set(false);
        assertThat(done(fork.again()).awaitCommit().text()).isEqualTo("here");
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }
}
