package dev.belay.tests.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.tests.Intercepted;
import dev.belay.tool.context.Incarnation;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Contract G.2, Q: a scope hears of every settlement and cancellation between the write that claims it and its first entry. */
class EarlyNewsTest {

    private static final ScopeId SCOPE = new ScopeId("s");

    @Test
    void newsThatComesWhenAScopeIsLiveDoesNotHideWhatCameBefore() throws Exception {
        var mayRun = new CountDownLatch(1);
        var hosts = new AtomicReference<JournalEffectHost>();
        var incarnation = new AtomicReference<Incarnation>();
        Store journal = Intercepted.store(InMemoryStore.open(),
                (what, real) -> {
                    Object answer = Objects.requireNonNull(real.call());
                    if (what.startsWith("submit ")) { // claimed, and not live
                        incarnation.set(Objects.requireNonNull(((Submission.Created) answer).claim())
                                .incarnation());
                        hosts.get().cancel(SCOPE, "enough");
                    }
                    return answer;
                });
        try (var host = JournalEffectHost.open(journal, HostOptions.DEFAULT.withThreads(task -> Thread
                .ofVirtual()
                .unstarted(() -> {
                    try {
                        mayRun.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    task.run();
                })))) {
            hosts.set(host);
            host.serve((EffectScope scope, ScopeInput input) -> Json
                    .string(scope.cancellation().reason().orElse("not told")), Set.of("kind"));
            host.submit(SCOPE, new ScopeInput("kind", Json.NULL));
            host.resolve(SCOPE, incarnation.get(), new WaitName("other"), Resolution.ok(Json.TRUE)); // live, not entered
            mayRun.countDown();
            assertThat(host.join(SCOPE).orElseThrow().result()).isEqualTo(Json.string("enough"));
        }
    }
}
