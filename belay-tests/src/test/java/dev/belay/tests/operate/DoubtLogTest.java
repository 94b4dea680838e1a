package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Contract V.3: a doubt is a line of the log. */
class DoubtLogTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static BelayBuilder paying(BelayBuilder builder) {
        return builder.tools(StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> "paid")
                .build());
    }

    @Test
    void aDoubtIsLoggedOnceAtWarnWithSessionTurnCallAndTool() throws Exception {
        var death = SessionBench.Death.at(Moment.BEFORE, "effect round/1/call/0/attempt/1 COMPLETED");
        SessionBench.Dying dying = bench.dying(calling(List.of(call("c", "pay"))), death,
                DoubtLogTest::paying);
        dying.belay.session("s").turn("Go.").id("in").submit();
        dying.awaitDeath();
        try (var log = HeardLog.of("dev.belay.dispatch", Level.WARN)) {
            Belay belay = bench.open(calling(List.of(call("c", "pay"))), DoubtLogTest::paying);
            String doubt = belay.session("s").input("in").orElseThrow().awaitCommit().doubts().getFirst();
            belay.close();
            try (Belay next = bench.open(calling(List.of(call("c", "pay"))), DoubtLogTest::paying)) {
                assertThat(next.doubts().open(0, 9)).hasSize(1);
            }
            assertThat(log.from("Tool pay")).containsExactly(
                    "Tool pay may have happened: call c of turn 1 of session s, doubt " + doubt);
        }
    }
}
