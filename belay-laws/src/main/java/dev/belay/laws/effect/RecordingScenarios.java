package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.Suspended;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A recorded result is returned, and the work is not repeated (L.1, L.2, L.4). */
interface RecordingScenarios extends Scenarios {

    /** Draws a number that is different each time. */
    private Json draw(EffectScope scope, String key) {
        return scope.run(Work.of(key, running -> Json.number(stage().count(key))));
    }

    @Test
    default void aRecordedEffectIsAnsweredWhenTheScopeIsEnteredAgain() throws Exception {
        stage().plays("draw", (scope, input) -> {
            stage().count("entry");
            Json first = draw(scope, "first");
            scope.await(stage().showKey(scope, "w"), Deadline.NONE);
            return Json.string(first + " then " + draw(scope, "second"));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "draw");
        host.letPark(scope);

        host.resolve(stage().key("w"), Json.TRUE);

        assertThat(host.result(scope)).isEqualTo(Json.string("1 then 1"));
        assertThat(stage().counted("entry")).isEqualTo(2);
        assertThat(stage().counted("first")).isEqualTo(1);
    }

    @Test
    default void aRecordedEffectIsAnsweredAfterACrash() throws Exception {
        stage().plays("draw", (scope, input) -> {
            Json first = draw(scope, "first");
            return Json.string(first + " then " + draw(scope, "second"));
        });
        StagedHost first = stage().open();
        first.script().dieAt(Moment.BEFORE, "effect second");
        ScopeId scope = first.submit("s", "draw");
        first.awaitCrash();

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(Json.string("1 then 2"));
        assertThat(stage().counted("first")).isEqualTo(1);
    }

    @Test
    default void aRecordIsWrittenOrNotAtEveryMomentOfACrash() throws Exception {
        stage().plays("draw", (scope, input) -> draw(scope, input.value().asString()));
        for (Moment moment : Moment.values()) {
            String key = "drawn-" + moment;
            StagedHost first = stage().open();
            first.script().dieAt(moment, "effect " + key);
            ScopeId scope = first.submit("crash-" + moment, "draw", Json.string(key));
            first.awaitCrash();

            StagedHost second = stage().open();

            int expected = moment == Moment.AFTER ? 1 : 2;
            assertThat(second.resultInTime(scope)).as("%s", moment).isEqualTo(Json.number(expected));
            assertThat(stage().counted(key)).as("%s", moment).isEqualTo(expected);
            second.close();
        }
    }

    @Test
    default void aFailureIsRecordedToo() throws Exception {
        stage().plays("fail", (scope, input) -> {
            String code = "none";
            try {
                scope.run(Work.of("failing", running -> {
                    throw new ToolException("number " + stage().count("failing"));
                }));
            } catch (ToolException e) {
                code = e.failure().code() + ": " + e.failure().message();
            }
            scope.await(stage().showKey(scope, "w"), Deadline.NONE);
            return Json.string(code);
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "fail");
        host.letPark(scope);

        host.resolve(stage().key("w"), Json.TRUE);

        assertThat(host.result(scope)).isEqualTo(Json.string("tool_failed: number 1"));
        assertThat(stage().counted("failing")).isEqualTo(1);
    }

    @Test
    default void aFaultOfTheMachineIsNotRecordedAsTheOutcome() throws Exception {
        stage().plays("faulty",
                (scope, input) -> scope.run(Work.of("faulty", running -> switch (stage().count("run")) {
                    case 1 -> throw new IOException("the disk is full");
                    case 2 -> throw new IllegalStateException("the pool is empty");
                    default -> Json.string("done");
                })));
        StagedHost host = stage().open();

        ScopeId scope = host.submit("s", "faulty");

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("done"));
        assertThat(stage().counted("run")).isEqualTo(3);
    }

    @Test
    default void anEffectWithAnotherIdentityIsStuckAndNotRun() throws Exception {
        crashBehindFirst("total of 3 orders");
        stage().plays("work", (scope, input) -> scope.run(Work.of("first", running -> {
            stage().count("ran again");
            return Json.NULL;
        }).from("total of 4 orders")));

        StagedHost host = stage().open();
        ScopeState state = host.settledInTime(new ScopeId("s"));

        assertThat(state.status()).isEqualTo(ScopeState.Status.STUCK);
        assertThat(state.stuckBecause())
                .contains("first")
                .contains("total of 3 orders")
                .contains("total of 4 orders");
        assertThat(stage().counted("ran again")).isZero();
    }

    @Test
    default void anEffectAtAnotherPlaceIsStuck() throws Exception {
        crashBehindFirst("same");
        stage().plays("work", (scope, input) -> {
            scope.run(Work.of("before", running -> Json.NULL).from("same"));
            return scope.run(Work.of("first", running -> Json.NULL).from("same"));
        });

        StagedHost host = stage().open();
        ScopeState state = host.settledInTime(new ScopeId("s"));

        assertThat(state.status()).isEqualTo(ScopeState.Status.STUCK);
        assertThat(state.stuckBecause()).contains("first").contains("0").contains("1");
    }

    /** A scope whose first effect is recorded, and whose process has died. */
    private void crashBehindFirst(String identity) throws Exception {
        stage().plays("work", (scope, input) -> {
            scope.run(Work.of("first", running -> Json.NULL).from(identity));
            return scope.run(Work.of("second", running -> Json.NULL));
        });
        StagedHost first = stage().open();
        first.script().dieAt(Moment.BEFORE, "effect second");
        first.submit("s", "work");
        first.awaitCrash();
    }

    @Test
    default void whatARunnerReturnsAfterSuspendedIsDiscarded() throws Exception {
        stage().plays("swallows", (scope, input) -> {
            var key = stage().showKey(scope, "w");
            try {
                return Json.string("waited: " + scope.await(key, Deadline.NONE));
            } catch (Suspended caught) {
                try {
                    scope.now(new EffectKey("now"));
                    stage().leave("then", "went on");
                } catch (Suspended again) {
                    stage().leave("then", "thrown again");
                }
                return Json.string("swallowed");
            }
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "swallows");
        host.letPark(scope);
        assertThat(stage().take("then")).isEqualTo("thrown again");
        assertThat(host.state(scope).result()).isNull();

        host.resolve(stage().key("w"), Json.TRUE);

        assertThat(host.result(scope).asString()).startsWith("waited: ");
    }

    @Test
    default void theSameSubmissionIsTheSameScope() throws Exception {
        stage().plays("echo", (scope, input) -> {
            stage().count("entry");
            return input.value();
        });
        StagedHost host = stage().open();

        ScopeId scope = host.submit("s", "echo", Json.of("{\"a\": 1, \"b\": 2}"));
        host.result(scope);
        host.submit("s", "echo", Json.of("{\"b\":2,\"a\":1}"));

        assertThat(host.result(scope)).isEqualTo(Json.of("{\"a\":1,\"b\":2}"));
        assertThat(stage().counted("entry")).isEqualTo(1);
    }

    @Test
    default void theSameIdWithAnotherInputIsRefused() throws Exception {
        stage().plays("echo", (scope, input) -> input.value());
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "echo", Json.number(1));

        assertThatThrownBy(() -> host.submit("s", "echo", Json.number(2)))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("input_conflict"))
                .hasMessageContaining("s");
        assertThatThrownBy(() -> host.host().submit(scope, new ScopeInput("other", Json.number(1))))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("input_conflict"));
        assertThat(host.result(scope)).isEqualTo(Json.number(1));
    }

    @Test
    default void anInterruptNeitherStopsAWriteNorIsLost() throws Exception {
        stage().plays("echo", (scope, input) -> {
            scope.await(stage().showKey(scope, "w"), Deadline.NONE);
            return input.value();
        });
        StagedHost host = stage().open();

        Thread.currentThread().interrupt();
        ScopeId scope = host.submit("s", "echo", Json.number(7));
        assertThat(Thread.interrupted()).isTrue();
        var key = stage().key("w");
        Thread.currentThread().interrupt();
        host.resolve(key, Json.TRUE);
        assertThat(Thread.interrupted()).isTrue();

        assertThat(host.result(scope)).isEqualTo(Json.number(7));
    }

    @Test
    default void aScopeThatNobodyKnowsIsEmpty() throws Exception {
        StagedHost host = stage().open();

        assertThat(host.host().state(new ScopeId("nobody"))).isEmpty();
        assertThat(host.host().join(new ScopeId("nobody"))).isEmpty();
        assertThat(host.host().waits(new ScopeId("nobody"))).isEmpty();
    }
}
