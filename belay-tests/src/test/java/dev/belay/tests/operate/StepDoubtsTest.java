package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.OnDoubt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.3: a {@code ONCE} step that may have happened is told, listed, guarded, held and settled as a call is. */
class StepDoubtsTest {

    private static final String STEP = "effect round/1/call/0/step/1/pay";

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger paid = new AtomicInteger();
    private ToolDefinition flow = tool("flow", ToolEffect.ONCE).resumable(true);
    private boolean catches;

    @AfterEach
    void close() {
        bench.close();
    }

    private StaticToolProvider tools() {
        return StaticToolProvider.builder().raw(flow, (arguments, context) -> {
            try {
                Json receipt = context.durable().run("pay", Json.number(7), input -> {
                    paid.incrementAndGet();
                    return Json.string("receipt " + input);
                });
                return "flow of " + receipt.asString();
            } catch (InDoubtException doubt) {
                if (catches) {
                    return "not known";
                }
                throw doubt;
            }
        }).raw(tool("other", ToolEffect.ONCE).exclusive("till"), (arguments, context) -> "other").build();
    }

    private BelayBuilder with(BelayBuilder builder) {
        return builder.tools(tools()).parkAfter(Duration.ZERO);
    }

    private void die() throws InterruptedException {
        SessionBench.Dying dying = bench.dying(calling(List.of(call("c1", "flow"))),
                Death.at(Moment.BEFORE, STEP + " COMPLETED"), this::with);
        dying.belay.session("s").turn("go").id("in").submit();
        dying.awaitDeath();
    }

    /** A runtime after one that died while the step paid. */
    private Belay afterDeath() throws Exception {
        die();
        return bench.open(calling(List.of(call("c1", "flow"))), this::with);
    }

    private static TurnResult.Ended ended(Belay belay) throws InterruptedException {
        return belay.session("s").input("in").orElseThrow().awaitCommit();
    }

    private static Doubt only(Belay belay) {
        return belay.doubts().open(0, 9).getFirst();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepInDoubtIsListedAndPartOfTheResultAlsoIfItsBodyCatchesIt(boolean caught) throws Exception {
        catches = caught;
        Belay belay = afterDeath();
        TurnResult.Ended result = ended(belay);
        assertThat(result.text()).startsWith(caught ? "done: not known" : "done: Error (in_doubt)");
        assertThat(result.doubts()).containsExactly(only(belay).id());
        assertThat(only(belay).about().call().step()).isEqualTo("pay");
        assertThat(only(belay).about().call().arguments()).isEqualTo(Json.number(7));
        assertThat(paid).hasValue(1);
    }

    @Test
    void aStepInDoubtIsPartOfTheResultAlsoIfAnotherProcessCommits() throws Exception {
        die();
        SessionBench.Dying second = bench.dying(calling(List.of(call("c1", "flow"))),
                (moment, write) -> moment == Moment.BEFORE && write.startsWith("commit "),
                builder -> with(builder).start(false));
        try {
            second.belay.start();
        } catch (RuntimeException | StackOverflowError died) {
            // its thread was this one
        }
        second.awaitDeath();
        Belay belay = bench.open(calling(List.of(call("c1", "flow"))), this::with);
        assertThat(ended(belay).doubts()).containsExactly(only(belay).id());
    }

    @Test
    void aListenerHearsOnceOfAStepInDoubt() throws Exception {
        die();
        Belay belay = bench.open(calling(List.of(call("c1", "flow"))),
                builder -> with(builder).start(false));
        var events = belay.session("s").events();
        belay.start();
        TurnResult.Ended result = ended(belay);
        List<TurnEvent> heard = new ArrayList<>();
        while (heard.stream().noneMatch(TurnEvent.Committed.class::isInstance)) {
            events.next(Duration.ofSeconds(30)).ifPresent(heard::add);
        }
        assertThat(heard)
                .filteredOn(event -> event instanceof TurnEvent.Call(var s, var turn, CallEvent.InDoubt in)
                        && in.doubt().equals(result.doubts().getFirst()) && !in.held())
                .hasSize(1);
    }

    @Test
    void aStepInDoubtGuardsTheResourceOfItsCall() throws Exception {
        flow = flow.exclusive("till");
        Belay belay = afterDeath();
        var unused = ended(belay);
        Belay other = bench.open(calling(List.of(call("c1", "other"))), this::with);
        assertThat(other.session("t").turn("go").run().ended().text()).contains("doubt_unsettled");
        belay.doubts().happened(only(belay).id(), Json.TRUE, "seen");
        assertThat(other.session("u").turn("go").run().ended().text()).isEqualTo("done: other");
    }

    @Test
    void theReconcilerOfAStepIsKnownToItsBodyAlone() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(belay.doubts().ask(id)).isInstanceOfSatisfying(VerbResult.NotPossible.class,
                no -> assertThat(no.reason())
                        .isEqualTo("it is about step \"pay\" of flow, whose reconciler only the body"
                                + " knows; find out at the service behind it, and say happened or didNotHappen"));
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
    }

    @Test
    void aHeldStepGoesOnWithWhatHappened() throws Exception {
        flow = flow.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        assertThat(belay.pending(null, 9).items()).singleElement().satisfies(wait -> {
            assertThat(wait.kind()).isEqualTo(PendingWait.Kind.DOUBT);
            assertThat(wait.tool()).isEqualTo("flow");
        });
        assertThat(belay.doubts().happened(only(belay).id(), Json.string("R-7"), "seen"))
                .isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: flow of R-7");
        assertThat(ended(belay).doubts()).isEmpty();
        assertThat(paid).hasValue(1);
    }

    @Test
    void aHeldStepThatDidNotHappenRunsOnceMore() throws Exception {
        flow = flow.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        assertThat(belay.doubts().didNotHappen(only(belay).id(), "no trace")).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: flow of receipt 7");
        assertThat(paid).hasValue(2);
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aHeldStepThatIsCancelledStaysInDoubt() throws Exception {
        flow = flow.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        InputHandle turn = belay.session("s").input("in").orElseThrow();
        turn.cancel("enough");
        assertThat(turn.awaitCommit().doubts()).containsExactly(only(belay).id());
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aProcessThatDiesAtAnyWriteOfAHeldStepLosesNothing(Moment moment) throws Exception {
        flow = flow.onDoubt(OnDoubt.HOLD);
        for (String write : List.of(STEP + " IN_DOUBT", "park ", "settle ",
                "effect round/1/call/0/again/step/1/pay STARTED", "effect round/1/call/0/outcome/1 COMPLETED",
                "commit ")) {
            try (var here = new SessionBench()) {
                diesAt(here, moment, write);
            }
        }
    }

    private void diesAt(SessionBench here, Moment moment, String deadly) throws Exception {
        paid.set(0);
        SessionBench.Dying first = here.dying(calling(List.of(call("c1", "flow"))),
                Death.at(Moment.BEFORE, STEP + " COMPLETED"), this::with);
        first.belay.session("s").turn("go").id("in").submit();
        first.awaitDeath();
        SessionBench.Dying second = here.dying(calling(List.of(call("c1", "flow"))),
                (when, write) -> when == moment && write.startsWith(deadly),
                builder -> with(builder).start(false));
        try {
            second.belay.start();
            settleUntil(second.belay, () -> second.isDead() || isOver(second.belay));
        } catch (RuntimeException | StackOverflowError died) {
            // its thread was this one
        }
        second.belay.close(); // a call that is settled at once does not park, and its process lives
        Belay last = here.open(calling(List.of(call("c1", "flow"))), this::with);
        settleUntil(last, () -> isOver(last));
        assertThat(ended(last).text()).as(moment + " " + deadly).startsWith("done: flow of receipt 7");
        assertThat(last.doubts().open(0, 9)).isEmpty();
        assertThat(paid).as(moment + " " + deadly).hasValue(2);
    }

    private static boolean isOver(Belay belay) {
        return belay.session("s").input("in").orElseThrow().result().isPresent();
    }

    /** Says of every doubt that it did not happen. */
    private static void settleUntil(Belay belay, BooleanSupplier done) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("waited too long").isNegative();
            belay.doubts()
                    .open(0, 9)
                    .forEach(doubt -> belay.doubts().didNotHappen(doubt.id(), "no trace"));
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }
}
