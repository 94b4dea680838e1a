package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitState;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract J: calls that are completed later. A restart moves no
 * deadline and runs no hook again; {@code on_cancel} is run; two identical calls have two results.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are asserted through the batch
class DeferredTest {

    private static final String PARKED = "park batch";

    private final Bench bench = Bench.parking();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        bench.close();
    }

    private StaticToolProvider approving(ToolDefinition definition, PendingCompletion completion) {
        return StaticToolProvider.builder()
                .raw(definition, (arguments, context) -> {
                    runs.incrementAndGet();
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending(completion);
                })
                .raw(tool("quick", ToolEffect.ONCE), (arguments, context) -> {
                    runs.incrementAndGet();
                    return "quick";
                })
                .build();
    }

    private static ToolDefinition ask() {
        return tool("ask", ToolEffect.ONCE);
    }

    @Test
    void aParkedCallIsCompletedFromOutside() throws Exception {
        var process = bench.open(approving(ask(), PendingCompletion.DEFAULT));
        var task = process.start(call("ask"), call("quick"));
        bench.awaitWrite(PARKED);
        assertThat(process.calls.state("batch").orElseThrow().status()).isEqualTo(ScopeState.Status.PARKED);
        assertThat(process.calls.resolve(tokens.take(), Resolution.ok(Json.string("yes"))))
                .isInstanceOf(Delivery.Accepted.class);
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("yes", "quick");
        assertThat(runs).hasValue(2);
    }

    @Test
    void aParkedCallHoldsUpTheSerialCallsOfItsBatch() throws Exception {
        var log = new CopyOnWriteArrayList<String>();
        var tools = StaticToolProvider.builder().raw(ask(), (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        }).raw(tool("serial", ToolEffect.READ).scheduling(Scheduling.SERIAL), (arguments, context) -> {
            log.add("serial");
            return "serial";
        }).build();
        var process = bench.open(tools);
        var task = process.start(call("serial"), call("ask"));
        bench.awaitWrite(PARKED);
        assertThat(log).isEmpty();
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("yes")));
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("serial", "yes");
    }

    @Test
    void aParkedCallHoldsNoResource() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("plain", ToolEffect.ONCE).exclusive("desk"), (arguments, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .raw(tool("resumable", ToolEffect.ONCE).exclusive("desk").resumable(true),
                        (arguments, context) -> {
                            var key = context.durable().externalEventKey("answer");
                            tokens.add(key.token());
                            return context.durable().awaitEvent(key);
                        })
                .raw(tool("other", ToolEffect.ONCE).exclusive("desk"), (arguments, context) -> "ran")
                .build();
        for (String parked : List.of("plain", "resumable")) {
            var process = bench.open(tools);
            process.calls.submit(parked, List.of(call(parked)));
            bench.awaitWrite("park " + parked);
            var other = Bench.beside(
                    () -> process.calls.run("beside-" + parked, List.of(call("other"))).outcomes());
            assertThat(Bench.get(other)).as("beside " + parked)
                    .extracting(ToolOutcome::text)
                    .containsExactly("ran");
            process.calls.resolve(tokens.take(), Resolution.ok(Json.string("yes")));
            assertThat(process.calls.join(parked).orElseThrow()).extracting(ToolOutcome::text)
                    .containsExactly("yes");
            tokens.clear();
            process.close();
        }
    }

    @Test
    void anyProcessMayCompleteIt() throws Exception {
        var tools = approving(ask(), PendingCompletion.DEFAULT);
        var first = bench.open(tools);
        first.start(call("ask"));
        bench.awaitWrite(PARKED);
        first.kill();
        var second = bench.open(tools);
        second.calls.resolve(tokens.take(), Resolution.ok(Json.string("yes")));
        assertThat(Bench.get(second.joined())).extracting(ToolOutcome::text).containsExactly("yes");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aResolutionBeforeTheParkIsKept() throws Exception {
        var process = new Bench.OneProcess[1];
        var tools = StaticToolProvider.builder().raw(ask(), (arguments, context) -> {
            process[0].calls.resolve(context.completionKey().token(), Resolution.ok(Json.string("myself")));
            return ToolResult.pending();
        }).build();
        process[0] = bench.open(tools);
        assertThat(process[0].run(call("ask"))).extracting(ToolOutcome::text).containsExactly("myself");
    }

    @Test
    void theFirstResolutionWins() throws Exception {
        var process = bench.open(approving(ask(), PendingCompletion.DEFAULT));
        var task = process.start(call("ask"));
        String token = tokens.take();
        process.calls.resolve(token, Resolution.ok(Json.string("yes")));
        assertThat(process.calls.resolve(token, Resolution.ok(Json.string("yes"))))
                .isInstanceOf(Delivery.Same.class);
        assertThat(process.calls.resolve(token, Resolution.failed("no"))).isEqualTo(
                new Delivery.Lost(Resolution.ok(Json.string("yes"))));
        assertThat(process.calls.resolve(token + "x", Resolution.failed("no")))
                .isInstanceOf(Delivery.Unknown.class);
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("yes");
    }

    @Test
    void twoEqualCallsHaveKeysOfTheirOwn() throws Exception {
        var process = bench.open(approving(ask().scheduling(Scheduling.PARALLEL), PendingCompletion.DEFAULT));
        var task = process.start(call("ask"), call("ask"));
        process.calls.resolve(tokens.take(), Resolution.ok(Json.number(1)));
        process.calls.resolve(tokens.take(), Resolution.ok(Json.number(2)));
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void aResolversErrorIsTheOutcome() throws Exception {
        var process = bench.open(approving(ask(), PendingCompletion.DEFAULT));
        var task = process.start(call("ask"));
        process.calls.resolve(tokens.take(), Resolution.failed("nobody was there"));
        assertThat(Bench.get(task)).extracting(ToolOutcome::text)
                .containsExactly("Error (tool_failed): nobody was there");
    }

    @Test
    void aValueThatDoesNotFitTheOutputSchemaIsRefusedAndTheWaitStaysOpen() throws Exception {
        for (ToolEffect effect : ToolEffect.values()) {
            var process = bench.open(approving(number().effect(effect), PendingCompletion.DEFAULT));
            String name = "batch-" + effect;
            process.calls.submit(name, List.of(call("ask")));
            String token = tokens.take();
            assertThat(process.calls.resolve(token, Resolution.ok(Json.string("yes"))))
                    .isInstanceOfSatisfying(Delivery.Refused.class,
                            refused -> assertThat(refused.violations().message()).contains("a whole number"));
            assertThat(process.calls.resolve(token, Resolution.ok(Json.of("7"))))
                    .isEqualTo(new Delivery.Accepted());
            assertThat(process.calls.run(name, List.of(call("ask"))).outcomes()).extracting(ToolOutcome::text)
                    .containsExactly("7");
            assertThat(process.calls.resolve(token, Resolution.ok(Json.string("yes"))))
                    .as("settled: the winner is told")
                    .isInstanceOf(Delivery.Lost.class);
            process.kill();
        }
    }

    private static ToolDefinition number() {
        return ToolDefinition.raw("ask", "Asks.", Json.of("{\"type\":\"object\"}"),
                Json.of("{\"type\":\"integer\"}"));
    }

    @Test
    void aValueThatComesBeforeTheCallParksIsCheckedToo() throws Exception {
        var go = new CountDownLatch(1);
        var process = bench
                .open(StaticToolProvider.builder().raw(number().effect(ToolEffect.READ), (in, context) -> {
                    tokens.add(context.completionKey().token());
                    go.await();
                    return ToolResult.pending();
                }).build());
        var task = process.start(call("ask"));
        String token = tokens.take();
        assertThat(process.calls.resolve(token, Resolution.ok(Json.TRUE)))
                .isInstanceOf(Delivery.Refused.class);
        assertThat(process.calls.resolve(token, Resolution.ok(Json.of("7"))))
                .isEqualTo(new Delivery.Accepted());
        go.countDown();
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("7");
    }

    @Test
    void anAcceptedAnswerCountsMoreThanThatOfTheBody() throws Exception {
        var go = new CountDownLatch(1);
        var process = bench.open(StaticToolProvider.builder().raw(ask(), (in, context) -> {
            tokens.add(context.completionKey().token());
            go.await();
            return ToolResult.ok(Json.string("my own"));
        }).build());
        var task = process.start(call("ask"));
        String token = tokens.take();
        assertThat(process.calls.resolve(token, Resolution.ok(Json.string("accepted"))))
                .isEqualTo(new Delivery.Accepted());
        go.countDown();
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("accepted");
    }

    @Test
    void aStartedBodyThatDiedIsAnsweredByItsKeyWhateverItsEffectAndItsToolAreNow() throws Exception {
        for (ToolEffect effect : ToolEffect.values()) {
            for (int version : new int[]{0, 2}) {
                var runs = new AtomicInteger();
                var never = new CountDownLatch(1);
                var tools = StaticToolProvider.builder().raw(number().effect(effect), (in, context) -> {
                    runs.incrementAndGet();
                    tokens.add(context.completionKey().token());
                    never.await();
                    return ToolResult.pending();
                }).build();
                String name = effect + "-" + version;
                var first = bench.open(tools);
                first.calls.submit(name, List.of(call("ask")));
                assertThat(first.calls.resolve(tokens.take(), Resolution.ok(Json.of("7"))))
                        .isEqualTo(new Delivery.Accepted());
                first.kill();
                ToolDefinition today = version == 0 ? number() : number().version(version);
                var second = bench.open(approving(today.effect(effect), PendingCompletion.DEFAULT));
                assertThat(second.calls.join(name).orElseThrow()).as(name)
                        .extracting(ToolOutcome::text)
                        .containsExactly("7");
                assertThat(runs).hasValue(1);
                second.kill();
            }
        }
        assertThat(runs).as("no body ran again").hasValue(0);
    }

    @Test
    void aBodyThatAnswersItselfClosesItsKey() throws Exception {
        var process = bench.open(StaticToolProvider.builder().raw(ask(), (in, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.ok(Json.string("my own"));
        }).build());
        assertThat(process.run(call("ask"))).extracting(ToolOutcome::text).containsExactly("my own");
        assertThat(process.calls.resolve(tokens.take(), Resolution.ok(Json.TRUE)))
                .isInstanceOf(Delivery.Lost.class);
    }

    @Test
    void anAcceptedAnswerIsTheOutcomeAlsoIfTheSchemaOfTheToolHasChanged() throws Exception {
        var first = bench.open(approving(number(), PendingCompletion.DEFAULT));
        first.start(call("ask"));
        bench.awaitWrite(PARKED);
        first.kill();
        var second = bench.open(approving(ask().onDefinitionChanged(DefinitionChange.CONTINUE),
                PendingCompletion.DEFAULT));
        String token = tokens.take();
        assertThat(second.calls.resolve(token, Resolution.ok(Json.TRUE)))
                .as("the schema of the key counts")
                .isInstanceOf(Delivery.Refused.class);
        assertThat(second.calls.resolve(token, Resolution.ok(Json.of("7"))))
                .isEqualTo(new Delivery.Accepted());
        assertThat(Bench.get(second.joined())).extracting(ToolOutcome::text).containsExactly("7");
    }

    @Test
    void pendingWithoutItsKeyFails() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(ask(), (arguments, context) -> ToolResult.pending())
                .build();
        assertThat(bench.open(tools).run(call("ask")).getFirst().code())
                .contains("pending_tool_missing_completion_key");
    }

    @Test
    void aToolThatMustNotDeferFails() throws Exception {
        assertThat(bench.open(approving(ask().mayDefer(false), PendingCompletion.DEFAULT))
                .run(call("ask"))
                .getFirst()
                .code()).contains("tool_deferral_not_declared");
    }

    @Test
    void aDeadlineIsStoredAndNotResetByARestart() throws Exception {
        var tools = approving(ask(),
                PendingCompletion.DEFAULT.until(bench.time.now().plus(Duration.ofHours(1))));
        var first = bench.open(tools);
        first.start(call("ask"));
        bench.awaitWrite(PARKED);
        bench.time.advance(Duration.ofMinutes(59));
        first.kill();
        var second = bench.open(tools);
        var task = second.joined();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(Bench.get(task).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("tool_completion_timeout");
            assertThat(failed.failure().mayHaveHappened()).isTrue();
        });
        assertThat(second.calls.resolve(tokens.take(), Resolution.ok(Json.TRUE)))
                .isEqualTo(new Delivery.Lost(new Resolution.TimedOut()));
    }

    @Test
    void cancelTellsTheWorkOutsideOnce() throws Exception {
        List<RecordedCall> told = new CopyOnWriteArrayList<>();
        var process = bench.open(approving(ask().onCancel(told::add), PendingCompletion.DEFAULT));
        var task = process.start(call("ask"), call("quick"));
        bench.awaitWrite(PARKED);
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Cancelled("enough"),
                new ToolOutcome.Success(Json.string("quick")));
        assertThat(told).singleElement()
                .satisfies(
                        recorded -> assertThat(recorded.tool().value()).isEqualTo("tool:ask"));
        assertThat(bench.effects()).contains("effect call/0/on-cancel COMPLETED");
        assertThat(process.calls.resolve(tokens.take(), Resolution.ok(Json.TRUE)))
                .isInstanceOf(Delivery.Lost.class);
    }

    @Test
    void cancelMayLeaveTheWorkOutsideAlone() throws Exception {
        List<RecordedCall> told = new CopyOnWriteArrayList<>();
        var process = bench.open(approving(ask().onCancel(told::add),
                PendingCompletion.DEFAULT.onCancel(PendingCompletion.OnCancel.IGNORE)));
        var task = process.start(call("ask"));
        bench.awaitWrite(PARKED);
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Cancelled("enough"));
        assertThat(told).isEmpty();
    }

    @Test
    void aCallbackThatThrowsChangesNothing() throws Exception {
        var process = bench.open(approving(ask().onCancel(recorded -> {
            throw new IllegalStateException("gone");
        }), PendingCompletion.DEFAULT));
        var task = process.start(call("ask"));
        bench.awaitWrite(PARKED);
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Cancelled("enough"));
    }

    @Test
    void theAnnouncementExistsIfAndOnlyIfTheCallParked() throws Exception {
        var announcing = PendingCompletion.DEFAULT.announcing("somebody has to say yes");
        var process = bench.open(approving(ask(), announcing));
        var task = process.start(call("ask"));
        bench.awaitWrite(PARKED);
        assertThat(bench.event()).isInstanceOf(CallEvent.Started.class);
        assertThat(bench.event()).isInstanceOfSatisfying(CallEvent.Parked.class,
                parked -> assertThat(parked.announcement()).isEqualTo("somebody has to say yes"));
        assertThat(process.host.waits(new ScopeId("batch"))).singleElement()
                .satisfies(wait -> assertThat(wait.announcement()).isEqualTo("somebody has to say yes"));
        process.calls.resolve(tokens.take(), Resolution.ok(Json.TRUE));
        Bench.get(task);
        assertThat(bench.event()).isInstanceOf(CallEvent.Finished.class);
        process.close();
        var refused = bench.open(approving(ask().mayDefer(false), announcing));
        refused.calls.run("other", List.of(call("ask"))).outcomes();
        assertThat(bench.event()).isInstanceOf(CallEvent.Started.class);
        assertThat(bench.event()).isInstanceOf(CallEvent.Finished.class);
        assertThat(refused.host.waits(new ScopeId("other"))).as("closed, and never opened")
                .noneMatch(WaitState::opened);
    }

    @Test
    void eventsComeOnceHoweverOftenTheScopeIsEntered() throws Exception {
        var process = bench.open(approving(ask().scheduling(Scheduling.SERIAL), PendingCompletion.DEFAULT));
        var task = process.start(call("quick"), call("ask"), call("ask"), call("ask"));
        for (int n = 0; n < 3; n++) {
            bench.awaitWrites(PARKED, n + 1);
            process.calls.resolve(tokens.take(), Resolution.ok(Json.number(n)));
        }
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("quick", "0", "1", "2");
        int started = 0;
        int finished = 0;
        while (finished < 4) {
            switch (bench.event()) {
                case CallEvent.InDoubt doubt -> throw new AssertionError(doubt);
                case CallEvent.Started event -> started++;
                case CallEvent.Finished event -> finished++;
                case CallEvent.Parked event -> {
                }
                case CallEvent.Progress event -> {
                }
            }
        }
        process.close();
        assertThat(started).isEqualTo(4);
        assertThat(bench.events).isEmpty();
        assertThat(runs).hasValue(4);
    }

    @Test
    void hooksLookAtACompletionOnce() throws Exception {
        var looked = new AtomicInteger();
        var hooks = new CallHooks() {
            @Override
            public ToolOutcome after(CallView call, ToolOutcome outcome, Site site) {
                looked.incrementAndGet();
                return new ToolOutcome.Success(Json.string("hooked " + outcome.text()));
            }
        };
        var process = bench.open(approving(ask().scheduling(Scheduling.SERIAL), PendingCompletion.DEFAULT),
                builder -> builder.hooks(hooks));
        var task = process.start(call("ask"), call("ask"));
        bench.awaitWrites(PARKED, 1);
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("a")));
        bench.awaitWrites(PARKED, 2);
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("b")));
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("hooked a", "hooked b");
        assertThat(looked).hasValue(2);
    }

    @Test
    void aParkedCallWhoseToolHasChangedEndsAndItsKeySaysSo() throws Exception {
        var first = bench.open(approving(ask(), PendingCompletion.DEFAULT));
        first.start(call("ask"), call("ask"));
        bench.awaitWrite(PARKED);
        first.kill();
        var second = bench.open(approving(ask().version(2), PendingCompletion.DEFAULT));
        assertThat(second.calls.resolve(tokens.take(), Resolution.ok(Json.string("accepted"))))
                .isEqualTo(new Delivery.Accepted());
        assertThat(second.calls.cancel("batch", "enough")).isNotNull();
        assertThat(Bench.get(second.joined())).extracting(ToolOutcome::text)
                .contains("accepted")
                .anyMatch(text -> text.contains("definition_changed"));
    }
}
