package dev.belay.tests.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a host asks its journal to delete. */
class CollectedTest {

    @Test
    void largeResultsThatNothingRefersToAreKeptForADay() throws Exception {
        List<Instant> asked = new CopyOnWriteArrayList<>();
        Store store = new SharedMemory().open().through(commits -> new ForwardingCommits(commits) {
            @Override
            public <T extends @Nullable Object> T read(Operation<T> read) {
                var named = new ArrayList<Selector<?>>();
                read.first().accept(named);
                if (named.getFirst() instanceof Selector.Found<?> found && found.index() == Index.UNUSED) {
                    // what was unused before a moment is found up to the nanosecond before it
                    asked.add(((Instant) Objects.requireNonNull(found.until())).plusNanos(1));
                }
                return super.read(read);
            }
        });
        var time = new FakeTime();
        Instant start = time.now();
        var host = JournalEffectHost.open(store, HostOptions.DEFAULT.withTime(time));
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
