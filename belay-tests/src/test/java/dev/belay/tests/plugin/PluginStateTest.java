package dev.belay.tests.plugin;

import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PluginStateTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");
    private static final CallPart TWO = new CallPart("b", "add_step", "{\"step\":\"two\"}");

    private final List<TurnEvent> events = new CopyOnWriteArrayList<>();

    private List<String> told() {
        return events.stream()
                .filter(TurnEvent.Plugin.class::isInstance)
                .map(TurnEvent.Plugin.class::cast)
                .map(event -> event.plugin() + " " + event.name() + " " + event.data())
                .toList();
    }

    @Test
    void aCallChangesTheStateAndAHookTellsIt() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling(List.of(ONE), List.of(TWO)))
                .plugin(new PlanPlugin())
                .listener((session, event) -> events.add(event))
                .build()) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(told()).containsExactly("plan plan.changed {\"steps\":[\"one\"]}",
                "plan plan.changed {\"steps\":[\"one\",\"two\"]}");
    }

    @Test
    void parallelCallsSeeTheStateBeforeTheirBatchAndBothCount() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling(List.of(ONE, TWO), List.of(TWO)))
                .plugin(new PlanPlugin())
                .listener((session, event) -> events.add(event))
                .build()) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(told()).containsExactlyInAnyOrder("plan plan.changed {\"steps\":[\"one\"]}",
                "plan plan.changed {\"steps\":[\"two\"]}",
                "plan plan.changed {\"steps\":[\"one\",\"two\",\"two\"]}");
    }
}
