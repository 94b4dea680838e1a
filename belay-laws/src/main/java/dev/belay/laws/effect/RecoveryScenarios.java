package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Recovery of a scope whose process has died, by effect class (L.2, L.3, L.8). */
interface RecoveryScenarios extends Scenarios {

    /** A scope with one piece of work, whose input is drawn anew each time it is planned. */
    private void playsWork(ToolEffect effect, boolean startFirst) {
        stage().plays("work", (scope, input) -> {
            Work work = Work.of("body", running -> {
                stage().count("ran");
                return Json.string("input " + running.input() + (running.again() ? ", again" : ""));
            }).as(effect).with(() -> Json.number(stage().count("planned")));
            try {
                return scope.run(startFirst ? work.startingFirst() : work);
            } catch (ToolException e) {
                return Json.string(
                        e.failure().code() + (e.failure().mayHaveHappened() ? ", may have happened" : ""));
            }
        });
    }

    /** Runs the work, dies at a moment of a write, and runs to the end in another process. */
    private Json crashAndFinish(Moment moment, String write) throws Exception {
        StagedHost first = stage().open();
        first.script().dieAt(moment, write);
        ScopeId scope = first.submit("s", "work");
        first.awaitCrash();
        return stage().open().resultInTime(scope);
    }

    @Test
    default void aReadIsRepeated() throws Exception {
        playsWork(ToolEffect.READ, false);

        assertThat(crashAndFinish(Moment.BEFORE, "effect body COMPLETED")).isEqualTo(Json.string("input 2"));
        assertThat(stage().counted("ran")).isEqualTo(2);
    }

    @Test
    default void anIdempotentCallIsRepeatedWithItsRecordedInput() throws Exception {
        playsWork(ToolEffect.IDEMPOTENT, true);

        assertThat(crashAndFinish(Moment.BEFORE, "effect body COMPLETED"))
                .isEqualTo(Json.string("input 1, again"));
        assertThat(stage().counted("ran")).isEqualTo(2);
        assertThat(stage().counted("planned")).isEqualTo(1);
    }

    @Test
    default void aReadThatRecordedItsStartIsRepeatedWithItsRecordedInput() throws Exception {
        playsWork(ToolEffect.READ, true);

        assertThat(crashAndFinish(Moment.INSIDE, "effect body COMPLETED"))
                .isEqualTo(Json.string("input 1, again"));
    }

    @Test
    default void aOnceCallThatStartedIsInDoubt() throws Exception {
        playsWork(ToolEffect.ONCE, false);

        assertThat(crashAndFinish(Moment.INSIDE, "effect body COMPLETED"))
                .isEqualTo(Json.string("in_doubt, may have happened"));
        assertThat(stage().counted("ran")).isEqualTo(1);
    }

    @Test
    default void aOnceCallWhoseStartIsDurableIsInDoubtEvenIfItsBodyNeverRan() throws Exception {
        playsWork(ToolEffect.ONCE, false);

        assertThat(crashAndFinish(Moment.AFTER, "effect body STARTED"))
                .isEqualTo(Json.string("in_doubt, may have happened"));
        assertThat(stage().counted("ran")).isZero();
    }

    @Test
    default void aOnceCallWhoseStartIsNotDurableRuns() throws Exception {
        playsWork(ToolEffect.ONCE, false);

        assertThat(crashAndFinish(Moment.INSIDE, "effect body STARTED")).isEqualTo(Json.string("input 2"));
        assertThat(stage().counted("ran")).isEqualTo(1);
    }

    @Test
    default void aOnceCallWhoseOutcomeIsDurableIsAnswered() throws Exception {
        playsWork(ToolEffect.ONCE, false);

        assertThat(crashAndFinish(Moment.AFTER, "effect body COMPLETED")).isEqualTo(Json.string("input 1"));
        assertThat(stage().counted("ran")).isEqualTo(1);
    }

    @Test
    default void doubtMayBeResolvedWithTheRecordedInput() throws Exception {
        stage().plays("work", (scope, input) -> scope.run(Work.of("body", running -> Json.string("ran"))
                .as(ToolEffect.ONCE)
                .with(() -> Json.number(stage().count("planned")))
                .whenInDoubt(recorded -> Json.string("found out for " + recorded + ", "
                        + stage().count("asked")))));

        assertThat(crashAndFinish(Moment.BEFORE, "effect body COMPLETED"))
                .isEqualTo(Json.string("found out for 1, 1"));
    }

    @Test
    default void whatDoubtFoundOutIsRecorded() throws Exception {
        stage().plays("work", (scope, input) -> {
            Json found = scope.run(Work.of("body", running -> Json.string("ran"))
                    .as(ToolEffect.ONCE)
                    .whenInDoubt(recorded -> Json.number(stage().count("asked"))));
            scope.run(Work.of("after", running -> Json.NULL));
            return found;
        });
        StagedHost first = stage().open();
        first.script().dieAt(Moment.BEFORE, "effect body COMPLETED");
        ScopeId scope = first.submit("s", "work");
        first.awaitCrash();
        StagedHost second = stage().open(script -> script.dieAt(Moment.BEFORE, "effect after"));
        second.awaitCrash();

        StagedHost third = stage().open();

        assertThat(third.resultInTime(scope)).isEqualTo(Json.number(1));
        assertThat(stage().counted("asked")).isEqualTo(1);
    }

    @Test
    default void anotherProcessTakesOverWhenOneDies() throws Exception {
        stage().plays("work", (scope, input) -> scope.run(Work.of("body", running -> {
            if (stage().count("ran") == 1) {
                stage().leave("entered", true);
                stage().takeInScope("never");
            }
            return Json.string("fence " + running.fence().value());
        })));
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "work");
        stage().take("entered");
        StagedHost second = stage().open();

        first.crash();

        assertThat(second.resultInTime(scope)).isEqualTo(Json.string("fence 2"));
    }

    @Test
    default void aLiveProcessIsNotTakenOver() throws Exception {
        var release = new CountDownLatch(1);
        stage().plays("work", (scope, input) -> scope.run(Work.of("body", running -> {
            stage().leave("entered", stage().count("ran"));
            release.await();
            return Json.string("fence " + running.fence().value());
        })));
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "work");
        stage().take("entered");
        StagedHost second = stage().open();

        stage().time().advance(Duration.ofHours(10));
        assertThat(second.state(scope).status()).isEqualTo(ScopeState.Status.RUNNING);
        release.countDown();

        assertThat(first.result(scope)).isEqualTo(Json.string("fence 1"));
        assertThat(stage().counted("ran")).isEqualTo(1);
    }

    @Test
    default void whoWasOvertakenWritesNothing() throws Exception {
        var paused = new CountDownLatch(1);
        stage().plays("work", (scope, input) -> scope.run(Work.of("body", running -> {
            int run = stage().count("ran");
            if (run == 1) {
                stage().leave("entered", true);
                awaitStubbornly(paused);
            }
            return Json.string("run " + run);
        })));
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "work");
        stage().take("entered");
        first.crash();
        StagedHost second = stage().open();
        assertThat(second.resultInTime(scope)).isEqualTo(Json.string("run 2"));

        paused.countDown();
        first.threads().awaitAtMost(0);

        assertThat(second.state(scope).result()).isEqualTo(Json.string("run 2"));
        assertThat(first.script().written("effect body")).isZero();
    }

    private static void awaitStubbornly(CountDownLatch latch) {
        boolean waits = true;
        while (waits) {
            try {
                latch.await();
                waits = false;
            } catch (InterruptedException swallowed) {
                waits = true; // a careless body ignores interrupts
            }
        }
    }

    @Test
    default void aHostThatClosesGivesItsScopesBack() throws Exception {
        stage().plays("work", (scope, input) -> {
            Json step = scope.run(Work.of("step", running -> Json.number(stage().count("step"))));
            if (stage().count("entry") == 1) {
                stage().leave("entered", true);
                stage().takeInScope("never");
            }
            return step;
        });
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "work");
        stage().take("entered");
        first.close();

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(Json.number(1));
        assertThat(stage().counted("step")).isEqualTo(1);
    }

    @Test
    default void anInterruptedBodyIsNotAnOutcome() throws Exception {
        stage().plays("work", (scope, input) -> scope.run(Work.of("body", running -> {
            if (stage().count("ran") == 1) {
                stage().leave("entered", true);
                new CountDownLatch(1).await();
            }
            return Json.string("done");
        })));
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "work");
        stage().take("entered");
        first.close();

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(Json.string("done"));
    }

    @Test
    default void aSubmissionThatWasAcceptedIsNotLost() throws Exception {
        stage().plays("work", (scope, input) -> Json.string("done"));
        StagedHost first = stage().open();
        first.script().dieAt(Moment.AFTER, "submit s");
        try {
            first.submit("s", "work");
        } catch (SimulatedCrash expected) {
            first.awaitCrash();
        }

        StagedHost second = stage().open();

        assertThat(second.resultInTime(new ScopeId("s"))).isEqualTo(Json.string("done"));
    }

    @Test
    default void theFirstLateResultIsKept() throws Exception {
        stage().plays("work", (scope, input) -> {
            var late = scope.lateSink(new dev.belay.runtime.effect.EffectKey("body"));
            stage().leave("sink", late);
            return Json.string("timed out");
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "work");
        host.result(scope);
        @SuppressWarnings("unchecked")
        var late = (java.util.function.Consumer<Json>) stage().take("sink");

        late.accept(Json.string("first"));
        late.accept(Json.string("second"));

        assertThat(host.host().lateResults(scope)).singleElement().satisfies(one -> {
            assertThat(one.key().value()).isEqualTo("body");
            assertThat(one.result()).isEqualTo(Json.string("first"));
        });
        assertThat(host.result(scope)).isEqualTo(Json.string("timed out"));
    }
}
