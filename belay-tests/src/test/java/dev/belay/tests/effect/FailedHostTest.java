package dev.belay.tests.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that takes work or rings alarms fails: each caller is answered, the host can be closed, and the next one goes on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedHostTest {

    private static final ScopeId SCOPE = new ScopeId("s");
    private static final ScopeId SLEEPER = new ScopeId("sleeper");
    private static final Duration NAP = Duration.ofMillis(300);

    private final SharedMemory memory = new SharedMemory();
    private final BlockingQueue<CompletionKey> keys = new LinkedBlockingQueue<>();
    private final AtomicBoolean starved = new AtomicBoolean();

    /** What finds no memory. */
    enum Starved {
        VERSION, TAKE_READY, TAKE_DUE, ALARM, THREAD
    }

    private void fails(Starved now, Starved here) {
        if (now == here && starved.get()) {
            throw new OutOfMemoryError("simulated");
        }
    }

    private JournalEffectHost open(Starved place) {
        Store journal = Intercepted.store(memory.open(),
                (what, real) -> {
                    switch (what) {
                        case "version" -> fails(place, Starved.VERSION);
                        case "read owner" -> fails(place, Starved.TAKE_READY);
                        case "read wait_due until, scope_wake until" -> fails(place, Starved.TAKE_DUE);
                        default -> {
                        }
                    }
                    return real.call();
                });
        var host = JournalEffectHost.open(journal, HostOptions.DEFAULT.withTime(time(place))
                .withParkAfter(Duration.ZERO)
                .withThreads(task -> {
                    fails(place, Starved.THREAD);
                    return Thread.ofVirtual().unstarted(task);
                }));
        host.serve(this::run, Set.of("wait", "sleep"));
        return host;
    }

    private TimeSource time(Starved place) {
        TimeSource real = TimeSource.system();
        return new TimeSource() {

            @Override
            public Instant now() {
                return real.now();
            }

            @Override
            public long nanos() {
                return real.nanos();
            }

            @Override
            public Alarm after(Duration delay, Runnable action) {
                fails(place, Starved.ALARM);
                return real.after(delay, action);
            }

            @Override
            public Alarm at(Instant due, Runnable action) {
                return real.at(due, action);
            }
        };
    }

    private Json run(EffectScope scope, ScopeInput input) {
        if (input.kind().equals("sleep")) {
            scope.sleep(new EffectKey("nap"), NAP);
            return Json.string("slept");
        }
        CompletionKey key = scope.completionKey(new WaitName("w"));
        keys.add(key);
        return scope.await(key, Deadline.NONE) instanceof Resolution.Ok(Json value) ? value : Json.NULL;
    }

    private static void assertFailed(Throwable thrown) {
        assertThat(thrown).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e.code()).isEqualTo("runtime_failed"));
    }

    @ParameterizedTest
    @EnumSource(Starved.class)
    void eachCallerIsAnsweredAndTheNextHostGoesOn(Starved place) throws Exception {
        JournalEffectHost first = open(place);
        first.submit(SCOPE, new ScopeInput("wait", Json.NULL));
        CompletionKey key = keys.take();
        first.submit(SLEEPER, new ScopeInput("sleep", Json.NULL));
        List<Throwable> told = new ArrayList<>();
        Thread joiner = Thread.ofVirtual().start(() -> told.add(catchThrowable(() -> first.join(SCOPE))));

        starved.set(true);
        joiner.join();
        told.forEach(FailedHostTest::assertFailed);
        assertThat(told).hasSize(1);
        assertThatThrownBy(() -> first.submit(new ScopeId("t"), new ScopeInput("wait", Json.NULL)))
                .satisfies(FailedHostTest::assertFailed);
        assertThatThrownBy(() -> first.claim(SCOPE)).satisfies(FailedHostTest::assertFailed);
        first.close();

        starved.set(false);
        try (JournalEffectHost next = open(place)) {
            assertThat(next.resolve(key, Resolution.ok(Json.string("yes"))))
                    .isEqualTo(new Delivery.Accepted());
            assertThat(next.join(SCOPE).orElseThrow().result()).isEqualTo(Json.string("yes"));
            assertThat(next.join(SLEEPER).orElseThrow().result()).isEqualTo(Json.string("slept"));
        }
    }
}
