package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Timeouts;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract G.3 and V.3: a call that may have happened is listed, guards against itself, and is settled once. */
class DoubtsTest {

    private static final Death AT_THE_END = Death.at(Moment.BEFORE,
            "effect round/1/call/0/attempt/1 COMPLETED");
    private static final String PAY = "{\"to\":\"ann\"}";

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger paid = new AtomicInteger();
    private final LinkedBlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    /** Idempotency keys that the service behind the tool was given. */
    private final LinkedBlockingQueue<String> keys = new LinkedBlockingQueue<>();
    private ToolDefinition pay = ToolDefinition.raw("pay", "Pays.", Json.of("""
            {"type": "object", "properties": {"to": {"type": "string"}}}"""),
            Json.of("{\"type\": \"string\"}"));

    @AfterEach
    void close() {
        bench.close();
    }

    private StaticToolProvider tools() {
        return StaticToolProvider.builder().raw(pay, (arguments, context) -> {
            paid.incrementAndGet();
            keys.add(context.idempotencyKey().value());
            tokens.add(context.completionKey().token());
            return "paid";
        }).raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen").build();
    }

    /** Makes the call that the user names, such as {@code pay {...}}, and says what came of it; told something else, says what it heard. */
    private static Model doing() {
        return model(request -> {
            if (request.messages().getLast() instanceof Message.UserMessage) {
                String[] words = asked(request).split(" ", 2);
                return words[0].equals("pay") || words[0].equals("look")
                        ? calls(List.of(new CallPart("c" + request.messages().size(), words[0], words[1])))
                        : text(heard(request));
            }
            return text("done: " + SessionBench.lastReplies(request));
        });
    }

    /** The last thing that the user said. */
    private static String asked(ModelRequest request) {
        return request.messages()
                .reversed()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .filter(said -> !said.startsWith("Note "))
                .findFirst()
                .orElseThrow();
    }

    private static String heard(ModelRequest request) {
        return request.messages()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .filter(said -> !said.startsWith("pay ") && !said.startsWith("look "))
                .collect(Collectors.joining(" | "));
    }

    private BelayBuilder with(BelayBuilder builder) {
        return builder.tools(tools()).parkAfter(Duration.ZERO);
    }

    /** A runtime after one that died while it paid; the turn goes on in it. */
    private Belay afterDeath() throws Exception {
        SessionBench.Dying dying = bench.dying(doing(), AT_THE_END, this::with);
        dying.belay.session("s").turn("pay " + PAY).id("in").submit();
        dying.awaitDeath();
        return bench.open(doing(), this::with);
    }

    private static TurnResult.Ended ended(Belay belay) throws InterruptedException {
        return belay.session("s").input("in").orElseThrow().awaitCommit();
    }

    private static Doubt only(Belay belay) {
        return belay.doubts().open(0, 9).getFirst();
    }

    @Test
    void aCallThatMayHaveHappenedIsListedAndPartOfTheResult() throws Exception {
        Belay belay = afterDeath();
        TurnResult.Ended result = ended(belay);
        assertThat(result.text()).startsWith("done: Error (in_doubt)")
                .contains("its effect may have happened");
        assertThat(belay.doubts().open(0, 9)).singleElement().satisfies(doubt -> {
            assertThat(result.doubts()).containsExactly(doubt.id());
            assertThat(doubt.about().call().session()).isEqualTo("s");
            assertThat(doubt.about().call().turn()).isEqualTo(1);
            assertThat(doubt.about().call().name()).isEqualTo("pay");
            assertThat(doubt.about().call().arguments()).isEqualTo(Json.of(PAY));
            assertThat(doubt.about().call().id()).isEqualTo("c1");
            assertThat(doubt.about().call().tool()).isEqualTo(pay.id());
            assertThat(doubt.about().call().fingerprint()).isEqualTo(pay.fingerprint().value());
            assertThat(Objects.requireNonNull(doubt.about().call().output()).get("schema"))
                    .contains(Json.of("{\"type\": \"string\"}"));
            assertThat(doubt.about().call().idempotencyKey()).isEqualTo(keys.element());
            assertThat(doubt.about().code()).isEqualTo("in_doubt");
            assertThat(doubt.isOpen()).isTrue();
            assertThat(belay.doubts().open(doubt.place(), 9)).isEmpty();
        });
        assertThat(paid).hasValue(1);
    }

    @Test
    void aListenerHearsOfTheDoubt() throws Exception {
        SessionBench.Dying dying = bench.dying(doing(), AT_THE_END, this::with);
        dying.belay.session("s").turn("pay " + PAY).id("in").submit();
        dying.awaitDeath();
        Belay belay = bench.open(doing(), builder -> with(builder).start(false));
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
    void theSameCallIsRefusedUntilTheDoubtIsSettledAndTheModelMayLook() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(belay.session("s").turn("pay " + PAY).run().ended().text())
                .contains("Error (doubt_unsettled)")
                .contains(id);
        assertThat(belay.session("s").turn("pay {\"to\": \"ann\"}").run().ended().text())
                .as("the same arguments, written otherwise")
                .contains("doubt_unsettled");
        assertThat(paid).hasValue(1);
        assertThat(belay.session("s").turn("look {}").run().ended().text()).isEqualTo("done: seen");
        assertThat(belay.session("s").turn("pay {\"to\":\"bob\"}").run().ended().text())
                .isEqualTo("done: paid");
        assertThat(belay.session("other").turn("pay " + PAY).run().ended().text()).isEqualTo("done: paid");
        assertThat(belay.doubts().didNotHappen(id, "the bank says so")).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").turn("pay " + PAY).run().ended().text()).isEqualTo("done: paid");
        assertThat(paid).hasValue(4);
    }

    @Test
    void aForkIsGuardedToo() throws Exception {
        Belay belay = afterDeath();
        var unused = ended(belay);
        assertThat(belay.session("s").fork("f").turn("pay " + PAY).run().ended().text())
                .contains("doubt_unsettled");
        assertThat(belay.session("s").fork("g", 0).turn("pay " + PAY).run().ended().text())
                .contains("doubt_unsettled");
    }

    @Test
    void aCallOfTheSameResourceIsRefusedAnywhere() throws Exception {
        pay = ToolDefinition.raw("pay", "Pays.", Json.of("""
                {"type": "object", "properties": {"to": {"type": "string"}, "n": {"type": "integer"}},
                 "required": ["to"]}""")).exclusive("account:{to}");
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(only(belay).about().resource()).isEqualTo("account:ann");
        assertThat(belay.session("other").turn("pay {\"to\":\"ann\",\"n\":2}").run().ended().text())
                .contains("doubt_unsettled");
        assertThat(belay.session("other").turn("pay {\"to\":\"bob\"}").run().ended().text())
                .isEqualTo("done: paid");
        belay.doubts().happened(id, Json.string("paid"), "seen");
        assertThat(belay.session("other").turn("pay {\"to\":\"ann\",\"n\":2}").run().ended().text())
                .isEqualTo("done: paid");
    }

    @Test
    void whatHappenedIsToldToTheModelOnceAndLiftsTheGuard() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(belay.doubts().as(new Actor("anna", "test")).happened(id, Json.string("R-7"), "seen"))
                .isEqualTo(VerbResult.DONE);
        assertThat(belay.doubts().open(0, 9)).isEmpty();
        String note = "Note (tool_late): pay (call c1) was given up in turn 1 and has ended after all: R-7";
        assertThat(belay.session("s").turn("And?").run().ended().text()).isEqualTo("And? | " + note);
        assertThat(belay.session("s").turn("So?").run().ended().text())
                .isEqualTo("And? | " + note + " | So?");
        assertThat(belay.session("s").turn("pay " + PAY).run().ended().text()).isEqualTo("done: paid");
        assertThat(belay.doubts().find(id).orElseThrow().settlement()).satisfies(settled -> {
            assertThat(Objects.requireNonNull(settled).by()).isEqualTo(new Actor("anna", "test"));
            assertThat(settled.truth())
                    .isEqualTo(Reconciliation.happened(new ToolOutcome.Success(Json.string("R-7"))));
        });
        assertThat(belay.audit(0, 9)).singleElement().satisfies(entry -> {
            assertThat(entry.note().by()).isEqualTo(new Actor("anna", "test"));
            assertThat(entry.note().verb()).isEqualTo("settle");
            assertThat(entry.note().target()).isEqualTo("doubt/" + id);
            assertThat(entry.note().details())
                    .isEqualTo(Json.of("{\"happened\":\"R-7\",\"reason\":\"seen\"}"));
        });
    }

    @Test
    void theFirstSettlementCounts() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(belay.doubts().didNotHappen(id, "no trace")).isEqualTo(VerbResult.DONE);
        assertThat(belay.doubts().didNotHappen(id, "no trace")).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.doubts().happened(id, Json.string("R-7"), "seen"))
                .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                        no -> assertThat(no.reason()).contains("did not happen: no trace"));
        assertThat(belay.doubts().happened("nothing", Json.TRUE, "?"))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(belay.audit(0, 9)).hasSize(1);
    }

    @Test
    void anOutputThatDoesNotFitTheToolIsRefused() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(belay.doubts().happened(id, Json.number(7), "seen"))
                .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                        no -> assertThat(no.reason()).contains("string"));
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
    }

    @Test
    void aWebhookThatComesAfterTheCommitSettlesTheDoubt() throws Exception {
        Belay belay = afterDeath();
        var unused = ended(belay);
        String token = tokens.take();
        assertThat(belay.resolve(token, Resolution.ok(Json.number(9)))).as("does not fit the tool")
                .isInstanceOf(Delivery.Refused.class);
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
        assertThat(belay.resolve(token, Resolution.ok(Json.string("R-9"))))
                .isEqualTo(new Delivery.Accepted());
        assertThat(belay.doubts().open(0, 9)).isEmpty();
        assertThat(belay.session("s").turn("And?").run().ended().text()).endsWith("has ended after all: R-9");
        assertThat(belay.resolve(token, Resolution.ok(Json.string("R-9")))).isEqualTo(new Delivery.Same());
    }

    @Test
    void aHeldCallEndsWithWhatHappened() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        InputHandle turn = belay.session("s").input("in").orElseThrow();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        assertThat(turn.result()).isEmpty();
        assertThat(belay.doubts().happened(only(belay).id(), Json.string("R-7"), "seen"))
                .isEqualTo(VerbResult.DONE);
        assertThat(turn.awaitCommit().text()).isEqualTo("done: R-7");
        assertThat(turn.awaitCommit().doubts()).isEmpty();
        assertThat(belay.session("s").turn("And?").run().ended().text()).as("not told again")
                .isEqualTo("And?");
        assertThat(paid).hasValue(1);
    }

    @Test
    void aHeldCallThatDidNotHappenRunsOnceMore() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay first = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        first.close();
        Belay belay = bench.open(doing(), this::with);
        assertThat(belay.doubts().didNotHappen(only(belay).id(), "no trace")).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: paid");
        assertThat(paid).hasValue(2);
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aHeldCallThatIsCancelledStaysInDoubt() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        InputHandle turn = belay.session("s").input("in").orElseThrow();
        turn.cancel("enough");
        assertThat(turn.awaitCommit().doubts()).containsExactly(only(belay).id());
        assertThat(belay.session("s").turn("pay " + PAY).run().ended().text()).contains("doubt_unsettled");
    }

    @Test
    void aHeldCallIsPendingAndHasNoKey() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        assertThat(belay.pending(null, 9).items()).singleElement().satisfies(wait -> {
            assertThat(wait.kind()).isEqualTo(PendingWait.Kind.DOUBT);
            assertThat(wait.tool()).isEqualTo("pay");
            assertThat(wait.arguments()).isEqualTo(Json.of(PAY));
            assertThatThrownBy(() -> belay.reissue(wait.keyId()))
                    .hasMessageContaining("settle it by its doubt");
        });
    }

    @Test
    void aSessionSaysThatItWaitsForADoubt() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeath();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        assertThat(belay.sessions(null, 9).items()).singleElement()
                .satisfies(entry -> assertThat(Objects.requireNonNull(entry.waits()).what())
                        .isEqualTo(WaitsFor.For.DOUBT));
    }

    @Test
    void aSessionInDoubtIsDeletedOnlyOnDemandAndItsDoubtStaysListed() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        assertThat(belay.session("s").delete()).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(belay.session("s").head()).isPresent();
        assertThat(belay.session("s").deleteEvenInDoubt()).isEqualTo(VerbResult.DONE);
        assertThat(only(belay).id()).isEqualTo(id);
        assertThat(belay.doubts().happened(id, Json.string("R-7"), "seen")).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").head()).as("is not made again").isEmpty();
    }

    @Test
    void anImportHasNoDoubts() throws Exception {
        Belay belay = afterDeath();
        var unused = ended(belay);
        var lines = new StringBuilder();
        belay.session("s").export(lines);
        belay.importSession(new StringReader(lines.toString()), "copy");
        assertThat(belay.audit(0, 9)).extracting(entry -> entry.note().verb()).containsExactly("import");
        assertThat(belay.session("copy").turn("pay " + PAY).run().ended().text()).isEqualTo("done: paid");
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
    }

    @Test
    void anAbandonedCallIsInDoubt() throws Exception {
        pay = pay.reconciler(recorded -> {
            throw new StackOverflowError("it dies while it asks");
        });
        SessionBench.Dying first = bench.dying(doing(), AT_THE_END, this::with);
        first.belay.session("s").turn("pay " + PAY).id("in").submit();
        first.awaitDeath();
        var asks = new Death(Moment.BEFORE, "effect round/1/call/0/attempt/1 IN_DOUBT", 1);
        pay = pay.reconciler(recorded -> Reconciliation.unknown());
        while (bench.dies(doing(), asks, tools())) {
            // until it is stuck
        }
        Belay belay = bench.open(doing(), this::with);
        StuckTurn stuck = belay.stuck().getFirst();
        belay.abandon(stuck, "no use");
        assertThat(ended(belay).doubts()).containsExactly(only(belay).id());
        assertThat(only(belay).about().why()).contains("no use");
        assertThat(belay.session("s").turn("pay " + PAY).run().ended().text()).contains("doubt_unsettled");
        belay.doubts().didNotHappen(only(belay).id(), "no trace");
        assertThat(belay.session("s").turn("pay " + PAY).run().ended().text()).isEqualTo("done: paid");
    }

    /** A body that does not care whether its call is over. */
    private StaticToolProvider deaf(CountDownLatch entered, CountDownLatch released) {
        return StaticToolProvider.builder().raw(pay, (arguments, context) -> {
            paid.incrementAndGet();
            entered.countDown();
            while (true) {
                try {
                    released.await();
                    return "paid";
                } catch (InterruptedException e) {
                    // goes on
                }
            }
        }).build();
    }

    @Test
    void whatDidNotHappenIsNotRunTwiceWhileItsFirstBodyMayRun() throws Exception {
        pay = pay.reconciler(recorded -> Reconciliation.didNotHappen("the bank has no such payment"));
        var entered = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        Belay first = bench.open(doing(), builder -> builder.tools(deaf(entered, released)));
        first.session("s").turn("pay " + PAY).id("in").submit();
        entered.await();
        first.close(Duration.ZERO);
        Belay belay = bench.open(doing(), this::with);
        assertThat(ended(belay).text()).contains("Error (did_not_happen)")
                .contains("the bank has no such payment");
        assertThat(belay.doubts().open(0, 9)).isEmpty();
        assertThat(paid).hasValue(1);
        released.countDown();
    }

    /** A pause that holds a turn whose process has died does not make that process one that may live. */
    @Test
    void whatDidNotHappenRunsOnceMoreAlsoIfAPauseWasInBetween() throws Exception {
        pay = pay.reconciler(recorded -> Reconciliation.didNotHappen("the bank has no such payment"));
        SessionBench.Dying dying = bench.dying(doing(), AT_THE_END, this::with);
        dying.belay.session("s").turn("pay " + PAY).id("in").submit();
        dying.awaitDeath();
        Belay belay = bench.open(doing(), builder -> with(builder).start(false));
        belay.pause(Target.session("s"), "wait");
        belay.start();
        bench.awaitWriteThat(write -> write.startsWith("take "));
        assertThat(belay.session("s").input("in").orElseThrow().result()).isEmpty();
        belay.unpause(Target.session("s"), "go on");
        assertThat(ended(belay).text()).isEqualTo("done: paid");
        assertThat(paid).hasValue(2);
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aPersonsWordRunsNoHeldCallWhileItsFirstBodyMayRun() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        var entered = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        Belay first = bench.open(doing(), builder -> builder.tools(deaf(entered, released)));
        first.session("s").turn("pay " + PAY).id("in").submit();
        entered.await();
        first.close(Duration.ZERO);
        Belay belay = bench.open(doing(), this::with);
        bench.awaitWriteThat(write -> write.startsWith("park "));
        assertThat(belay.doubts().didNotHappen(only(belay).id(), "no trace")).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).contains("Error (did_not_happen)").contains("no trace");
        assertThat(paid).hasValue(1);
        released.countDown();
    }

    @Test
    void aHeldCallEndsWithTheLateAnswerOfItsBodyWhichIsToldOnce() throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD).timeouts(new Timeouts(Duration.ofMillis(50), null));
        var entered = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        Belay belay = bench.open(doing(),
                builder -> builder.tools(deaf(entered, released)).parkAfter(Duration.ZERO));
        belay.session("s").turn("pay " + PAY).id("in").submit();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        released.countDown();
        assertThat(ended(belay).text()).isEqualTo("done: paid");
        assertThat(belay.doubts().open(0, 9)).isEmpty();
        // the notice, if there were one, comes after the write of the late result
        bench.awaitWriteThat(write -> write.startsWith("late "));
        belay.close();
        Belay next = bench.open(doing(), this::with);
        assertThat(next.session("s").turn("And?").run().ended().text()).isEqualTo("And?");
    }

    @Test
    void aProcessThatDiesAtTheSettlementLeavesItWholeOrUndone() throws Exception {
        Belay belay = afterDeath();
        String id = ended(belay).doubts().getFirst();
        for (Moment moment : Moment.values()) {
            SessionBench.Dying dying = bench.dying(doing(), Death.at(moment, "settle " + id), this::with);
            try {
                dying.belay.doubts().happened(id, Json.string("R-7"), "seen");
            } catch (RuntimeException | StackOverflowError died) {
                // its answer is lost
            }
            dying.awaitDeath();
            boolean settled = belay.doubts().open(0, 9).isEmpty();
            assertThat(settled).isEqualTo(moment == Moment.AFTER);
            assertThat(belay.audit(0, 9)).hasSize(settled ? 1 : 0);
        }
        assertThat(belay.session("s").turn("And?").run().ended().text()).endsWith("has ended after all: R-7");
    }
}
