package dev.belay.tests.store;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.laws.operate.DoubtContract;
import dev.belay.runtime.Belay;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is promised about doubts, in memory that forgets the records of a turn with its commit. */
class ForgettingDoubtTest extends DoubtContract {

    @Override
    protected RecordsOpening sessions() {
        var memory = new SharedMemory();
        return probe -> memory.open(probe, true);
    }

    private static List<EffectRow> attempts(Store store, String session) {
        var turn = TurnScope
                .id(new StoreDriver(store).head(new SessionId(session)).orElseThrow().incarnation(), 1);
        return new StoreDriver(store).effects(turn)
                .stream()
                .filter(row -> row.kind().equals("attempt"))
                .toList();
    }

    @Test
    void recordsOfACallInDoubtGoWithItsSettlementAndNotWithTheCommit() throws Exception {
        var memory = new SharedMemory();
        var breaks = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                    throw new InternalError("broken");
                })
                .raw(tool("look", ToolEffect.ONCE), (arguments, context) -> "seen")
                .build();
        try (Belay belay = Belay.builder()
                .model(calling(List.of(call("c", "pay"))))
                .agent("looker", a -> a.model(calling(List.of(call("c", "look")))).tools(breaks))
                .tools(breaks)
                .store(memory.open(JournalProbe.NONE, true))
                .build(); Store beside = memory.open()) {
            belay.agent("looker").session("sure").turn("Go.").run();
            assertThat(attempts(beside, "sure")).isEmpty();
            String doubt = belay.session("s").turn("Go.").run().ended().doubts().getFirst();
            assertThat(attempts(beside, "s")).hasSize(1);
            belay.doubts().happened(doubt, Json.string("R-7"), "seen");
            assertThat(attempts(beside, "s")).isEmpty();
        }
    }
}
