package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.laws.StoreDriver;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.session.InputHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that writes finds no memory: the runtime ends loudly, each caller is answered, and the next runtime goes on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedWriterTest {

    @TempDir
    Path directory;

    private final AtomicBoolean starved = new AtomicBoolean();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    enum Step {
        BEGIN, LOAD, FLUSH, COMMIT, ASK
    }

    private void fails() {
        if (starved.get()) {
            throw new OutOfMemoryError("simulated");
        }
    }

    private StoreDriver store(Step step) {
        return new StoreDriver(
                JdbcStore.sqlite(directory.resolve("belay.db"), SqliteOptions.STANDARD, real -> {
                    var rows = new WatchedRows(real);
                    switch (step) {
                        case BEGIN -> rows.beforeBegin = this::fails;
                        case LOAD -> rows.beforeLoad = this::fails;
                        case FLUSH -> rows.beforeFlush = this::fails;
                        case COMMIT -> rows.commit = commit -> {
                            fails();
                            commit.run();
                        };
                        case ASK -> {
                            rows.commit = commit -> {
                                commit.run();
                                if (starved.get()) {
                                    throw new IllegalStateException("not answered");
                                }
                            };
                            rows.beforeAsking = this::fails;
                        }
                    }
                    return rows;
                }));
    }

    /** Answers at once, but for "Wait.", which waits for the test. */
    private Model model() {
        return new Model() {

            @Override
            public String id() {
                return "patient";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                if (request.messages().getLast().equals(Message.user("Wait."))) {
                    asked.countDown();
                    try {
                        mayAnswer.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return new ModelResponse(Message.assistant("yes"), FinishReason.STOP, Usage.of(1, 1),
                        "patient", "");
            }
        };
    }

    private static void assertFailed(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(JournalException.class, e -> {
            assertThat(e.code()).isEqualTo("runtime_failed");
            assertThat(e).hasMessageContaining("OutOfMemoryError")
                    .hasMessageContaining("open a new one on the same store");
        });
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void eachCallerIsAnsweredAndTheNextRuntimeGoesOn(Step step) throws Exception {
        Belay first = Belay.builder().model(model()).store(store(step).store()).build();
        InputHandle waiting = first.session("s").turn("Wait.").id("in").submit();
        asked.await();
        List<Throwable> told = new ArrayList<>();
        Thread joiner = Thread.ofVirtual().start(() -> told.add(catchThrowable(waiting::awaitCommit)));

        starved.set(true);
        assertFailed(() -> first.session("other").turn("Now.").submit());
        joiner.join();
        assertThat(told).singleElement()
                .isInstanceOfSatisfying(JournalException.class,
                        e -> assertThat(e.code()).isEqualTo("runtime_failed"));
        assertFailed(() -> first.session("other").turn("Again.").submit());
        assertFailed(() -> first.session("s").messages());

        starved.set(false);
        mayAnswer.countDown();
        try (Belay next = Belay.builder()
                .model(model())
                .store(JdbcStore.sqlite(directory.resolve("belay.db")))
                .build()) {
            assertThat(next.session("s").input("in").orElseThrow().awaitCommit().text())
                    .as("before the first one is closed")
                    .isEqualTo("yes");
        }
        first.close();
    }

    @Test
    void closingAFailedRuntimeReturns() throws Exception {
        Belay first = Belay.builder().model(model()).store(store(Step.BEGIN).store()).build();
        first.session("s").turn("Wait.").id("in").submit();
        asked.await();
        starved.set(true);
        assertFailed(() -> first.session("other").turn("Now.").submit());
        first.close();
        first.close();
    }

    @Test
    void whatGathersWhileTheWriterFailsIsAnswered() throws Exception {
        Belay first = Belay.builder().model(model()).store(store(Step.LOAD).store()).build();
        starved.set(true);
        List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String session = "s" + i;
            callers.add(Thread.ofVirtual()
                    .start(() -> told
                            .add(catchThrowable(() -> first.session(session).turn("Now.").submit()))));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(told).hasSize(200)
                .allSatisfy(e -> assertThat(((JournalException) e).code()).isEqualTo("runtime_failed"));
        first.close();
    }
}
