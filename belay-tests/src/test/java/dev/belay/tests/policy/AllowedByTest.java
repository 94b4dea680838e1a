package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A record of a call names the rule that allowed it. */
class AllowedByTest {

    @Test
    void theRuleThatAllowedACallStandsInItsRecord() throws Exception {
        var memory = new SharedMemory();
        try (Belay belay = Belay.builder()
                .model(calling(List.of(call("a", "pay"))))
                .tools(StaticToolProvider.builder()
                        .raw(tool("pay", ToolEffect.ONCE), (in, context) -> "paid")
                        .build())
                .policy(Policy.rules(PolicyRule.allow("small-sums").tools("pay")))
                .store(memory.open())
                .build()) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: paid");
        }
        try (var store = new StoreDriver(memory.open())) {
            var scope = TurnScope.id(store.head(new SessionId("s")).orElseThrow().incarnation(), 1);
            EffectRow attempt = store.effects(scope)
                    .stream()
                    .filter(row -> row.key().equals("round/1/call/0/attempt/1"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Objects.requireNonNull(attempt.input()).get("rule").orElseThrow().asString())
                    .isEqualTo("small-sums");
        }
    }
}
