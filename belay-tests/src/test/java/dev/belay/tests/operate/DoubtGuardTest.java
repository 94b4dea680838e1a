package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.PATIENCE;
import static dev.belay.tests.operate.OperatorBench.until;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Actor;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Timeouts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract G.3 and V.3: whom a doubt guards, and who may settle it. */
class DoubtGuardTest {

    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of("."));
    private final AtomicBoolean breaks = new AtomicBoolean(true);
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    /** Makes the call that the user names; says what came of it. */
    private static Model doing() {
        return model(request -> request.messages().getLast() instanceof UserMessage
                ? calls(List.of(new CallPart("c" + request.messages().size(), asked(request), "{}")))
                : text(SessionBench.lastReplies(request)));
    }

    /** The last thing that the user said; notes are of the runtime. */
    private static String asked(ModelRequest request) {
        return request.messages()
                .reversed()
                .stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).text())
                .filter(said -> !said.startsWith("Note "))
                .findFirst()
                .orElseThrow();
    }

    /** A tool whose first body leaves no answer, and one that has it called in a child session. */
    private StaticToolProvider paying() {
        return StaticToolProvider.builder().raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
            if (breaks.getAndSet(false)) {
                throw new InternalError("broken");
            }
            return "paid";
        })
                .raw(tool("delegate", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> inChild(context, "pay"))
                .raw(tool("below", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> inChild(context, "delegate"))
                .build();
    }

    private static String inChild(ToolContext context, String asked) throws InterruptedException {
        return ((SessionToolContext) context).sessions().create("helper").turn("t", asked).await().text();
    }

    private static String said(Session session, String asked) throws InterruptedException {
        return session.turn(asked).run().ended().text();
    }

    @Test
    void childrenOfTheSessionAreGuardedAtAnyDepth() throws Exception {
        Belay belay = bench.worker(doing(), builder -> builder.tools(paying()));
        Session session = belay.session("s");
        assertThat(session.turn("pay").run().ended().doubts()).hasSize(1);
        assertThat(said(session, "delegate")).contains("doubt_unsettled");
        assertThat(said(session, "below")).contains("doubt_unsettled");
        assertThat(said(belay.session("other"), "delegate")).as("another family").isEqualTo("paid");
        belay.doubts().didNotHappen(belay.doubts().open(0, 9).getFirst().id(), "no trace");
        assertThat(said(session, "delegate")).isEqualTo("paid");
    }

    @Test
    void doubtOfAChildGuardsTheSessionAboveIt() throws Exception {
        Belay belay = bench.worker(doing(), builder -> builder.tools(paying()));
        said(belay.session("s"), "delegate");
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
        assertThat(said(belay.session("s"), "pay")).contains("doubt_unsettled");
    }

    @Test
    void forkHasNoDoubtOfItsOwn() throws Exception {
        Belay belay = bench.worker(doing(), builder -> builder.tools(paying()));
        said(belay.session("s"), "pay");
        Session fork = belay.session("s").fork("fork");
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
        assertThat(fork.delete()).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").delete()).isInstanceOf(VerbResult.NotPossible.class);
    }

    /** A body that does not end in time. */
    private StaticToolProvider held(ToolDefinition pay) {
        return StaticToolProvider.builder().raw(pay, (arguments, context) -> {
            while (true) {
                try {
                    released.await();
                    return "too late";
                } catch (InterruptedException e) {
                    // goes on
                }
            }
        }).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void clientSettlesADoubtAndTheHeldCallGoesOnInItsWorker(String where) throws Exception {
        bench = new OperatorBench(where, folder);
        var pay = tool("pay", ToolEffect.ONCE).onDoubt(OnDoubt.HOLD)
                .timeouts(new Timeouts(Duration.ofMillis(20), null));
        Belay worker = bench.worker(doing(), builder -> builder.tools(held(pay)));
        InputHandle input = worker.session("s").turn("pay").submit();
        try (BelayClient client = bench.client()) {
            until(() -> !client.doubts().open(0, 9).isEmpty());
            String id = client.doubts().open(0, 9).getFirst().id();
            BelayClient anna = client.as(new Actor("anna", "console"));
            assertThat(anna.doubts().happened(id, Json.string("R-7"), "seen at the bank"))
                    .isEqualTo(VerbResult.DONE);
            assertThat(input.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("R-7");
            assertThat(client.audit(0, 9)).singleElement()
                    .satisfies(
                            entry -> assertThat(entry.note().by()).isEqualTo(new Actor("anna", "console")));
        }
    }
}
