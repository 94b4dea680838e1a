package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.until;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A body dies with its process, and so do the processes after it before they have written its doubt. */
class ManyDeathsTest {

    private static final String ATTEMPT = "effect round/1/call/0/attempt/1 ";

    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of("."));
    private final AtomicInteger paid = new AtomicInteger();
    private Reconciliation<ToolOutcome> truth = Reconciliation.unknown();
    private boolean isDown;
    private ToolDefinition pay = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"),
            Json.of("{\"type\": \"string\"}")).reconciler(this::reconcile);

    @AfterEach
    void close() {
        bench.close();
    }

    private Reconciliation<ToolOutcome> reconcile(RecordedCall recorded) {
        if (isDown) {
            throw new IllegalStateException("the bank does not answer");
        }
        return truth;
    }

    private BelayBuilder with(BelayBuilder builder) {
        return builder.parkAfter(Duration.ZERO)
                .drain(Duration.ZERO)
                .tools(StaticToolProvider.builder()
                        .raw(pay, (arguments, context) -> "paid " + paid.incrementAndGet())
                        .build());
    }

    /** A process that dies at a write, after it was told something. */
    private void dies(BiPredicate<Moment, String> death, boolean begins) throws InterruptedException {
        var dead = new CountDownLatch(1);
        Belay belay = bench.dying(calling(List.of(call("c1", "pay"))), (moment, write) -> {
            if (death.test(moment, write)) {
                dead.countDown();
                throw new StackOverflowError("the process dies at " + moment + " " + write);
            }
        }, builder -> with(builder).start(false));
        try {
            if (begins) {
                belay.session("s").turn("go").id("in").submit();
            }
            belay.start();
        } catch (RuntimeException | StackOverflowError died) {
            // its thread was this one
        }
        assertThat(dead.await(OperatorBench.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        belay.close();
    }

    private static boolean isEnd(Moment moment, String write) {
        return moment == Moment.BEFORE && write.startsWith(ATTEMPT) && !write.endsWith("STARTED");
    }

    /** The first process dies when its body has run, the others before they record what they found; one more goes on. */
    private Belay afterDeaths(String where, int deaths) throws InterruptedException {
        bench = new OperatorBench(where, folder);
        for (int n = 0; n < deaths; n++) {
            dies(ManyDeathsTest::isEnd, n == 0);
        }
        assertThat(paid).hasValue(1);
        return bench.worker(calling(List.of(call("c1", "pay"))), this::with);
    }

    private static String ended(Belay belay) throws InterruptedException {
        return belay.session("s").input("in").orElseThrow().awaitCommit().text();
    }

    private static Doubt only(Belay belay) {
        until(() -> !belay.doubts().open(0, 9).isEmpty());
        return belay.doubts().open(0, 9).getFirst();
    }

    @ParameterizedTest
    @CsvSource({"memory, 2", "memory, 4", "sqlite, 2", "sqlite, 4"})
    void callThatItsReconcilerDeniesRunsOnceMore(String where, int deaths) throws Exception {
        bench = new OperatorBench(where, folder);
        dies(ManyDeathsTest::isEnd, true);
        truth = Reconciliation.didNotHappen("the bank has no such payment");
        // the reconciler has said so, and its answer is lost with its process before the call starts again
        for (int n = 1; n < deaths; n++) {
            dies((moment, write) -> moment == Moment.BEFORE && write.equals(ATTEMPT + "STARTED"), false);
        }
        Belay belay = bench.worker(calling(List.of(call("c1", "pay"))), this::with);
        assertThat(ended(belay)).isEqualTo("done: paid 2");
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"memory, 2", "memory, 4", "sqlite, 2", "sqlite, 4"})
    void heldCallThatAPersonDeniesRunsOnceMore(String where, int deaths) throws Exception {
        pay = pay.onDoubt(OnDoubt.HOLD);
        Belay belay = afterDeaths(where, deaths);
        Doubt doubt = only(belay);
        assertThat(doubt.about().isOver()).isTrue();
        assertThat(belay.doubts().didNotHappen(doubt.id(), "the bank has none")).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay)).isEqualTo("done: paid 2");
    }

    @ParameterizedTest
    @CsvSource({"memory, 2", "memory, 4", "sqlite, 2", "sqlite, 4"})
    void listSaysThatTheBodyIsOver(String where, int deaths) throws Exception {
        Belay belay = afterDeaths(where, deaths);
        assertThat(ended(belay)).contains("in_doubt");
        assertThat(only(belay).about().isOver()).isTrue();
        assertThat(bench.client().doubts().find(only(belay).id()).orElseThrow().about().isOver()).isTrue();
    }

    /** A reconciler that throws is asked again later, by a process that did not find the call started. */
    @ParameterizedTest
    @CsvSource({"memory, 2", "sqlite, 3"})
    void callWhoseReconcilerWasDownRunsOnceMore(String where, int deaths) throws Exception {
        isDown = true;
        bench = new OperatorBench(where, folder);
        for (int n = 0; n < deaths; n++) {
            dies(ManyDeathsTest::isEnd, n == 0);
        }
        dies((moment, write) -> moment == Moment.AFTER && write.equals(ATTEMPT + "COMPLETED"), false);
        isDown = false;
        truth = Reconciliation.didNotHappen("the bank has no such payment");
        Belay belay = bench.worker(calling(List.of(call("c1", "pay"))), this::with);
        assertThat(ended(belay)).isEqualTo("done: paid 2");
    }
}
