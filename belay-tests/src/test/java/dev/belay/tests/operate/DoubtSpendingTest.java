package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.DirectModel.DirectRequest;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract P.5 and V.3: what a body has spent counts in its turn, also if it gives no answer. */
@Timeout(60)
class DoubtSpendingTest {

    private static final Message QUESTION = Message.user("Is it so?");

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final CountDownLatch spent = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ToolDefinition pay = tool("pay", ToolEffect.ONCE)
            .timeouts(new Timeouts(Duration.ofMinutes(1), null));

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    /** A turn whose call asks a model, and then does not end in time. */
    private InputHandle begun(ToolDefinition definition) throws Exception {
        Model calling = calling(List.of(call("c", "pay")));
        Model both = model(request -> request.messages().getFirst().equals(QUESTION)
                ? text("yes")
                : calling.complete(request, event -> {}));
        Belay belay = bench.open(both, builder -> builder.time(time)
                .parkAfter(Duration.ZERO)
                .tools(StaticToolProvider.builder().raw(definition, (arguments, context) -> {
                    ((SessionToolContext) context).model().complete(DirectRequest.of(QUESTION), "pay");
                    spent.countDown();
                    while (true) {
                        try {
                            released.await();
                            return "too late";
                        } catch (InterruptedException e) {
                            // goes on
                        }
                    }
                }).build()));
        InputHandle input = belay.session("s").turn("Go.").submit();
        spent.await();
        return input;
    }

    private static void assertAllIsCounted(TurnResult.Ended result) {
        assertThat(result.usage()).as("two rounds, and the question of the body")
                .isEqualTo(Usage.of(7, 3).plus(Usage.of(10, 5)).plus(Usage.of(10, 5)));
    }

    @Test
    void whatACallInDoubtHasSpentCounts() throws Exception {
        TurnResult.Ended result = time.during(begun(pay)::awaitCommit);
        assertThat(result.doubts()).hasSize(1);
        assertAllIsCounted(result);
    }

    @Test
    void whatAHeldCallHasSpentCounts() throws Exception {
        InputHandle input = begun(pay.onDoubt(OnDoubt.HOLD));
        time.during(() -> bench.awaitWriteThat(write -> write.startsWith("park ")));
        Belay second = bench.open(calling(), builder -> builder.start(false));
        second.doubts().happened(second.doubts().open(0, 9).getFirst().id(), Json.string("R-7"), "seen");
        TurnResult.Ended result = time.during(input::awaitCommit);
        assertThat(result.text()).isEqualTo("done: R-7");
        assertAllIsCounted(result);
    }

    @Test
    void whatACallHasSpentCountsOnceIfItsReconcilerIsAskedAgain() throws Exception {
        var asked = new AtomicInteger();
        TurnResult.Ended result = time.during(begun(pay.reconciler(recorded -> {
            if (asked.incrementAndGet() < 3) {
                throw new IllegalStateException("the bank does not answer");
            }
            return Reconciliation.happened(new ToolOutcome.Success(Json.string("R-7")));
        }))::awaitCommit);
        assertThat(asked).hasValue(3);
        assertThat(result.text()).isEqualTo("done: R-7");
        assertAllIsCounted(result);
    }
}
