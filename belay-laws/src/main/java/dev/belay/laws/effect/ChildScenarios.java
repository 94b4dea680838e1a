package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parallel work is children: each a scope of its own, run as an object or from data (J.5). */
interface ChildScenarios extends Scenarios {

    /** Runs children of a kind and returns what they say, in their order. */
    private Json children(EffectScope scope, String kind, int count) {
        return said(scope.children(commands(kind, count)));
    }

    private Json inTurn(EffectScope scope, String kind, int count) {
        return said(scope.childrenInTurn(commands(kind, count)));
    }

    private List<ChildCommand> commands(String kind, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> stage().child("child/" + i, kind, Json.number(i)))
                .toList();
    }

    private static Json said(List<ToolOutcome> outcomes) {
        return Json.string(String.join(" ", outcomes.stream().map(ToolOutcome::text).toList()));
    }

    private static Json success(Json value) {
        return OutcomeJson.of(new ToolOutcome.Success(value));
    }

    @Test
    default void childrenRunSideBySide() throws Exception {
        var meeting = new CyclicBarrier(3);
        stage().plays("child", (scope, input) -> success(scope.run(Work.of("meet", running -> {
            meeting.await();
            return input.value();
        }))));
        stage().plays("parent", (scope, input) -> children(scope, "child", 3));
        StagedHost host = stage().open();

        ScopeId scope = host.submit("s", "parent");

        assertThat(host.result(scope)).isEqualTo(Json.string("0 1 2"));
    }

    @Test
    default void noChildIsAnEmptyAnswer() throws Exception {
        stage().plays("parent", (scope, input) -> children(scope, "child", 0));
        StagedHost host = stage().open();

        assertThat(host.result(host.submit("s", "parent"))).isEqualTo(Json.string(""));
    }

    @Test
    default void whatChildrenRecordedIsAnswered() throws Exception {
        stage().plays("child", (scope, input) -> success(scope.run(Work.of("draw",
                running -> Json.number(stage().count("draw " + input.value()))))));
        stage().plays("parent", (scope, input) -> {
            Json said = children(scope, "child", 2);
            scope.run(Work.of("after", running -> Json.NULL));
            return said;
        });
        StagedHost first = stage().open();
        first.script().dieAt(Moment.BEFORE, "effect after");
        ScopeId scope = first.submit("s", "parent");
        first.awaitCrash();

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(Json.string("1 1"));
    }

    @Test
    default void aParentWaitsForAllThatItsChildrenWaitFor() throws Exception {
        stage().plays("child", (scope, input) -> {
            Json before = scope.run(Work.of("draw", running -> Json.number(stage().count("draw"))));
            Resolution resolution = scope.await(stage().showKey(scope, "w" + input.value()), Deadline.NONE);
            return success(resolution instanceof Resolution.Ok(Json value) ? value : before);
        });
        stage().plays("parent", (scope, input) -> children(scope, "child", 3));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "parent");
        host.letPark(scope);

        host.resolve(stage().key("w1"), Json.string("b"));
        host.resolve(stage().key("w2"), Json.string("c"));
        host.resolve(stage().key("w0"), Json.string("a"));

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("a b c"));
        assertThat(stage().counted("draw")).isEqualTo(3);
    }

    @Test
    default void childrenOfOneNameAreTwoWaitsInTwoScopes() throws Exception {
        stage().plays("child", (scope, input) -> {
            Resolution resolution = scope.await(stage().showKey(scope, "same"), Deadline.NONE);
            return success(Json.string(input.value() + "=" + OutcomeJson.of(resolution)));
        });
        stage().plays("parent", (scope, input) -> children(scope, "child", 2));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "parent");
        host.letPark(scope);
        assertThat(host.host().waits(scope)).hasSize(2);

        host.resolve(stage().key("same"), Json.TRUE);
        host.resolve(stage().key("same"), Json.TRUE);

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("0={\"ok\":true} 1={\"ok\":true}"));
    }

    @Test
    default void theOrderIsThatOfTheCommandsBeyondTen() throws Exception {
        stage().plays("child",
                (scope, input) -> success(scope.run(Work.of("say", running -> input.value()))));
        stage().plays("parent", (scope, input) -> children(scope, "child", 12));
        StagedHost host = stage().open();

        assertThat(host.result(host.submit("s", "parent")))
                .isEqualTo(Json.string("0 1 2 3 4 5 6 7 8 9 10 11"));
    }

    @Test
    default void aLoneChildHasNoUseOfItsParentsScope() throws Exception {
        var outer = new AtomicReference<EffectScope>();
        stage().plays("child", (scope, input) -> {
            Json said = scope.run(Work.of("say", running -> Json.TRUE));
            assertThatThrownBy(() -> outer.get().run(Work.of("stolen", running -> Json.TRUE)))
                    .isInstanceOf(RuntimeException.class);
            return success(said);
        });
        stage().plays("parent", (scope, input) -> {
            outer.set(scope);
            children(scope, "child", 1);
            return scope.run(Work.of("after", running -> Json.string("mine again")));
        });
        StagedHost host = stage().open();

        assertThat(host.result(host.submit("s", "parent"))).isEqualTo(Json.string("mine again"));
    }

    @Test
    default void anInterruptOfALoneChildEndsWithIt() throws Exception {
        stage().plays("child", (scope, input) -> {
            Thread.currentThread().interrupt();
            return success(Json.TRUE);
        });
        stage().plays("parent", (scope, input) -> {
            children(scope, "child", 1);
            return Json.string("interrupted: " + Thread.currentThread().isInterrupted());
        });
        StagedHost host = stage().open();

        assertThat(host.result(host.submit("s", "parent"))).isEqualTo(Json.string("interrupted: false"));
    }

    @Test
    default void aLoneChildThatWaitsIsEnteredAgain() throws Exception {
        stage().plays("child", (scope, input) -> {
            scope.run(Work.of("draw", running -> Json.number(stage().count("draw"))));
            Resolution resolution = scope.await(stage().showKey(scope, "w"), Deadline.NONE);
            return success(resolution instanceof Resolution.Ok(Json value) ? value : Json.NULL);
        });
        stage().plays("parent", (scope, input) -> children(scope, "child", 1));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "parent");
        host.letPark(scope);

        host.resolve(stage().key("w"), Json.string("a"));

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("a"));
        assertThat(stage().counted("draw")).isOne();
    }

    @Test
    default void childrenInTurnRunOneAfterAnother() throws Exception {
        stage().plays("child", (scope, input) -> success(scope.run(Work.of("say", running -> {
            int others = stage().count("begun") - stage().counted("ended");
            stage().count("ended");
            return Json.string(input.value() + ":" + others);
        }).ahead())));
        stage().plays("parent", (scope, input) -> inTurn(scope, "child", 12));
        StagedHost host = stage().open();

        assertThat(host.result(host.submit("s", "parent")))
                .isEqualTo(Json.string("0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1"));
    }

    @Test
    default void aChildInTurnThatWaitsHoldsUpThoseBehindIt() throws Exception {
        stage().plays("child", (scope, input) -> {
            scope.run(
                    Work.of("draw", running -> Json.number(stage().count("draw " + input.value()))).ahead());
            Resolution resolution = scope.await(stage().showKey(scope, "w" + input.value()), Deadline.NONE);
            return success(resolution instanceof Resolution.Ok(Json value) ? value : Json.NULL);
        });
        stage().plays("parent", (scope, input) -> inTurn(scope, "child", 2));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "parent");
        host.letPark(scope);
        assertThat(stage().counted("draw 1")).isZero();

        host.resolve(stage().key("w0"), Json.string("a"));
        host.resolve(stage().key("w1"), Json.string("b"));

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("a b"));
        assertThat(stage().counted("draw 0")).isOne();
        assertThat(stage().counted("draw 1")).isOne();
    }

    @Test
    default void whatRanAheadOfACrashIsDoneAgainOrAnsweredAndNothingElseIs() throws Exception {
        for (String death : List.of("effect child/0/work", "effect child/1/work", "effect child/2/work")) {
            for (Moment moment : Moment.values()) {
                String run = moment + " " + death;
                stage().plays("child", (scope, input) -> {
                    boolean pays = input.value().equals(Json.number(2));
                    Work work = Work.of("work", running -> Json.number(stage().count(run + input.value())));
                    return success(scope.run(
                            pays ? work.as(ToolEffect.ONCE).whenInDoubt(in -> Json.NULL) : work.ahead()));
                });
                stage().plays("parent", (scope, input) -> inTurn(scope, "child", 3));
                StagedHost first = stage().open();
                first.script().dieAt(moment, death);
                ScopeId scope = first.submit(run, "parent");
                first.awaitCrash();

                StagedHost second = stage().open();

                ScopeState end = second.settledInTime(scope);
                assertThat(end.isEnded()).as(run).isTrue();
                assertThat(stage().counted(run + "2")).as("work that is not repeated, %s", run)
                        .isLessThanOrEqualTo(1);
                assertThat(stage().counted(run + "0")).as(run).isBetween(1, 2);
                second.close();
            }
        }
    }
}
