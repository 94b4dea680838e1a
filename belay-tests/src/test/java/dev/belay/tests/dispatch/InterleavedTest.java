package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a thread has read from the journal may be older than what it knows by now. */
@Timeout(60)
class InterleavedTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeTime time = new FakeTime();
    private final Map<String, String> tokens = new ConcurrentHashMap<>();
    private final AtomicReference<DurableCalls> open = new AtomicReference<>();

    private DurableCalls open(Intercepted.Between between, Duration parkAfter, ToolBody<Json, ?> body) {
        ToolProvider tools = StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.READ).resumable(true)
                        .timeouts(new Timeouts(Duration.ofDays(1_000), null)), body)
                .build();
        Store journal = Intercepted.store(new SharedMemory().open(), between);
        var host = JournalEffectHost.open(journal,
                HostOptions.DEFAULT.withTime(time).withParkAfter(parkAfter));
        open.set(DurableCalls.open(host, ToolDispatcher.builder(tools).time(time).build()));
        return open.get();
    }

    private static CallRequest work(String name) {
        return new CallRequest("work", "{\"name\":\"" + name + "\"}");
    }

    private static String name(Json in) {
        return in.get("name").orElseThrow().asString();
    }

    private void resolve(String name) {
        open.get().resolve(Objects.requireNonNull(tokens.get(name)), Resolution.ok(Json.string(name)));
    }

    @Test
    void aSettlementThatComesWhileWaitsAreReadIsNotForgotten() throws Exception {
        var parked = new CountDownLatch(1);
        var once = new AtomicBoolean();
        try (DurableCalls calls = open((what, real) -> {
            Object read = real.call();
            if (what.startsWith("park ")) {
                parked.countDown();
            } else if (what.matches("read scope .*, wait .*") && parked.getCount() == 0
                    && once.compareAndSet(false, true)) {
                resolve("b"); // after it was read, and before it is taken note of
            }
            return read;
        }, Duration.ofSeconds(1), (in, context) -> {
            var key = context.durable().externalEventKey("answer");
            tokens.put(name(in), key.token());
            return context.durable().awaitEvent(key);
        })) {
            calls.submit("batch", List.of(work("a"), work("b")));
            while (parked.getCount() > 0) {
                time.awaitAlarms(1);
                time.advance(Duration.ofSeconds(1));
            }
            resolve("a");
            assertThat(calls.join("batch").orElseThrow()).extracting(ToolOutcome::text)
                    .containsExactly("a", "b");
        }
    }

    @Test
    void aScopeThatIsDueSoonerIsWokenWhateverAnotherOneHasRead() throws Exception {
        var once = new AtomicBoolean();
        try (DurableCalls calls = open((what, real) -> {
            Object read = real.call();
            if (what.contains("wait_due") && String.valueOf(read).contains("T02:00")
                    && once.compareAndSet(false, true)) {
                open.get().submit("sooner", List.of(work("1")));
                time.awaitAlarmIn(HOUR); // the other one has set the alarm
            }
            return read;
        }, Duration.ZERO, (in, context) -> {
            context.durable().sleep("nap", HOUR.multipliedBy(Integer.parseInt(name(in))));
            return "rested";
        })) {
            calls.submit("later", List.of(work("2")));
            while (!once.get() || calls.state("sooner").isEmpty()) {
                Thread.onSpinWait();
            }
            time.awaitAlarmIn(HOUR);
            time.advance(HOUR);
            assertThat(calls.join("sooner").orElseThrow()).extracting(ToolOutcome::text)
                    .containsExactly("rested");
        }
    }
}
