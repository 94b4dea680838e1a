package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Issue: a write that claims a scope, is done, and whose answer is lost left the scope claimed by a process that did not know of it.
 * Nobody ran it until that process had ended.
 */
@Timeout(60)
class LostAnswerTest {

    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration GLANCE = Duration.ofMillis(2);
    private static final int STEPS = 6_000;

    private final FakeTime time = new FakeTime();
    /** How many answers are lost from now on, by the first word of the write. */
    private final Map<String, Integer> lost = new ConcurrentHashMap<>();
    /** A session whose row is damaged. */
    private final AtomicReference<String> unreadable = new AtomicReference<>("");
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private Belay belay = Belay.builder().model(model(request -> text("never asked"))).build();

    @BeforeEach
    void open() {
        belay.close();
        Store real = Intercepted.store(InMemoryStore.open(), this::answer);
        belay = Belay.builder().model(model(request -> {
            asked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("yes");
        }))
                .time(time)
                .store(real)
                .process("work", (context, input) -> context.awaitSignal("go"))
                .drain(Duration.ZERO)
                .build();
    }

    @AfterEach
    void close() {
        mayAnswer.countDown();
        belay.close();
    }

    private @Nullable Object answer(String what, Intercepted.Real real) throws Throwable {
        if (what.startsWith("read session " + unreadable.get() + ", session_past")) {
            throw JournalException.corrupt("nobody can read this session", null);
        }
        Object answer = real.call();
        String write = what.split(" ", -1)[0];
        if (lost.getOrDefault(write, 0) > 0) {
            lost.merge(write, -1, Integer::sum);
            throw new JournalException("the answer to " + write + " is lost", null);
        }
        return answer;
    }

    /** Does something that waits, while time passes; what takes more than five minutes of it has not come. */
    private <T> T passing(Callable<T> waiting) throws Exception {
        var task = new FutureTask<>(waiting);
        Thread thread = Thread.ofVirtual().start(task);
        for (int step = 0; step < STEPS && !thread.join(GLANCE); step++) {
            time.advance(STEP);
        }
        return task.get(1, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "2, 0", "2, 1", "3, 3"})
    void theTurnBehindACommitRunsHoweverOftenTheAnswerIsLost(int commits, int reentries) throws Exception {
        Session session = belay.session("s");
        InputHandle first = session.turn("one").id("1").submit();
        asked.await();
        InputHandle second = session.turn("two").id("2").submit();
        lost.put("commit", commits);
        lost.put("reenter", reentries);
        mayAnswer.countDown();

        assertThat(passing(second::awaitCommit).turn()).isEqualTo(2);
        assertThat(first.result()).isPresent();
        assertThat(session.head().orElseThrow().revision()).isEqualTo(2);
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void aTurnRunsWhoseAcceptanceWasNotAnswered() throws Exception {
        mayAnswer.countDown();
        lost.put("accept", 1);
        assertThatThrownBy(() -> belay.session("s").turn("one").id("1").submit())
                .isInstanceOf(JournalException.class);
        assertThat(passing(belay.session("s").turn("one").id("1").submit()::awaitCommit).text())
                .isEqualTo("yes");
    }

    @Test
    void aProcessRunsWhoseStartOrSignalWasNotAnswered() throws Exception {
        ProcessStart work = ProcessStart.body("work", Json.EMPTY_OBJECT).id("p");
        lost.put("start-process", 1);
        assertThatThrownBy(() -> belay.processes().start(work)).isInstanceOf(JournalException.class);
        var process = belay.processes().start(work);
        passing(() -> {
            while (process.status() != ProcessStatus.WAITING) {
                Thread.onSpinWait();
            }
            return true;
        });
        lost.put("signal", 1);
        assertThatThrownBy(() -> process.signal("go", Json.TRUE, "k")).isInstanceOf(JournalException.class);
        process.signal("go", Json.TRUE, "k");
        ProcessEnd end = passing(process::awaitEnd);
        assertThat(end).isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void aSessionThatCannotBeReadKeepsNoWorkOfOthersFromBeingFound() throws Exception {
        mayAnswer.countDown();
        unreadable.set("bad");
        lost.put("accept", 1);
        assertThatThrownBy(() -> belay.session("bad").turn("one").id("1").submit())
                .isInstanceOf(JournalException.class);
        lost.put("accept", 1);
        assertThatThrownBy(() -> belay.session("s").turn("one").id("1").submit())
                .isInstanceOf(JournalException.class);
        assertThat(passing(belay.session("s").turn("one").id("1").submit()::awaitCommit).text())
                .isEqualTo("yes");
    }
}
