package dev.belay.tests.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a host asks its journal to delete. */
class CollectedTest {

    @Test
    void largeResultsThatNothingRefersToAreKeptForADay() throws Exception {
        List<Instant> asked = new CopyOnWriteArrayList<>();
        Journal memory = new SharedMemory().journal(JournalProbe.NONE);
        Journal journal = (Journal) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{Journal.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("collectOutputs")) {
                        asked.add((Instant) arguments[0]);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
        var time = new FakeTime();
        Instant start = time.now();
        var host = JournalEffectHost.open(journal, HostOptions.DEFAULT.withTime(time));
        try {
            host.serve((scope, input) -> Json.NULL);
            SessionBench.awaitThat("a collection", () -> {
                if (asked.isEmpty()) {
                    time.advance(Duration.ofMinutes(10));
                }
                return !asked.isEmpty();
            });
            assertThat(asked.getFirst()).isBetween(start.minus(Duration.ofHours(23)),
                    time.now().minus(Duration.ofDays(1)));
        } finally {
            Thread closer = Thread.ofPlatform().start(host::close);
            time.passUntilEnd(closer);
        }
    }
}
