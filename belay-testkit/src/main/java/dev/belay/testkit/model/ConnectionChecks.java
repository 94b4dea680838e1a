package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks threads, cancellation, timeouts and the proxy. */
abstract class ConnectionChecks extends FailureChecks {

    private static final Duration SOON = Duration.ofMillis(150);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    ConnectionChecks() {}

    @Test
    void aWordIsHeardBeforeTheNextIsSaid() {
        CountDownLatch heard = new CountDownLatch(1);
        List<String> events = fixture().stream(saying("first", "second"));
        int second = 0;
        while (!events.get(second).contains("second")) {
            second++;
        }
        server.play(WireAnswer.stream(events).pauseBefore(second, heard));
        assertThat(model().complete(QUESTION, event -> {
            if (event instanceof TextDelta(String chunk) && chunk.equals("first")) {
                heard.countDown();
            }
        }).text()).isEqualTo("firstsecond");
    }

    @Test
    void theListenerIsCalledOnTheCallingThread() {
        server.play(words("a", "b"));
        List<Thread> threads = new ArrayList<>();
        model().complete(QUESTION, event -> threads.add(Thread.currentThread()));
        assertThat(threads).isNotEmpty().containsOnly(Thread.currentThread());
    }

    @Test
    void whatTheListenerThrowsArrivesAsItIs() throws InterruptedException {
        for (RuntimeException thrown : List.of(new IllegalStateException("mine"),
                new ModelException(Kind.UNAVAILABLE, "mine too"))) {
            server.play(WireAnswer.stream(fixture().stream(begun("a"))).thenHang());
            Model model = fixture().model(setup().withAttempts(3, wait -> {}));
            assertThatThrownBy(() -> model.complete(QUESTION, event -> {
                throw thrown;
            })).isSameAs(thrown);
            server.awaitClosedByClient();
        }
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void interruptingClosesTheConnection() throws InterruptedException {
        server.play(WireAnswer.stream(fixture().stream(begun("Half"))).thenHang());
        CountDownLatch heard = new CountDownLatch(1);
        Interrupted call = new Interrupted(model(), event -> {
            if (event instanceof TextDelta) {
                heard.countDown();
            }
        });
        heard.await();
        ModelException failure = call.interrupt();
        assertThat(failure.kind()).isEqualTo(Kind.INTERRUPTED);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Half"));
        server.awaitClosedByClient();
    }

    @Test
    void interruptingBeforeTheAnswerClosesTheConnection() throws InterruptedException {
        server.play(WireAnswer.silence());
        Interrupted call = new Interrupted(fixture().model(setup().withAttempts(3, wait -> {})),
                ModelListener.silent());
        server.awaitRequest();
        assertThat(call.interrupt().kind()).isEqualTo(Kind.INTERRUPTED);
        server.awaitClosedByClient();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void anInterruptedThreadAsksNothing() {
        server.play(words("never heard"));
        Thread.currentThread().interrupt();
        ModelException failure = failureOf(model());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure.kind()).isEqualTo(Kind.INTERRUPTED);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aSilentServerIsGivenUp() throws InterruptedException {
        timesOut(setup()::withFirstByte, WireAnswer.silence(), "firstByte", "");
        timesOut(setup()::withFirstByte, WireAnswer.stream(List.of()).thenHang(), "firstByte", "");
    }

    @Test
    void aServerThatFallsSilentIsGivenUp() throws InterruptedException {
        timesOut(setup()::withBetweenChunks, half(), "betweenChunks", "Half");
    }

    @Test
    void aCallThatLastsTooLongIsGivenUp() throws InterruptedException {
        timesOut(setup()::withTotal, half(), "total", "Half");
        timesOut(setup()::withTotal, WireAnswer.silence(), "total", "");
    }

    @Test
    void aWaitThatWouldLastTooLongIsNotBegun() {
        server.play(fixture().failure(ModelFixture.Failure.RATE_LIMITED, "busy").header("Retry-After", "20"));
        List<Duration> waits = new ArrayList<>();
        ClientSetup setup = setup().withAttempts(3, waits::add).withTotal(Duration.ofSeconds(10));
        assertThat(failureOf(fixture().model(setup)).kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(waits).isEmpty();
    }

    @Test
    void requestsGoThroughTheProxy() {
        try (WireProxy proxy = WireProxy.start()) {
            server.play(words("far ", "away"));
            Model model = fixture().model(setup().withProxy(proxy.address()));
            assertThat(model.complete(QUESTION).text()).isEqualTo("far away");
            assertThat(proxy.targets()).singleElement().asString().startsWith(server.url().toString());
        }
    }

    @Test
    void manyThreadsMayAskAtOnce() throws Exception {
        int count = 50;
        for (int i = 0; i < count; i++) {
            server.play(request -> {
                String name = fixture().words(request.json()).getLast();
                return words("you are ", name);
            });
        }
        Model model = model();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<String>> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = "number " + i;
                calls.add(() -> model.complete(ModelRequest.of(Message.user(name))).text());
            }
            List<Future<String>> answers = threads.invokeAll(calls);
            for (int i = 0; i < count; i++) {
                assertThat(answers.get(i).get()).isEqualTo("you are number " + i);
            }
        }
    }

    private WireAnswer half() {
        return WireAnswer.stream(fixture().stream(begun("Half"))).thenHang();
    }

    /**
     * Expects a call to end in this timeout after this text. On a busy machine a short timeout may pass before the request or the
     * text has arrived; then the result proves nothing, and the call is repeated with twice the time.
     */
    private void timesOut(Function<Duration, ClientSetup> patience, WireAnswer answer, String which,
            String heard)
            throws InterruptedException {
        server.playAlways(answer);
        Duration wait = SOON;
        while (true) {
            int before = server.requests().size();
            ModelException failure = failureOf(fixture().model(patience.apply(wait)));
            assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(failure).hasMessageContaining("\"" + which + "\"");
            boolean arrived = server.requests().size() > before;
            if (arrived && failure.partial().map(ModelResponse::text).orElse("").equals(heard)) {
                server.awaitClosedByClient();
                return;
            }
            wait = wait.multipliedBy(2);
            assertThat(wait).as("the longest time that a busy machine may need").isLessThan(LONGEST);
        }
    }

    /** A call on a thread of its own, to be interrupted. */
    private static final class Interrupted {

        private final AtomicReference<@Nullable ModelException> failure = new AtomicReference<>();
        private final AtomicBoolean flag = new AtomicBoolean();
        private final Thread thread;

        Interrupted(Model model, ModelListener listener) {
            thread = Thread.ofVirtual().start(() -> {
                try {
                    model.complete(QUESTION, listener);
                } catch (ModelException e) {
                    failure.set(e);
                    flag.set(Thread.currentThread().isInterrupted());
                }
            });
        }

        ModelException interrupt() throws InterruptedException {
            thread.interrupt();
            thread.join();
            assertThat(flag).as("the interrupt flag").isTrue();
            ModelException thrown = failure.get();
            if (thrown == null) {
                throw new AssertionError("the interrupted call did not fail");
            }
            return thrown;
        }
    }
}
