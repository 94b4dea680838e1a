package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.ToolDispatcherBuilder;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.tests.Intercepted;
import dev.belay.tests.LateWriting;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Scheduling;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that only read do not wait until the one before is on the disk; whatever else happens does (decision 0016). */
@Timeout(60)
class RunAheadTest {

    private final SharedMemory records = new SharedMemory();
    /** What happened, in its order: bodies, records that somebody has waited for, writes that are made at once. */
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger breaks = new AtomicInteger();
    /** How often the store refuses even to begin. */
    private final AtomicInteger refusals = new AtomicInteger();
    /** Calls that a listener was told of as finished. */
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch threeHeard = new CountDownLatch(3);
    private volatile boolean toldTooSoon;
    private final CountDownLatch read = new CountDownLatch(3);
    private final CountDownLatch parked = new CountDownLatch(1);
    private final CountDownLatch oneLate = new CountDownLatch(1);
    private final CountDownLatch twoLate = new CountDownLatch(2);

    @TempDir
    Path directory;

    /** What becomes of a record when somebody waits for it. */
    private interface Fate {
        Written of(Supplier<Written> real) throws Exception;
    }

    /** A journal that writes a record as late as it may: when somebody waits for it. */
    private Store late(Fate fate) {
        Store real = records.open();
        return Intercepted.store(real,
                (what, further) -> switch (what.replace("begin effect", "begin-effect").split(" ", -1)[0]) {
                    case "begin-effect" -> {
                        if (refusals.getAndDecrement() > 0) {
                            throw new JournalException("the disk is full", null);
                        }
                        yield LateWriting.of(order, () -> {
                            try {
                                return fate.of(() -> LateWriting.written(further));
                            } catch (RuntimeException e) {
                                throw e;
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            } finally {
                                order.add("settled " + call(what.substring("begin ".length())));
                            }
                        });
                    }
                    case "effect" -> {
                        order.add(what.substring(what.lastIndexOf(' ') + 1) + " " + call(what));
                        yield further.call();
                    }
                    case "park", "end", "reenter", "late" -> {
                        String verb = what.split(" ", -1)[0];
                        order.add(verb);
                        Object answer = further.call();
                        if (verb.equals("late")) {
                            oneLate.countDown();
                            twoLate.countDown();
                        } else {
                            parked.countDown();
                        }
                        yield answer;
                    }
                    default -> further.call();
                });
    }

    private static String call(String write) {
        return write.substring("effect ".length(), "effect call/0".length());
    }

    private DurableCalls open(Fate fate) {
        return DurableCalls.open(JournalEffectHost.open(late(fate)), dispatcher().build());
    }

    private ToolDispatcherBuilder dispatcher() {
        return ToolDispatcher.builder(tools()).listener(event -> {
            if (event instanceof CallEvent.Finished(CallReference call, ToolOutcome outcome)) {
                heard.add(call.tool() + " " + outcome.text());
                threeHeard.countDown();
            }
        });
    }

    private ToolDefinition serial(String name, ToolEffect effect) {
        return tool(name, effect).scheduling(Scheduling.SERIAL);
    }

    private ToolProvider tools() {
        var builder = StaticToolProvider.builder();
        for (ToolEffect effect : ToolEffect.values()) {
            builder.raw(serial(effect.name(), effect), (in, context) -> {
                order.add("body " + effect);
                if (effect == ToolEffect.READ) {
                    read.countDown();
                }
                return "done";
            });
        }
        return builder.raw(serial("ask", ToolEffect.READ), (in, context) -> {
            context.completionKey();
            return ToolResult.pending();
        })
                .raw(serial("count", ToolEffect.READ), (in, context) -> {
                    int now = looks.incrementAndGet();
                    read.countDown();
                    return now;
                })
                .raw(serial("large", ToolEffect.READ), (in, context) -> "x".repeat(100_000))
                .raw(serial("steps", ToolEffect.READ).resumable(true), (in, context) -> {
                    order.add("body steps");
                    return "done";
                })
                .raw(tool("together", ToolEffect.READ), (in, context) -> looks.incrementAndGet())
                .build();
    }

    private static List<CallRequest> batch(String... tools) {
        return List.of(tools).stream().map(Bench::call).toList();
    }

    /** A fate that comes when three bodies have read. */
    private Written afterThree(Supplier<Written> real) throws InterruptedException {
        read.await();
        toldTooSoon |= heard.size() > results("batch").size();
        return real.get();
    }

    @Test
    void callsThatReadDoNotWaitForEachOthersRecords() throws Exception {
        try (var calls = open(real -> {
            read.await();
            return real.get();
        })) {
            calls.run("batch", batch("READ", "READ", "READ")).outcomes();
        }
        assertThat(order).containsExactly("body READ", "body READ", "body READ", "settled call/0",
                "settled call/1", "settled call/2", "end");
    }

    @Test
    void aBodyThatChangesSomethingWaitsForTheRecordsBeforeIt() throws Exception {
        try (var calls = open(Supplier::get)) {
            calls.run("idempotent", batch("READ", "IDEMPOTENT")).outcomes();
            assertThat(order).containsExactly("body READ", "settled call/0", "body IDEMPOTENT",
                    "COMPLETED call/1", "end");
            order.clear();
            calls.run("once", batch("READ", "ONCE", "READ")).outcomes();
            assertThat(order).containsExactly("body READ", "settled call/0", "STARTED call/1", "body ONCE",
                    "COMPLETED call/1", "body READ", "settled call/2", "end");
            order.clear();
            calls.run("steps", batch("READ", "steps")).outcomes();
            assertThat(order).startsWith("body READ", "settled call/0", "COMPLETED call/1", "body steps");
        }
    }

    @Test
    void whoeverDecidesAboutAChangeDecidesAfterTheRecordsBeforeIt() throws Exception {
        var dispatcher = dispatcher().policy(call -> {
            order.add("gate " + call.tool());
            return PolicyDecision.ALLOW;
        }).build();
        try (var calls = DurableCalls.open(JournalEffectHost.open(late(Supplier::get)), dispatcher)) {
            calls.run("batch", batch("READ", "ONCE")).outcomes();
        }
        assertThat(order).containsExactly("gate READ", "body READ", "settled call/0", "gate ONCE",
                "STARTED call/1", "body ONCE", "COMPLETED call/1", "end");
    }

    @Test
    void aCallIsToldAsFinishedWhenItIsRecorded() throws Exception {
        try (var calls = open(this::afterThree)) {
            calls.run("batch", batch("count", "count", "count")).outcomes();
            threeHeard.await();
        }
        assertThat(toldTooSoon).isFalse();
        assertThat(heard).containsExactlyInAnyOrder("count 1", "count 2", "count 3");
    }

    @Test
    void aCallThatParksIsRecordedWithItsWait() throws Exception {
        try (var calls = open(Supplier::get)) {
            calls.submit("batch", batch("READ", "ask", "READ"));
            parked.await();
            assertThat(order).startsWith("body READ")
                    .contains("settled call/0", "COMPLETED call/1")
                    .endsWith("park");
        }
    }

    @Test
    void aLargeResultIsNotKeptInMemoryUntilItIsWritten() throws Exception {
        try (var calls = open(Supplier::get)) {
            calls.run("batch", batch("large", "READ")).outcomes();
        }
        assertThat(order).startsWith("COMPLETED call/0", "body READ");
    }

    @Test
    void callsThatRunTogetherAreRecordedBeforeTheirBatchAnswers() throws Exception {
        try (var calls = open(Supplier::get)) {
            calls.run("batch", batch("together", "together", "together")).outcomes();
        }
        assertThat(order).hasSize(4)
                .endsWith("end")
                .contains("settled call/0", "settled call/1",
                        "settled call/2");
    }

    @Test
    void aRecordThatTheStoreDidNotTakeIsWrittenAgain() throws Exception {
        refusals.set(2);
        var failures = new AtomicInteger(2);
        try (var calls = open(real -> {
            if (failures.getAndDecrement() > 0) {
                throw new JournalException("the disk is full", null);
            }
            return real.get();
        })) {
            assertThat(calls.run("batch", batch("count", "count", "ONCE")).outcomes())
                    .extracting(ToolOutcome::text)
                    .containsExactly("1", "2", "done");
        }
        assertThat(order).containsSubsequence("settled call/0", "COMPLETED call/0", "settled call/1",
                "COMPLETED call/1", "body ONCE");
        assertThat(results("batch")).hasSize(3);
    }

    @Test
    void nothingIsChangedAfterARecordThatCouldNotBeWritten() throws Exception {
        try (var calls = open(real -> {
            throw JournalException.corrupt("the page is torn", null);
        })) {
            calls.submit("batch", batch("READ", "ONCE"));
            assertThatThrownBy(() -> calls.join("batch")).hasMessageContaining("the page is torn");
        }
        assertThat(order).containsExactly("body READ", "settled call/0");
    }

    @Test
    void aFaultThatPassesIsForgivenInTheNextEntry() throws Exception {
        var failures = new AtomicInteger(1);
        try (var calls = open(real -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("nobody knows why");
            }
            return real.get();
        })) {
            assertThat(calls.run("batch", batch("count", "ONCE")).outcomes()).extracting(ToolOutcome::text)
                    .containsExactly("2", "done");
        }
        assertThat(order).containsExactly("settled call/0", "reenter", "settled call/0", "STARTED call/1",
                "body ONCE", "COMPLETED call/1", "end");
    }

    @Test
    void whatWasReadInAScopeThatSomebodyTookIsLateAndNothingFollows() throws Exception {
        try (var calls = open(real -> {
            read.await();
            return new Written(Refusal.FENCED, 0);
        })) {
            calls.submit("batch", batch("count", "count", "count", "ONCE"));
            twoLate.await();
        }
        assertThat(order).doesNotContain("body ONCE", "STARTED call/3", "end");
        assertThat(lateResults("batch")).extracting(LateResult::key)
                .contains(new EffectKey("call/0/attempt/1"), new EffectKey("call/1/attempt/1"));
        assertThat(heard).as("told as finished").isEmpty();
    }

    @Test
    void aScopeThatSomebodyTookStopsReading() throws Exception {
        try (var calls = open(real -> new Written(Refusal.FENCED, 0))) {
            calls.submit("batch", Collections.nCopies(500, Bench.call("count")));
            oneLate.await();
        }
        assertThat(looks.get()).isLessThan(100);
    }

    @Test
    void anEntryThatBreaksLeavesNothingUnwritten() throws Exception {
        var dispatcher = ToolDispatcher.builder(tools()).callerView(output -> {
            if (breaks.incrementAndGet() == 2) {
                throw new InternalError("once");
            }
            return output.outcome();
        }).build();
        try (var calls = DurableCalls.open(JournalEffectHost.open(late(Supplier::get)), dispatcher)) {
            assertThat(calls.run("batch", batch("count", "count", "count")).outcomes())
                    .extracting(ToolOutcome::text)
                    .containsExactly("1", "2", "3");
        }
        assertThat(order).containsExactly("settled call/0", "settled call/1", "reenter", "settled call/2",
                "end");
        assertThat(looks).as("what was recorded is answered").hasValue(3);
    }

    @Test
    void onSqliteTheNextBodyRunsWhileARecordIsWritten() throws Exception {
        var second = new Semaphore(0);
        JournalProbe holdsUpTheFirst = (moment, write) -> {
            if (moment == JournalProbe.Moment.BEFORE && write.startsWith("effect call/0/")) {
                second.acquireUninterruptibly();
            }
        };
        var tools = StaticToolProvider.builder().raw(serial("look", ToolEffect.READ), (in, context) -> {
            if (looks.incrementAndGet() == 2) {
                second.release();
            }
            return "seen";
        }).build();
        try (var calls = DurableCalls.open(JournalEffectHost.open(JdbcStore.sqlite(
                directory.resolve("belay.db"), SqliteOptions.STANDARD.withProbe(holdsUpTheFirst))),
                tools)) {
            assertThat(calls.run("batch", batch("look", "look")).outcomes()).hasSize(2);
        }
    }

    private List<LateResult> lateResults(String batch) {
        try (var journal = new StoreDriver(records.open())) {
            return journal.lateResults(new ScopeId(batch));
        }
    }

    private List<String> results(String batch) {
        try (var journal = new StoreDriver(records.open())) {
            return journal.effects(new ScopeId(batch)).stream().map(row -> row.key()).toList();
        }
    }
}
