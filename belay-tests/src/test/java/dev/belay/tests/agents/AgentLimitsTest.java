package dev.belay.tests.agents;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract U.1 and U.5: settings and bounds belong to an agent, and the depth of sessions is counted over all of them. */
class AgentLimitsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void agentHasSettingsAndBoundsOfItsOwn() throws Exception {
        Model looking = model(request -> calls(
                List.of(call("c" + request.messages().size(),
                        "look-" + request.generation().seed().orElse(0L)))));
        Belay belay = bench.open(looking, builder -> builder.bounds(TurnBounds.DEFAULT.withMaxRounds(2))
                .generation(Generation.PROVIDER_DECIDES.withSeed(1))
                .agent("lawyer", a -> a.model(looking)
                        .bounds(TurnBounds.DEFAULT.withMaxRounds(3))
                        .generation(Generation.PROVIDER_DECIDES.withSeed(7))));
        TurnResult.Ended clerk = belay.session("a").turn("Go.").run().ended();
        TurnResult.Ended lawyer = belay.agent("lawyer").session("b").turn("Go.").run().ended();
        assertThat(((TurnResult.Stopped) clerk).cause()).isEqualTo(TurnEnd.Cause.MAX_ROUNDS);
        assertThat(clerk.rounds()).isEqualTo(2);
        assertThat(lawyer.rounds()).isEqualTo(3);
        assertThat(belay.session("a").messages().toString()).contains("look-1").doesNotContain("look-7");
        assertThat(belay.session("b").messages().toString()).contains("look-7").doesNotContain("look-1");
    }

    /** Asks a session of another agent, which does the same. */
    private static StaticToolProvider delegatingTo(String agent) {
        return StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT),
                        (in, context) -> ((SessionToolContext) context).sessions()
                                .create("below", agent)
                                .turn("t", "Go.")
                                .await()
                                .text())
                .build();
    }

    @Test
    void sessionsStandFiveDeepBelowEachOtherOverAllAgents() throws Exception {
        Model delegating = calling(List.of(call("c", "delegate")));
        Belay belay = bench.open(delegating, builder -> builder.tools(delegatingTo("lawyer"))
                .agent("lawyer", a -> a.model(delegating).tools(delegatingTo("default"))));
        String said = belay.session("top").turn("Go.").run().ended().text();
        assertThat(said).startsWith("done: ".repeat(6) + "Error (resource_limit)")
                .contains("sessions may stand 5 deep below each other");
        assertThat(belay.sessions(null, 99).items()).as("one and five below it").hasSize(6);
    }
}
