package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Parking;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Issue: an interrupt during every store call neither stops it nor is lost. */
class InterruptTest {

    private static final ScopeId SCOPE = new ScopeId("s");
    private static final WaitName WAIT = new WaitName("w");

    @TempDir
    Path directory;

    /** Every call of a journal on a scope that was just submitted, and what must be true afterwards. */
    private static Map<String, BiConsumer<StoreDriver, Claim>> calls() {
        Map<String, BiConsumer<StoreDriver, Claim>> calls = new LinkedHashMap<>();
        calls.put("submit", (j, c) -> Sample.submitted(j, "other"));
        calls.put("takeReady", (j, c) -> {
            j.giveBack(c, Sample.NOW);
            assertThat(j.takeReady(1, 5, Sample.NOW)).hasSize(1);
        });
        calls.put("reenter", (j, c) -> assertThat(j.reenter(c, 5, Sample.NOW)).isPresent());
        calls.put("effects", (j, c) -> assertThat(j.effects(SCOPE)).isEmpty());
        calls.put("write", (j, c) -> Sample.write(j, c, 1));
        calls.put("writing", (j, c) -> assertThat(
                j.writing(c, Sample.completed(1, Json.TRUE)).await().refusal()).isNull());
        calls.put("write large", (j, c) -> {
            j.write(c, Sample.completed(1, Sample.large(1)));
            assertThat(j.effects(SCOPE)).hasSize(1);
        });
        calls.put("take and release", (j, c) -> {
            assertThat(j.take(c, "r", "k", Sample.NOW).refusal()).isNull();
            j.release("r", SCOPE, "k");
        });
        calls.put("park and due", (j, c) -> {
            assertThat(j.park(c, List.of(), Set.of(), false, Sample.NOW, Sample.NOW))
                    .isInstanceOf(Parking.Parked.class);
            assertThat(j.nextDue()).contains(Sample.NOW);
            assertThat(j.takeDue(1, Sample.NOW)).hasSize(1);
        });
        calls.put("end", (j, c) -> {
            assertThat(j.end(c, Json.TRUE, Sample.NOW)).isTrue();
            assertThat(j.state(SCOPE).orElseThrow().status()).isEqualTo(Status.ENDED);
        });
        calls.put("stick, retry, abandon", (j, c) -> {
            assertThat(j.stick(c, "because", Sample.NOW)).isTrue();
            assertThat(j.stuck()).hasSize(1);
            assertThat(j.retry(SCOPE, Sample.NOW)).isTrue();
            assertThat(j.abandon(SCOPE, Json.TRUE, Sample.NOW)).isFalse();
        });
        calls.put("resolve", (j, c) -> {
            j.park(c, List.of(new OpenWait(WAIT, OpenWait.Kind.EVENT, null, null)), Set.of(), false, null,
                    Sample.NOW);
            j.resolve(SCOPE, c.incarnation(), WAIT, Resolution.ok(Json.TRUE), false, Sample.NOW);
            assertThat(j.waits(SCOPE)).singleElement().satisfies(w -> assertThat(w.resolution()).isNotNull());
        });
        calls.put("cancel", (j, c) -> {
            j.cancel(SCOPE, "enough", false, Sample.NOW);
            assertThat(j.state(SCOPE).orElseThrow().cancelReason()).isEqualTo("enough");
        });
        calls.put("late", (j, c) -> {
            j.late(SCOPE, "k", Json.TRUE, Sample.NOW);
            assertThat(j.lateResults(SCOPE)).hasSize(1);
        });
        calls.put("version", (j, c) -> assertThat(j.version()).isEqualTo(j.version()));
        calls.put("secrets", (j, c) -> {
            long id = j.rotateSecret().id();
            assertThat(j.currentSecret().id()).isEqualTo(id);
            j.revokeSecret(id);
            assertThat(j.secret(id)).isEmpty();
        });
        calls.put("collect",
                (j, c) -> assertThat(j.collectEffects(Sample.NOW) + j.collectOutputs(Sample.NOW)).isZero());
        calls.put("close", (j, c) -> j.close());
        return calls;
    }

    @TestFactory
    List<DynamicTest> anInterruptedCallDoesItsWorkAndStaysInterrupted() {
        List<DynamicTest> tests = new ArrayList<>();
        calls().forEach((name, call) -> {
            tests.add(
                    DynamicTest.dynamicTest(name + ", virtual thread", () -> interrupted(name, call, true)));
            tests.add(DynamicTest.dynamicTest(name + ", platform thread",
                    () -> interrupted(name, call, false)));
        });
        return tests;
    }

    private void interrupted(String name, BiConsumer<StoreDriver, Claim> call, boolean virtual)
            throws Exception {
        Path file = directory.resolve(name.replaceAll("\\W", "-") + virtual + ".db");
        var failure = new AtomicReference<@Nullable Throwable>();
        Runnable work = () -> {
            Thread.currentThread().interrupt();
            try (var journal = new StoreDriver(JdbcStore.sqlite(file))) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                call.accept(journal, Sample.submitted(journal, "s"));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } catch (Throwable e) {
                failure.set(e);
            }
        };
        Thread thread = virtual ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work);
        thread.join();
        assertThat(failure.get()).isNull();
    }

    @Test
    void anInterruptWhileTheWriteIsUnderWayIsKeptForLater() throws InterruptedException, ExecutionException {
        var inside = new CountDownLatch(1);
        var goOn = new CompletableFuture<@Nullable Void>();
        var options = SqliteOptions.STANDARD.withProbe((moment, write) -> {
            if (write.equals("effect call/1 COMPLETED")) {
                inside.countDown();
                goOn.join();
            }
        });
        try (var journal = new StoreDriver(JdbcStore.sqlite(directory.resolve("belay.db"), options));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Claim claim = Sample.submitted(journal, "s");
            var caller = new AtomicReference<@Nullable Thread>();
            Future<Boolean> written = threads.submit(() -> {
                caller.set(Thread.currentThread());
                Sample.write(journal, claim, 1);
                return Thread.currentThread().isInterrupted();
            });
            inside.await();
            Objects.requireNonNull(caller.get()).interrupt();
            goOn.complete(null);
            assertThat(written.get()).isTrue();
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1");
        }
    }
}
