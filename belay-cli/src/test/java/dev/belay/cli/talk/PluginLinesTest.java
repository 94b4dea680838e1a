package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.session.TurnEvent;
import org.junit.jupiter.api.Test;

class PluginLinesTest {

    @Test
    void aPlanIsAListOfStepsAndOtherEventsAreALine() {
        assertThat(PluginLines.of(event("plan", "plan.changed",
                """
                        {"steps":[{"text":"Look","status":"DONE"},{"text":"Mend\\u001b[2J","status":"ACTIVE"},{"text":"Test","status":"OPEN"}]}""")))
                .containsExactly("* the plan:", "  [x] Look", "  [>] Mend<U+001B>[2J", "  [ ] Test");
        assertThat(PluginLines.of(event("notes", "note.kept", "{\"about\":\"ropes\"}")))
                .containsExactly("* notes: note.kept {\"about\":\"ropes\"}");
        for (String odd : new String[]{"[]", "{\"steps\":1}", "{\"steps\":[1]}", "null"}) {
            assertThat(PluginLines.of(event("plan", "plan.changed", odd))).hasSize(1);
        }
    }

    @Test
    void onlyTerminalsThatNotifyAreSentANotice() {
        TurnEvent.Plugin ended = event("activity", "activity", "{\"status\":\"\\u001b[2J\"}");
        assertThat(PluginLines.of(ended)).isEmpty();
        assertThat(PluginLines.notice(ended, "WezTerm"))
                .isEqualTo("\u001b]9;belay: the turn has ended\u0007");
        assertThat(PluginLines.notice(ended, "xterm")).isEmpty();
        assertThat(PluginLines.notice(event("notes", "note.kept", "{}"), "WezTerm")).isEmpty();
    }

    private static TurnEvent.Plugin event(String plugin, String name, String data) {
        return new TurnEvent.Plugin(1, plugin, name, Json.of(data));
    }
}
