package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract V.3: an open doubt is settled by the reconciler, which an operator asks again. */
class AskedDoubtsTest {

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger paid = new AtomicInteger();
    private final List<RecordedCall> asked = new ArrayList<>();
    private Reconciliation<ToolOutcome> truth = Reconciliation.unknown();
    private boolean isDown;
    private ToolDefinition pay = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"),
            Json.of("{\"type\": \"string\"}")).reconciler(this::reconcile);

    @AfterEach
    void close() {
        bench.close();
    }

    private Reconciliation<ToolOutcome> reconcile(RecordedCall recorded) {
        asked.add(recorded);
        if (isDown) {
            throw new IllegalStateException("the bank does not answer");
        }
        return truth;
    }

    private BelayBuilder with(BelayBuilder builder) {
        return builder.parkAfter(Duration.ZERO)
                .tools(StaticToolProvider.builder().raw(pay, (arguments, context) -> {
                    paid.incrementAndGet();
                    return "paid";
                }).build());
    }

    private Belay open(UnaryOperator<BelayBuilder> more) {
        return bench.open(calling(List.of(call("c1", "pay"))), more);
    }

    /** A runtime after one that died while it paid. */
    private Belay afterDeath() throws Exception {
        SessionBench.Dying dying = bench.dying(calling(List.of(call("c1", "pay"))),
                Death.at(Moment.BEFORE, "effect round/1/call/0/attempt/1 COMPLETED"), this::with);
        dying.belay.session("s").turn("go").id("in").submit();
        dying.awaitDeath();
        return open(this::with);
    }

    private static TurnResult.Ended ended(Belay belay) throws InterruptedException {
        return belay.session("s").input("in").orElseThrow().awaitCommit();
    }

    private static Doubt only(Belay belay) {
        return belay.doubts().open(0, 9).getFirst();
    }

    private static Reconciliation<ToolOutcome> receipt(String id) {
        return Reconciliation.happened(new ToolOutcome.Success(Json.string(id)));
    }

    private static void assertOpen(Belay belay, VerbResult answer, String reason) {
        assertThat(answer).isInstanceOfSatisfying(VerbResult.NotPossible.class,
                no -> assertThat(no.reason()).contains(reason));
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
        assertThat(belay.audit(0, 9)).isEmpty();
    }

    @Test
    void aReconcilerThatCanTellNowSettlesTheDoubt() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        truth = receipt("R-7");
        var anna = new Actor("anna", "test");
        assertThat(belay.doubts().as(anna).ask(id)).isEqualTo(VerbResult.DONE);
        assertThat(belay.doubts().open(0, 9)).isEmpty();
        assertThat(belay.doubts().find(id).orElseThrow().settlement()).satisfies(settled -> {
            assertThat(Objects.requireNonNull(settled).by()).isEqualTo(anna);
            assertThat(settled.truth()).isEqualTo(truth);
        });
        assertThat(belay.audit(0, 9)).singleElement()
                .satisfies(entry -> assertThat(entry.note().details())
                        .isEqualTo(Json.of("{\"happened\":\"R-7\",\"reason\":\"its reconciler says so\"}")));
        assertThat(belay.doubts().ask(id)).isEqualTo(VerbResult.ALREADY);
        assertThat(asked).as("the same call, once before the doubt and once after").hasSize(2);
        assertThat(asked.getLast()).isEqualTo(asked.getFirst());
        assertThat(paid).hasValue(1);
    }

    @Test
    void whatDidNotHappenMayBeDoneAgain() throws Exception {
        Belay belay = afterDeath();
        var unused = ended(belay);
        assertThat(belay.session("s").turn("again").run().ended().text()).contains("doubt_unsettled");
        truth = Reconciliation.didNotHappen("the bank has no such payment");
        assertThat(belay.doubts().ask(only(belay).id())).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").turn("again").run().ended().text()).isEqualTo("done: paid");
    }

    @Test
    void aHeldCallThatDidNotHappenRunsOnceMore() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        truth = Reconciliation.didNotHappen("the bank has no such payment");
        assertThat(belay.doubts().ask(only(belay).id())).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: paid");
        assertThat(paid).hasValue(2);
    }

    @Test
    void whatTheReconcilerCannotTellStaysInDoubt() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertOpen(belay, belay.doubts().ask(id), "cannot tell");
        truth = new Reconciliation.Unknown<>("two payments look alike");
        assertOpen(belay, belay.doubts().ask(id), "two payments look alike");
        isDown = true;
        assertOpen(belay, belay.doubts().ask(id), "the bank does not answer");
        assertOpen(belay, belay.doubts().ask("nothing"), "there is no doubt");
    }

    @Test
    void anOutputThatDoesNotFitTheToolSettlesNothing() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        truth = Reconciliation.happened(new ToolOutcome.Success(Json.number(7)));
        assertOpen(belay, belay.doubts().ask(id), "string");
    }

    @Test
    void aProgramWithoutTheToolCannotAsk() throws Exception {
        String id = ended(afterDeath()).doubts().getFirst();
        Belay other = open(builder -> builder);
        assertOpen(other, other.doubts().ask(id), "has no tool");
    }

    @Test
    void aToolThatHasChangedIsNotAsked() throws Exception {
        String id = ended(afterDeath()).doubts().getFirst();
        pay = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\",\"required\":[]}"),
                Json.of("{\"type\": \"string\"}")).reconciler(this::reconcile);
        Belay changed = open(this::with);
        assertOpen(changed, changed.doubts().ask(id), "has changed");
        assertThat(asked).hasSize(1);
    }

    @Test
    void aToolWithoutAReconcilerCannotBeAsked() throws Exception {
        pay = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"));
        Belay belay = afterDeath();
        assertOpen(belay, belay.doubts().ask(ended(belay).doubts().getFirst()), "has no reconciler");
    }

    /** Deleting ends the waits for inputs before it deletes: one that is refused must not come so far. */
    @Test
    void aRefusedDeletionEndsNoWaitForAnInput() throws Exception {
        Belay belay = afterDeath();
        var unused = ended(belay);
        belay.pause(Target.session("s"), "wait");
        DurableProcess process = belay.processes().start(ProcessStart.turn("s", "again").id("p"));
        bench.awaitWriteThat(write -> write.startsWith("park process/p"));
        assertThat(belay.session("s").delete()).isInstanceOf(VerbResult.NotPossible.class);
        belay.unpause(Target.session("s"), "go on");
        assertThat(process.awaitEnd().toString()).contains("doubt_unsettled").doesNotContain("taken back");
    }
}
