package dev.belay.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.plugin.engine.ActionCall;
import dev.belay.runtime.plugin.engine.StateChange;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.store.Arrival;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Contract L.5: the forms of what actions of plugins leave. The golden file is what version 1 wrote; it is never changed. */
class ActionFormsTest {

    private static final Json ADD = Json.of("{\"step\":\"one\"}");
    private static final TurnInput INPUT = TurnInput.action(new ActionCall("plan.add", ADD),
            Instant.parse("2030-01-01T00:00:00Z"));
    private static final ActionResult RESULT = ActionResult.done("in", "plan.add",
            Json.of("{\"steps\":[\"one\"]}"));

    private static Json golden(String name) throws IOException {
        Map<String, Json> all = new HashMap<>();
        try (InputStream file = Objects
                .requireNonNull(ActionFormsTest.class.getResourceAsStream("actions-1.txt"))) {
            new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                int space = line.indexOf(' ');
                all.put(line.substring(0, space), Json.of(line.substring(space + 1)));
            });
        }
        return Objects.requireNonNull(all.get(name), name);
    }

    @Test
    void anInputThatAsksForAnActionIsWrittenAndReadAsEver() throws Exception {
        assertThat(INPUT.toJson().text()).isEqualTo(golden("input").text());
        assertThat(TurnInput.of(golden("input"))).isEqualTo(INPUT);
    }

    @Test
    void anActionThatWasCarriedOutIsWrittenAndReadAsEver() throws Exception {
        var acted = new ActedOn(RESULT, List.of(new StateChange("plan", "steps", false, ADD).toJson()));
        Arrival joined = acted.in(INPUT.arrival("in"));
        assertThat(joined.content().text()).isEqualTo(golden("acted").text());
        assertThat(joined.isSameAs(INPUT.arrival("in"))).isTrue();
        assertThat(ActedOn.of(new Arrival("in", Arrival.Kind.INPUT, "", golden("acted")))).contains(acted);
        assertThat(ActedOn.of(INPUT.arrival("in"))).isEmpty();
    }

    @Test
    void resultsAndResetsAreWrittenAndReadAsEver() throws Exception {
        assertThat(RESULT.toJson().text()).isEqualTo(golden("result").text());
        assertThat(ActionResult.of(golden("result"))).isEqualTo(RESULT);
        ActionResult failed = ActionResult.failed("in", "plan.add", "action_failed", "no plan today");
        assertThat(failed.toJson().text()).isEqualTo(golden("failed").text());
        assertThat(ActionResult.of(golden("failed"))).isEqualTo(failed);
        assertThat(SessionCommand.of(golden("reset"))).isEqualTo(new SessionCommand.ResetPlugin("plan"));
        assertThat(new SessionCommand.ResetPlugin("plan").toJson().text()).isEqualTo(golden("reset").text());
    }
}
