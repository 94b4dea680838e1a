package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.DefinitionChange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract G.3 (in doubt), J.3 (a key that was taken and left no outcome), J.6 (a tool that has changed), L.3, L.4: what a new
 * process makes of a call that another one left. Two identical
 * calls are two; hooks do not run again; keys stay.
 */
class RecoveryTest {

    private static final String ENDS = "effect call/0/attempt/1 COMPLETED";

    private final Bench bench = Bench.patient();
    private final AtomicInteger runs = new AtomicInteger();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final CountDownLatch stay = new CountDownLatch(1);

    @AfterEach
    void close() {
        stay.countDown();
        bench.close();
    }

    private StaticToolProvider tools(ToolDefinition definition) {
        return StaticToolProvider.builder().raw(definition, (arguments, context) -> {
            runs.incrementAndGet();
            keys.add(context.idempotencyKey().value());
            return "ran";
        }).build();
    }

    /** A process that dies when the outcome should be written. */
    private void die(StaticToolProvider tools) throws Exception {
        var process = bench.open(tools).dyingAt(JournalProbe.Moment.BEFORE, ENDS);
        process.calls.submit("batch", List.of(call("pay")));
        process.awaitDeath();
    }

    private ToolOutcome afterDeath(ToolDefinition before, ToolDefinition after) throws Exception {
        die(tools(before));
        return Bench.get(bench.open(tools(after)).joined()).getFirst();
    }

    @Test
    void onceIsInDoubtAndDoesNotRunAgain() throws Exception {
        ToolOutcome outcome = afterDeath(tool("pay", ToolEffect.ONCE), tool("pay", ToolEffect.ONCE));
        assertThat(outcome).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("in_doubt");
            assertThat(failed.failure().mayHaveHappened()).isTrue();
        });
        assertThat(runs).hasValue(1);
        assertThat(bench.effects()).containsExactly("effect call/0/attempt/1 STARTED",
                "effect call/0/attempt/1 IN_DOUBT");
    }

    @Test
    void onceAsksItsReconcilerWithWhatWasRecorded() throws Exception {
        List<RecordedCall> asked = new CopyOnWriteArrayList<>();
        var definition = tool("pay", ToolEffect.ONCE).reconciler(recorded -> {
            asked.add(recorded);
            return Reconciliation.happened(new ToolOutcome.Success(Json.string("it was paid")));
        });
        assertThat(afterDeath(definition, definition))
                .isEqualTo(new ToolOutcome.Success(Json.string("it was paid")));
        assertThat(asked).singleElement().satisfies(recorded -> {
            assertThat(recorded.idempotencyKey().value()).isEqualTo(keys.getFirst());
            assertThat(recorded.arguments()).isEqualTo(Json.EMPTY_OBJECT);
        });
        assertThat(runs).hasValue(1);
    }

    @Test
    void aReconcilerThatThrowsIsAskedFiveTimesAlsoByOtherProcesses() throws Exception {
        var asked = new AtomicInteger();
        var definition = tool("pay", ToolEffect.ONCE).reconciler(recorded -> {
            asked.incrementAndGet();
            throw new IllegalStateException("service down");
        });
        die(tools(definition));
        var second = bench.open(tools(definition));
        bench.awaitWrite("effect call/0/attempt/1 COMPLETED");
        bench.time.advance(Duration.ofSeconds(1));
        bench.awaitWrite("effect call/0/attempt/1/asked/2 COMPLETED");
        second.kill();
        var task = bench.open(tools(definition)).joined();
        for (String next : List.of("asked/3 COMPLETED", "asked/4 COMPLETED", "asked/5 IN_DOUBT")) {
            while (bench.writes.stream().noneMatch(write -> write.endsWith(next))) {
                bench.time.advance(Duration.ofSeconds(10));
                LockSupport.parkNanos(1_000_000);
            }
        }
        assertThat(Bench.get(task).getFirst().code()).contains("in_doubt");
        assertThat(bench.effects()).as("each question is recorded")
                .containsExactly("effect call/0/attempt/1 STARTED", "effect call/0/attempt/1 COMPLETED",
                        "effect call/0/attempt/1/asked/2 COMPLETED",
                        "effect call/0/attempt/1/asked/3 COMPLETED",
                        "effect call/0/attempt/1/asked/4 COMPLETED",
                        "effect call/0/attempt/1/asked/5 IN_DOUBT");
        assertThat(asked).as("a question of the process that was killed may be lost")
                .hasValueGreaterThanOrEqualTo(5);
        assertThat(runs).hasValue(1);
    }

    @Test
    void whatDidNotHappenRunsOnceMoreIfItsProcessIsDead() throws Exception {
        var definition = tool("pay", ToolEffect.ONCE)
                .reconciler(recorded -> Reconciliation.didNotHappen("the bank has no such payment"));
        assertThat(afterDeath(definition, definition)).isEqualTo(new ToolOutcome.Success(Json.string("ran")));
        assertThat(runs).hasValue(2);
        assertThat(bench.effects()).containsExactly("effect call/0/attempt/1 STARTED",
                "effect call/0/attempt/1 STARTED", "effect call/0/attempt/1 COMPLETED");
    }

    @Test
    void idempotentRunsAgainUnderTheSameKey() throws Exception {
        assertThat(afterDeath(tool("pay", ToolEffect.IDEMPOTENT), tool("pay", ToolEffect.IDEMPOTENT)))
                .isEqualTo(new ToolOutcome.Success(Json.string("ran")));
        assertThat(keys).hasSize(2).containsOnly(keys.getFirst());
    }

    /** Takes its key, shows it, and goes on until the test lets it. */
    private StaticToolProvider takesKey(ToolEffect effect) {
        return takesKey(tool("pay", effect));
    }

    private StaticToolProvider takesKey(ToolDefinition pay) {
        return StaticToolProvider.builder().raw(pay, (arguments, context) -> {
            runs.incrementAndGet();
            tokens.add(context.completionKey().token());
            stay.await();
            return "ran";
        }).build();
    }

    @Test
    void aKeyThatIsResolvedBeforeTheDeathAnswersForTheBody() throws Exception {
        var process = bench.open(takesKey(ToolEffect.ONCE));
        process.calls.submit("batch", List.of(call("pay")));
        assertThat(process.calls.resolve(tokens.take(), Resolution.ok(Json.string("paid by hand"))))
                .isInstanceOf(Delivery.Accepted.class);
        process.kill();
        assertThat(Bench.get(bench.open(takesKey(ToolEffect.ONCE)).joined()))
                .containsExactly(new ToolOutcome.Success(Json.string("paid by hand")));
        assertThat(runs).hasValue(1);
    }

    /** Otherwise a reconciler that has not heard of it yet would let the body run once more. */
    @Test
    void aReconcilerIsNotAskedAboutABodyWhoseKeyIsResolved() throws Exception {
        var asked = new AtomicInteger();
        var pay = tool("pay", ToolEffect.ONCE).reconciler(recorded -> {
            asked.incrementAndGet();
            return Reconciliation.didNotHappen("no trace yet");
        });
        var process = bench.open(takesKey(pay));
        process.calls.submit("batch", List.of(call("pay")));
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("paid by hand")));
        process.kill();
        assertThat(Bench.get(bench.open(takesKey(pay)).joined()))
                .containsExactly(new ToolOutcome.Success(Json.string("paid by hand")));
        assertThat(runs).hasValue(1);
        assertThat(asked).hasValue(0);
    }

    @Test
    void anIdempotentBodyWhoseKeyIsResolvedDoesNotRunAgain() throws Exception {
        var process = bench.open(takesKey(ToolEffect.IDEMPOTENT));
        process.calls.submit("batch", List.of(call("pay")));
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("paid by hand")));
        process.kill();
        assertThat(Bench.get(bench.open(takesKey(ToolEffect.IDEMPOTENT)).joined()))
                .containsExactly(new ToolOutcome.Success(Json.string("paid by hand")));
        assertThat(runs).hasValue(1);
    }

    @Test
    void whatWasAcceptedForAStartedCallIsItsOutcomeAlsoIfItsToolHasChanged() throws Exception {
        var process = bench.open(takesKey(ToolEffect.ONCE));
        process.calls.submit("batch", List.of(call("pay")));
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("paid by hand")));
        process.kill();
        assertThat(Bench.get(bench.open(tools(tool("pay", ToolEffect.ONCE).version(2))).joined()))
                .containsExactly(new ToolOutcome.Success(Json.string("paid by hand")));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aKeyThatIsResolvedAfterTheDoubtCountsOnce() throws Exception {
        var process = bench.open(takesKey(ToolEffect.ONCE));
        process.calls.submit("batch", List.of(call("pay")));
        String token = tokens.take();
        process.kill();
        var second = bench.open(takesKey(ToolEffect.ONCE));
        assertThat(Bench.get(second.joined()).getFirst().code()).contains("in_doubt");
        assertThat(second.calls.resolve(token, Resolution.ok(Json.TRUE)))
                .isInstanceOf(Delivery.Accepted.class);
        assertThat(second.calls.resolve(token, Resolution.ok(Json.TRUE))).isInstanceOf(Delivery.Same.class);
        assertThat(second.calls.resolve(token, Resolution.ok(Json.FALSE)))
                .isEqualTo(new Delivery.Lost(Resolution.ok(Json.TRUE)));
    }

    @Test
    void aToolThatHasChangedFailsTheCall() throws Exception {
        ToolOutcome outcome = afterDeath(tool("pay", ToolEffect.ONCE),
                tool("pay", ToolEffect.ONCE).version(2));
        assertThat(outcome).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("definition_changed");
            assertThat(failed.failure().mayHaveHappened()).isTrue();
        });
    }

    @Test
    void aToolThatHasChangedMayGoOn() throws Exception {
        var changed = tool("pay", ToolEffect.ONCE).version(2)
                .onDefinitionChanged(DefinitionChange.CONTINUE)
                .reconciler(recorded -> Reconciliation
                        .happened(new ToolOutcome.Success(Json.string("it was paid"))));
        assertThat(afterDeath(tool("pay", ToolEffect.ONCE), changed))
                .isEqualTo(new ToolOutcome.Success(Json.string("it was paid")));
    }

    @Test
    void aToolThatHasChangedAndAsksFailsWithASentence() throws Exception {
        assertThat(afterDeath(tool("pay", ToolEffect.ONCE),
                tool("pay", ToolEffect.ONCE).version(2).onDefinitionChanged(DefinitionChange.ASK)).text())
                .startsWith("Error (definition_changed)")
                .contains("no person has agreed to that");
    }

    @Test
    void aToolThatIsGoneFailsTheCall() throws Exception {
        assertThat(afterDeath(tool("pay", ToolEffect.ONCE), tool("other", ToolEffect.ONCE)).text())
                .startsWith("Error (definition_changed)")
                .contains("does not exist any more");
    }

    @Test
    void aToolThatOnlyReadsIsDecidedAnew() throws Exception {
        assertThat(afterDeath(tool("pay", ToolEffect.READ), tool("pay", ToolEffect.READ).version(2)))
                .isEqualTo(new ToolOutcome.Success(Json.string("ran")));
    }
}
