package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Timeouts;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract K: steps of a resumable body. */
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are asserted through the batch
class DurableEffectsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = Bench.parking();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();

    @AfterEach
    void close() {
        bench.close();
    }

    private static ToolDefinition flow() {
        return tool("flow", ToolEffect.ONCE).resumable(true);
    }

    private static StaticToolProvider tools(ToolDefinition definition, ToolBody<Json, ?> body) {
        return StaticToolProvider.builder().raw(definition, body).build();
    }

    private ToolOutcome run(ToolBody<Json, ?> body) throws Exception {
        return bench.open(tools(flow(), body)).run(call("flow")).getFirst();
    }

    @Test
    void durableNeedsAResumableTool() throws Exception {
        assertThat(bench.open(tools(tool("flow", ToolEffect.ONCE),
                (arguments, context) -> context.durable().random("r"))).run(call("flow")).getFirst().code())
                .contains("durable_effects_unavailable");
    }

    @Test
    void stepIdsAreNonEmptyAndUnique() throws Exception {
        assertThat(run((arguments, context) -> context.durable().run("", Json.NULL, input -> input)).code())
                .contains("durable_effect_empty_step_id");
        var second = bench.open(tools(flow(), (arguments, context) -> {
            context.durable().run("a", Json.NULL, input -> input);
            return context.durable().run("a", Json.NULL, input -> {
                steps.incrementAndGet();
                return input;
            });
        }));
        assertThat(second.calls.run("other", List.of(call("flow"))).outcomes().getFirst().code())
                .contains("durable_effect_duplicate_step_id");
        assertThat(steps).hasValue(0);
    }

    @Test
    void aBodyIsEnteredAgainAndItsStepsAreAnswered() throws Exception {
        var process = bench.open(tools(flow(), (arguments, context) -> {
            entries.incrementAndGet();
            var durable = context.durable();
            Json opened = durable.run("open", Json.number(20), input -> {
                steps.incrementAndGet();
                return Json.number(input.asLong() + 1);
            });
            var key = durable.externalEventKey("answer");
            tokens.add(key.token());
            Json answer = durable.awaitEvent(key);
            return opened.asLong() + answer.asLong();
        }));
        var task = process.start(call("flow"));
        bench.awaitWrite("park batch");
        assertThat(process.calls.state("batch").orElseThrow().status()).isEqualTo(ScopeState.Status.PARKED);
        process.calls.resolve(tokens.take(), Resolution.ok(Json.number(21)));
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.number(42)));
        assertThat(entries).hasValue(2);
        assertThat(steps).hasValue(1);
    }

    @Test
    void aBodyThatHasEndedIsNotEnteredForNothing() throws Exception {
        var tools = StaticToolProvider.builder().raw(flow(), (arguments, context) -> {
            entries.incrementAndGet();
            return context.durable().run("a", Json.NULL, input -> Json.TRUE);
        }).raw(tool("ask", ToolEffect.READ), (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return dev.belay.tool.ToolResult.pending();
        }).build();
        var process = bench.open(tools);
        var task = process.start(call("flow"), call("ask"));
        bench.awaitWrite("park batch");
        process.calls.resolve(tokens.take(), Resolution.ok(Json.TRUE));
        assertThat(Bench.get(task)).hasSize(2).containsOnly(new ToolOutcome.Success(Json.TRUE));
        assertThat(entries).hasValue(1);
    }

    /** A process that dies while the result of a step should be written, and another one that goes on. */
    private ToolOutcome afterDeath(ToolBody<Json, ?> body) throws Exception {
        var first = bench.open(tools(flow(), body))
                .dyingAt(JournalProbe.Moment.BEFORE,
                        "effect call/0/step/1/pay COMPLETED");
        first.calls.submit("batch", List.of(call("flow")));
        first.awaitDeath();
        return Bench.get(bench.open(tools(flow(), body)).joined()).getFirst();
    }

    @ParameterizedTest
    @EnumSource(value = ToolEffect.class, names = {"READ", "IDEMPOTENT"})
    void anUnfinishedStepRunsAgainUnderTheSameKey(ToolEffect effect) throws Exception {
        List<String> keys = new CopyOnWriteArrayList<>();
        assertThat(afterDeath((arguments, context) -> {
            String key = context.durable().stepKey("pay").value();
            return context.durable().run("pay", Json.number(7), effect, input -> {
                keys.add(key);
                return input;
            });
        })).isEqualTo(new ToolOutcome.Success(Json.number(7)));
        assertThat(keys).hasSize(2).containsOnly(keys.getFirst());
    }

    @Test
    void anUnfinishedOnceStepIsInDoubt() throws Exception {
        ToolOutcome outcome = afterDeath((arguments, context) -> context.durable()
                .run("pay", Json.NULL, input -> {
                    steps.incrementAndGet();
                    return Json.TRUE;
                }));
        assertThat(outcome.code()).contains("in_doubt");
        assertThat(steps).hasValue(1);
    }

    @Test
    void aBodyMayCatchTheDoubt() throws Exception {
        assertThat(afterDeath((arguments, context) -> {
            try {
                return context.durable().run("pay", Json.NULL, input -> Json.TRUE);
            } catch (InDoubtException doubt) {
                return "found out about " + doubt.stepId();
            }
        })).isEqualTo(new ToolOutcome.Success(Json.string("found out about pay")));
    }

    @Test
    void theDoubtIsTheSameOnEveryEntry() throws Exception {
        List<String> doubts = new CopyOnWriteArrayList<>();
        ToolBody<Json, ?> body = (arguments, context) -> {
            try {
                context.durable().run("pay", Json.NULL, input -> Json.TRUE);
            } catch (InDoubtException doubt) {
                doubts.add(doubt.stepId());
            }
            var key = context.durable().externalEventKey("answer");
            tokens.add(key.token());
            return context.durable().awaitEvent(key);
        };
        var first = bench.open(tools(flow(), body))
                .dyingAt(JournalProbe.Moment.BEFORE,
                        "effect call/0/step/1/pay COMPLETED");
        first.calls.submit("batch", List.of(call("flow")));
        first.awaitDeath();
        tokens.clear();
        var second = bench.open(tools(flow(), body));
        var task = second.joined();
        bench.awaitWrite("park batch");
        second.calls.resolve(tokens.take(), Resolution.ok(Json.string("found out")));
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("found out");
        assertThat(doubts).containsExactly("pay", "pay");
    }

    @Test
    void anUnfinishedOnceStepAsksItsReconciler() throws Exception {
        assertThat(afterDeath((arguments, context) -> context.durable()
                .run("pay", Json.number(3), ToolEffect.ONCE, Reconciliation::happened, input -> Json.TRUE)))
                .isEqualTo(new ToolOutcome.Success(Json.number(3)));
    }

    @Test
    void aReconcilerOfAStepThatThrowsIsAskedFiveTimesAlsoByOtherProcesses() throws Exception {
        var asked = new AtomicInteger();
        ToolBody<Json, ?> body = (arguments, context) -> context.durable()
                .run("pay", Json.NULL, ToolEffect.ONCE, input -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("service down");
                }, input -> Json.TRUE);
        var first = bench.open(tools(flow(), body))
                .dyingAt(JournalProbe.Moment.BEFORE, "effect call/0/step/1/pay COMPLETED");
        first.calls.submit("batch", List.of(call("flow")));
        first.awaitDeath();
        var second = bench.open(tools(flow(), body));
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofSeconds(1));
        bench.awaitWrite("effect call/0/asked/2/step/1/pay FAILED");
        second.kill();
        var task = bench.open(tools(flow(), body)).joined();
        for (String next : List.of("asked/3/step/1/pay FAILED", "asked/4/step/1/pay FAILED",
                "asked/5/step/1/pay IN_DOUBT")) {
            while (bench.writes.stream().noneMatch(write -> write.endsWith(next))) {
                bench.time.advance(Duration.ofSeconds(10));
                LockSupport.parkNanos(1_000_000);
            }
        }
        assertThat(Bench.get(task).getFirst().code()).contains("in_doubt");
        assertThat(asked).as("a question of the process that was killed may be lost")
                .hasValueBetween(5, 6);
    }

    @Test
    void aStepThatDidNotHappenAtALaterQuestionRunsOnceMore() throws Exception {
        var asked = new AtomicInteger();
        ToolBody<Json, ?> body = (arguments, context) -> context.durable()
                .run("pay", Json.NULL, ToolEffect.ONCE, input -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new IllegalStateException("service down");
                    }
                    return Reconciliation.didNotHappen("no trace");
                }, input -> {
                    steps.incrementAndGet();
                    return Json.TRUE;
                });
        var first = bench.open(tools(flow(), body))
                .dyingAt(JournalProbe.Moment.BEFORE, "effect call/0/step/1/pay COMPLETED");
        first.calls.submit("batch", List.of(call("flow")));
        first.awaitDeath();
        var task = bench.open(tools(flow(), body)).joined();
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.TRUE));
        assertThat(steps).hasValue(2);
        assertThat(bench.effects()).containsSubsequence("effect call/0/asked/2/step/1/pay STARTED",
                "effect call/0/asked/2/step/1/pay COMPLETED");
    }

    @Test
    void aChangedInputIsAMismatch() throws Exception {
        var process = bench.open(tools(flow(), (arguments, context) -> {
            var durable = context.durable();
            durable.run("a", Json.number(entries.incrementAndGet()), input -> input);
            durable.sleep("wait", MINUTE);
            return "never";
        }));
        process.start(call("flow"));
        bench.awaitWrite("park batch");
        bench.time.advance(MINUTE);
        bench.awaitWrite("stick batch");
        assertThat(process.calls.state("batch").orElseThrow().stuckBecause()).contains("recorded 1, now 2")
                .contains("call/0/step/1/a");
        assertThat(process.calls.abandon("batch", "was changed")).isEqualTo(VerbResult.DONE);
        assertThat(process.calls.join("batch").orElseThrow())
                .containsExactly(new ToolOutcome.Cancelled("was changed"));
    }

    @Test
    void valuesHoldForAllAttemptsAndFailuresForTheirOwn() throws Exception {
        var definition = flow().retry(new RetryPolicy(3, Duration.ofSeconds(10), 1, Duration.ofSeconds(10)));
        var failures = new AtomicInteger();
        var task = bench.open(tools(definition, (arguments, context) -> {
            var durable = context.durable();
            Json first = durable.run("first", Json.NULL, input -> Json.number(steps.incrementAndGet()));
            Json second = durable.run("second", Json.NULL, ToolEffect.IDEMPOTENT, input -> {
                if (failures.incrementAndGet() == 1) {
                    throw new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "tool_failed", "busy")
                            .withRetry(RetryAdvice.ALLOWED));
                }
                return Json.number(10);
            });
            return first.asLong() + second.asLong();
        })).start(call("flow"));
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofSeconds(10));
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.number(11)));
        assertThat(steps).hasValue(1);
        assertThat(failures).hasValue(2);
    }

    @Test
    void eventsEndAsTheirResolversSay() throws Exception {
        ToolBody<Json, ?> body = (arguments, context) -> {
            var key = context.durable().externalEventKey("answer");
            tokens.add(key.token());
            return context.durable().awaitEvent(key, bench.time.now().plus(MINUTE));
        };
        var process = bench.open(tools(flow(), body));
        var failed = process.start(call("flow"));
        process.calls.resolve(tokens.take(), Resolution.failed("no"));
        assertThat(Bench.get(failed)).extracting(ToolOutcome::text)
                .containsExactly("Error (tool_failed): no");
        process.calls.submit("late", List.of(call("flow")));
        bench.awaitWrite("park late");
        bench.time.advance(MINUTE);
        assertThat(process.calls.join("late").orElseThrow().getFirst().code())
                .contains("durable_effect_event_timeout");
        process.calls.submit("stopped", List.of(call("flow")));
        bench.awaitWrite("park stopped");
        process.calls.cancel("stopped", "enough");
        assertThat(process.calls.join("stopped").orElseThrow())
                .containsExactly(new ToolOutcome.Cancelled("enough"));
    }

    @Test
    void aPollWritesOnlyTheNextMomentAndHoldsNoThread() throws Exception {
        List<Integer> asks = new CopyOnWriteArrayList<>();
        var process = bench.open(tools(flow(), (arguments, context) -> context.durable()
                .poll("job", Json.string("j-1"), (input, asked) -> {
                    asks.add(asked);
                    return asked < 2
                            ? new DurableEffects.Polled.Later(MINUTE)
                            : new DurableEffects.Polled.Found(input);
                })));
        var task = process.start(call("flow"));
        for (int parks = 1; parks <= 2; parks++) {
            bench.awaitWrites("park batch", parks);
            bench.time.advance(MINUTE);
        }
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.string("j-1")));
        assertThat(asks).containsExactly(0, 1, 2);
        assertThat(bench.effects().stream().filter(write -> write.contains("job")).toList()).hasSize(3);
    }

    @Test
    void aPollThatIsCancelledIsAskedOnceMore() throws Exception {
        List<Boolean> stopped = new CopyOnWriteArrayList<>();
        var begun = new CountDownLatch(1);
        var process = bench.open(tools(flow(), (arguments, context) -> context.durable()
                .poll("job", Json.string("j-1"), (input, asked) -> {
                    stopped.add(context.cancellation().isRequested());
                    begun.countDown();
                    while (!context.cancellation().isRequested()) {
                        LockSupport.parkNanos(1_000_000); // a service that answers slowly
                    }
                    return new DurableEffects.Polled.Later(MINUTE);
                })));
        var task = process.start(call("flow"));
        begun.await();
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("tool_cancelled");
            assertThat(failed.failure().mayHaveHappened()).as("the job may be done all the same").isTrue();
        });
        assertThat(stopped).containsExactly(false, true);
    }

    @Test
    void aBodyHearsThatItsEventWasCancelled() throws Exception {
        var process = bench.open(tools(flow(), (arguments, context) -> {
            try {
                return context.durable().awaitEvent(context.durable().externalEventKey("answer"));
            } catch (ToolException e) {
                return e.code();
            }
        }));
        var task = process.start(call("flow"));
        bench.awaitWrite("park batch");
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).extracting(ToolOutcome::text)
                .containsExactly("durable_effect_event_cancelled");
    }

    @Test
    void processEventsNeedAProcess() throws Exception {
        assertThat(run((arguments, context) -> {
            context.durable().emitProcessEvent("opened", Json.NULL);
            return "never";
        }).code()).contains("durable_effect_process_event_unavailable");
    }

    @Test
    void timeAndChanceAreRecorded() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        var task = bench.open(tools(flow(), (arguments, context) -> {
            var durable = context.durable();
            String drawn = durable.now("now") + " " + durable.random("random") + " " + durable.uuid("uuid");
            seen.add(drawn);
            durable.sleep("nap", MINUTE);
            return drawn;
        })).start(call("flow"));
        bench.awaitWrite("park batch");
        bench.time.advance(MINUTE);
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.string(seen.getFirst())));
        assertThat(seen).hasSize(2).containsOnly(seen.getFirst());
        assertThat(seen.getFirst()).startsWith("2030-01-01T00:00:00Z ")
                .matches(".* [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }

    @Test
    void aSwallowedSuspensionIsDiscarded() throws Exception {
        var process = bench.open(tools(flow(), (arguments, context) -> {
            var key = context.durable().externalEventKey("answer");
            tokens.add(key.token());
            try {
                return context.durable().awaitEvent(key);
            } catch (Throwable swallowed) {
                return "swallowed";
            }
        }));
        var task = process.start(call("flow"));
        bench.awaitWrite("park batch");
        process.calls.resolve(tokens.take(), Resolution.ok(Json.string("answered")));
        assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("answered");
    }

    @Test
    void waitingIsNoTimeOfTheCall() throws Exception {
        try (var patient = Bench.patient()) {
            var process = patient.open(tools(flow().timeouts(new Timeouts(MINUTE, null)),
                    (arguments, context) -> {
                        var key = context.durable().externalEventKey("answer");
                        tokens.add(key.token());
                        return context.durable().awaitEvent(key);
                    }));
            var task = process.start(call("flow"));
            patient.time.awaitAlarmIn(Bench.PATIENT); // it holds its thread and waits
            patient.time.advance(MINUTE.multipliedBy(5));
            process.calls.resolve(tokens.take(), Resolution.ok(Json.string("answered")));
            assertThat(Bench.get(task)).extracting(ToolOutcome::text).containsExactly("answered");
        }
    }

    @Test
    void aOnceStepThatIsStoppedMayHaveHappened() throws Exception {
        var entered = new CountDownLatch(1);
        var process = bench.open(tools(flow(), (arguments, context) -> context.durable()
                .run("pay", Json.NULL, input -> {
                    entered.countDown();
                    new CountDownLatch(1).await();
                    return Json.TRUE;
                })));
        var task = process.start(call("flow"));
        entered.await();
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("tool_cancelled");
            assertThat(failed.failure().mayHaveHappened()).isTrue();
        });
    }

    @Test
    void stepsDoNotNest() throws Exception {
        assertThat(run((arguments, context) -> context.durable()
                .run("outer", Json.NULL, input -> context.durable().run("inner", input, same -> same)))
                .code())
                .contains("durable_effects_unavailable");
    }

    @Test
    void aBodyBetweenStepsWhoseToolHasChangedFails() throws Exception {
        ToolBody<Json, ?> body = (arguments, context) -> {
            context.durable().sleep("nap", MINUTE);
            return "never";
        };
        var first = bench.open(tools(flow(), body));
        first.start(call("flow"));
        bench.awaitWrite("park batch");
        first.kill();
        var second = bench.open(tools(flow().version(2), body));
        var task = second.joined();
        bench.time.advance(MINUTE);
        assertThat(Bench.get(task).getFirst().code()).contains("definition_changed");
    }
}
