package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.OnDoubt;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract V.3: a tool that holds its doubts does not hold those of a cancelled turn and of an error of the virtual machine. */
@Timeout(60)
class UnheldDoubtsTest {

    private static final Model PAYING = calling(List.of(call("c", "pay")));

    private final SessionBench bench = new SessionBench();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    private Belay open(CountDownLatch entered, boolean breaks) {
        return bench.open(PAYING, builder -> builder.tools(StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE).onDoubt(OnDoubt.HOLD), (arguments, context) -> {
                    entered.countDown();
                    if (breaks) {
                        throw new InternalError("broken");
                    }
                    while (true) {
                        try {
                            released.await();
                            return "paid";
                        } catch (InterruptedException e) {
                            // goes on
                        }
                    }
                })
                .build()));
    }

    private static Doubt only(Belay belay, TurnResult.Ended result) {
        Doubt doubt = belay.doubts().open(0, 9).getFirst();
        assertThat(result.doubts()).containsExactly(doubt.id());
        return doubt;
    }

    @Test
    void anErrorOfTheVirtualMachineIsNotHeld() throws Exception {
        Belay belay = open(new CountDownLatch(1), true);
        TurnResult.Ended result = belay.session("s").turn("Go.").run().ended();
        assertThat(only(belay, result).about().code()).isEqualTo("in_doubt");
    }

    @Test
    void aCancelledCallIsNotHeldAndKeepsItsCode() throws Exception {
        var entered = new CountDownLatch(1);
        Belay belay = open(entered, false);
        InputHandle turn = belay.session("s").turn("Go.").submit();
        entered.await();
        turn.cancel("enough");
        assertThat(only(belay, turn.awaitCommit()).about().code()).isEqualTo("tool_cancelled");
    }
}
