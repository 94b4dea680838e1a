package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.PATIENCE;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.1: while a turn runs elsewhere, the next checkpoint honours the request to take an input back. */
class WithdrawTest {

    private static final Actor ANNA = new Actor("anna", "test");

    private OperatorBench bench = new OperatorBench("memory", Path.of("."));
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        bench.close();
    }

    /** Is held in its first or second round, whose request may show the second input; then says what it was shown. */
    private Model held(boolean inSecondRound) {
        return model(request -> {
            boolean second = request.messages().stream().anyMatch(ToolMessage.class::isInstance);
            if (second == inSecondRound) {
                hold();
            }
            return second ? text(shown(request)) : calls(List.of(call("a", "look")));
        });
    }

    private void hold() {
        asked.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String shown(ModelRequest request) {
        return request.messages().toString().contains("Second.") ? "saw it" : "did not see it";
    }

    private static StaticToolProvider look(Runnable body) {
        return StaticToolProvider.builder().raw(SessionBench.tool("look", ToolEffect.READ), (in, context) -> {
            body.run();
            return "looked";
        }).build();
    }

    private static List<String> audit(BelayClient client) {
        return client.audit(0, 99)
                .stream()
                .map(entry -> entry.note().verb() + " " + entry.note().target())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void nextCheckpointDoesNotTakeAnInputThatAClientHasAskedBack(String where) throws Exception {
        bench = new OperatorBench(where, folder);
        Belay worker = bench.worker(held(false), builder -> builder.tools(look(() -> {})));
        InputHandle first = worker.session("s").turn("First.").submit();
        asked.await();
        BelayClient client = bench.client();
        Session session = client.as(ANNA).session("s");
        InputHandle second = session.turn("Second.").id("second").submit();
        assertThat(session.withdraw("second")).isEqualTo(VerbResult.DONE);
        assertThat(session.withdraw("second")).isEqualTo(VerbResult.ALREADY);
        assertThat(second.cancel("enough")).isInstanceOf(CancelReceipt.AlreadyRequested.class);
        go.countDown();
        assertThat(first.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("did not see it");
        assertThatThrownBy(second::awaitCommit).hasMessageContaining("it was taken back");
        assertThat(session.input("second")).isEmpty();
        assertThat(session.withdraw("second")).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(worker.session("s").head().orElseThrow().revision()).isEqualTo(1);
        assertThat(audit(client)).containsExactly("withdraw s/second");
        assertThat(session.turn("Second.").id("second").submit().awaitCommit().text()).as("given again")
                .isEqualTo("saw it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void roundThatShowsAnInputKeepsItThoughAClientAsksItBack(String where) throws Exception {
        bench = new OperatorBench(where, folder);
        var gives = new AtomicBoolean(true);
        BelayClient[] client = {null};
        Belay worker = bench.worker(held(true), builder -> builder.tools(look(() -> {
            if (gives.getAndSet(false)) {
                client[0].session("s").turn("Second.").id("second").submit();
            }
        })));
        client[0] = bench.client();
        worker.session("s").turn("First.").submit();
        asked.await();
        InputHandle second = client[0].session("s").input("second").orElseThrow();
        assertThat(second.cancel("too late")).isInstanceOf(CancelReceipt.Requested.class);
        go.countDown();
        assertThat(second.awaitCommit().text()).isEqualTo("saw it");
        assertThat(second.turn()).contains(1L);
        assertThat(audit(client[0])).containsExactly("cancel s/second");
    }

    @Test
    void workerThatDiesInAnyWriteAfterTheRequestLeavesItToTheNext() throws Exception {
        boolean died = true;
        for (int write = 1; died; write++) {
            var one = new WithdrawTest();
            died = one.diesAt(write);
            one.close();
        }
    }

    private boolean diesAt(int write) throws Exception {
        var left = new AtomicInteger(Integer.MAX_VALUE);
        var dead = new CountDownLatch(1);
        Belay worker = bench.dying(held(false), (moment, name) -> {
            if (moment == JournalProbe.Moment.AFTER && left.decrementAndGet() == 0) {
                dead.countDown();
                throw new StackOverflowError("the process dies after " + name);
            }
        }, builder -> builder.tools(look(() -> {})));
        worker.session("s").turn("First.").id("first").submit();
        asked.await();
        BelayClient client = bench.client();
        client.session("s").turn("Second.").id("second").submit();
        assertThat(client.session("s").withdraw("second")).isEqualTo(VerbResult.DONE);
        left.set(write);
        go.countDown();
        InputHandle first = client.session("s").input("first").orElseThrow();
        while (dead.getCount() > 0 && first.result().isEmpty()) {
            Thread.onSpinWait();
        }
        boolean died = dead.getCount() == 0;
        Belay next = bench.worker(held(false), builder -> builder.tools(look(() -> {})));
        assertThat(
                next.session("s").input("first").orElseThrow().await(PATIENCE).orElseThrow().ended().text())
                .as("dies after %s writes", write)
                .isEqualTo("did not see it");
        assertThat(next.session("s").turn("Third.").run().turn()).isEqualTo(2);
        assertThat(next.session("s").input("second")).isEmpty();
        return died;
    }

    @ParameterizedTest
    @EnumSource(JournalProbe.Moment.class)
    void clientThatDiesInTheRequestHasAskedOrHasNot(JournalProbe.Moment moment) throws Exception {
        Belay worker = bench.worker(held(false), builder -> builder.tools(look(() -> {})));
        InputHandle first = worker.session("s").turn("First.").submit();
        asked.await();
        BelayClient client = bench.client();
        client.session("s").turn("Second.").id("second").submit();
        BelayClient dies = bench.client((at, name) -> {
            if (at == moment && name.equals("withdraw s second")) {
                throw new StackOverflowError("the client dies");
            }
        });
        assertThatThrownBy(() -> dies.session("s").withdraw("second")).isNotNull();
        boolean written = moment == JournalProbe.Moment.AFTER;
        assertThat(audit(client)).hasSize(written ? 1 : 0);
        go.countDown();
        assertThat(first.await(PATIENCE).orElseThrow().ended().text())
                .isEqualTo(written ? "did not see it" : "saw it");
    }
}
