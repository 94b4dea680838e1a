package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of the virtual machine in the calls of a turn. */
class BrokenMachineTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @CsvSource({"READ, tool_threw", "IDEMPOTENT, tool_threw", "ONCE, in_doubt"})
    void anErrorOfTheVirtualMachineEndsTheTurn(ToolEffect effect, String code) throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("big", effect), (arguments, context) -> {
            throw new OutOfMemoryError("simulated");
        }).raw(tool("small", ToolEffect.READ), (arguments, context) -> "done").build();
        Belay belay = bench.open(calling(List.of(call("a", "big"), call("b", "small")), List.of()),
                builder -> builder.tools(tools));
        var session = belay.session("s");
        assertThat(session.turn("Go.").run().ended()).isInstanceOfSatisfying(TurnResult.Stopped.class,
                end -> {
                    assertThat(end.cause()).isEqualTo(TurnEnd.Cause.TOOL_ERROR);
                    assertThat(end.evidence())
                            .isEqualTo(Json.of("{\"tool\":\"big\",\"code\":\"" + code + "\"}"));
                });
        assertThat(session.calls(1)).extracting(one -> one.outcome().orElseThrow().text())
                .last()
                .isEqualTo("done");
    }
}
