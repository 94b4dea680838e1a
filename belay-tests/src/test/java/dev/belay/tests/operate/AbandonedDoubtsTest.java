package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract V.3: work that is abandoned after it was started, and that must not be repeated, is in doubt. */
class AbandonedDoubtsTest {

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger paid = new AtomicInteger();

    @AfterEach
    void close() {
        bench.close();
    }

    private BelayBuilder with(BelayBuilder builder) {
        return builder.tools(StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                    paid.incrementAndGet();
                    return "paid";
                })
                .raw(tool("behind", ToolEffect.IDEMPOTENT), (arguments, context) -> {
                    var unused = ((SessionToolContext) context).processes()
                            .start("pay", ProcessStart.tool("pay", Json.EMPTY_OBJECT));
                    return "begun";
                })
                .raw(tool("flow", ToolEffect.ONCE).resumable(true), (arguments, context) -> context.durable()
                        .run("pay", Json.number(7), input -> {
                            paid.incrementAndGet();
                            return Json.TRUE;
                        }))
                .build()).parkAfter(Duration.ZERO);
    }

    /** Begins something in a process that dies before the record of its end, and lets others die until it is stuck. */
    private Belay stuck(String tool, String started, Consumer<Belay> begin) throws Exception {
        SessionBench.Dying first = bench.dying(calling(List.of(call("c1", tool))),
                Death.at(Moment.BEFORE, started + " COMPLETED"), this::with);
        begin.accept(first.belay);
        first.awaitDeath();
        boolean stuck = false;
        while (!stuck) {
            SessionBench.Dying next = bench.dying(calling(List.of(call("c1", tool))),
                    Death.at(Moment.BEFORE, started + " IN_DOUBT"), builder -> with(builder).start(false));
            try {
                next.belay.start();
                while (!next.isDead() && !stuck) {
                    stuck = isStuck(next.belay);
                    LockSupport.parkNanos(SessionBench.A_MOMENT);
                }
            } catch (RuntimeException | StackOverflowError died) {
                // its thread was this one: it was started, or asked
            }
            next.belay.close();
        }
        return bench.open(calling(List.of(call("c1", tool))), this::with);
    }

    private static boolean isStuck(Belay belay) {
        return !belay.stuck().isEmpty() || !belay.processes().stuck().isEmpty() || belay.calls()
                .state("b")
                .filter(state -> state.status() == ScopeState.Status.STUCK)
                .isPresent();
    }

    private static Doubt only(Belay belay) {
        return belay.doubts().open(0, 9).getFirst();
    }

    @Test
    void anAbandonedTurnIsInDoubtAboutAStartedStepAndSaysSo() throws Exception {
        Belay belay = stuck("flow", "effect round/1/call/0/step/1/pay",
                first -> first.session("s").turn("go").id("in").submit());
        var events = belay.session("s").events();
        assertThat(belay.abandon(belay.stuck().getFirst(), "no use")).isEqualTo(VerbResult.DONE);
        TurnResult.Ended result = belay.session("s").input("in").orElseThrow().awaitCommit();
        assertThat(result.doubts()).containsExactly(only(belay).id());
        assertThat(only(belay).about().call().step()).isEqualTo("pay");
        assertThat(only(belay).about().call().arguments()).isEqualTo(Json.number(7));
        assertThat(only(belay).about().why()).contains("no use");
        assertThat(only(belay).about().isOver()).as("its process is dead").isTrue();
        List<TurnEvent> heard = new ArrayList<>();
        while (heard.stream().noneMatch(TurnEvent.Committed.class::isInstance)) {
            events.next(Duration.ofSeconds(30)).ifPresent(heard::add);
        }
        assertThat(heard)
                .filteredOn(event -> event instanceof TurnEvent.Call(var s, var turn, CallEvent.InDoubt in)
                        && in.doubt().equals(result.doubts().getFirst()) && in.call().tool().equals("flow"))
                .hasSize(1);
        assertThat(belay.session("s").turn("again").run().ended().text()).as("guards")
                .contains("doubt_unsettled");
        assertThat(paid).hasValue(1);
    }

    @Test
    void anAbandonedBatchIsInDoubtAboutAStartedCall() throws Exception {
        Belay belay = stuck("pay", "effect call/0/attempt/1",
                first -> first.calls().submit("b", List.of(new CallRequest("pay", "{}"))));
        DurableCalls anna = belay.calls().as(new Actor("anna", "test"));
        assertThat(anna.abandon("b", "no use")).isEqualTo(VerbResult.DONE);
        assertThat(anna.abandon("b", "no use")).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.audit(0, 9)).singleElement()
                .extracting(AuditEntry::note)
                .isEqualTo(AuditEntry.Note.of(new Actor("anna", "test"), "abandon", "batch b", "no use"));
        assertThat(belay.calls().join("b").orElseThrow()).singleElement()
                .satisfies(outcome -> assertThat(outcome.code()).contains("in_doubt"));
        assertThat(only(belay).scope().value()).isEqualTo("b");
        assertThat(only(belay).about().why()).contains("no use");
        assertThat(only(belay).about().isOver()).as("its process is dead").isTrue();
        assertThat(belay.doubts().happened(only(belay).id(), Json.string("R-7"), "seen"))
                .isEqualTo(VerbResult.DONE);
    }

    @Test
    void anAbandonedProcessIsInDoubtAboutAStartedCall() throws Exception {
        Belay belay = stuck("pay", "effect call/0/attempt/1", first -> first.processes()
                .start(ProcessStart.tool("pay", Json.EMPTY_OBJECT).id("p")));
        assertThat(belay.processes().abandon(new ProcessId("p"), "no use")).isEqualTo(VerbResult.DONE);
        assertThat(only(belay).about().call().name()).isEqualTo("pay");
        assertThat(only(belay).about().why()).contains("no use");
        assertThat(only(belay).about().isOver()).as("its process is dead").isTrue();
    }

    @Test
    void anAbandonedProcessOfASessionGuardsItsCalls() throws Exception {
        Belay belay = stuck("behind", "effect call/0/attempt/1", first -> {
            first.pause(Target.tool("pay"), "until the turn is committed");
            var input = first.session("s").turn("go").submit();
            OperatorBench.until(() -> input.result().isPresent());
            first.unpause(Target.tool("pay"), "go on");
        });
        assertThat(belay.processes().abandon(belay.processes().stuck().getFirst().id(), "no use"))
                .isEqualTo(VerbResult.DONE);
        assertThat(only(belay).about().call().session()).isEqualTo("s");
        Belay paying = bench.open(calling(List.of(call("c1", "pay"))), this::with);
        assertThat(paying.session("s").turn("again").run().ended().text()).contains(only(belay).id());
        assertThat(paid).hasValue(1);
    }

    @Test
    void aProcessThatDiesWhileItAbandonsLeavesTheDoubtWithTheEndOrNeither() throws Exception {
        Belay belay = stuck("pay", "effect call/0/attempt/1",
                first -> first.calls().submit("b", List.of(new CallRequest("pay", "{}"))));
        for (Moment moment : Moment.values()) {
            SessionBench.Dying dying = bench.dying(calling(List.of(call("c1", "pay"))),
                    Death.at(moment, "abandon b"), this::with);
            try {
                dying.belay.calls().abandon("b", "no use");
            } catch (RuntimeException | StackOverflowError died) {
                // its answer is lost
            }
            dying.awaitDeath();
            boolean ended = belay.calls().state("b").orElseThrow().result() != null;
            assertThat(ended).isEqualTo(moment == Moment.AFTER);
            assertThat(belay.doubts().open(0, 9)).hasSize(ended ? 1 : 0);
        }
    }
}
