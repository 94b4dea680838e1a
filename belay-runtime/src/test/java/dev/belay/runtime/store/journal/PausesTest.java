package dev.belay.runtime.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Pause.Target;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pause holds which scope. */
class PausesTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
            everything/*,   turn/1,             true,  true
            everything/*,   process/1,          true,  true
            everything/*,   calls/1,            true,  true
            agent/default,  turn/1,             true,  true
            agent/default,  turn/1/lawyer,      false, false
            agent/lawyer,   turn/1/lawyer,      true,  true
            agent/lawyer,   process/1/@lawyer,  true,  true
            agent/default,  process/1/@default, true,  true
            agent/default,  process/1,          false, false
            agent/default,  process/1/body,     false, false
            agent/default,  open-turn/1,        false, true
            session/s,      turn/1,             false, true
            session/s,      open-turn/1/mine,   false, true
            session/t,      turn/1,             false, false
            session/s,      process/1,          false, false
            tool/pay,       turn/1,             false, false
            """)
    void holds(String pause, String kind, boolean wholeKind, boolean scope) {
        var pauses = new Pauses(1, Set.of(pause));
        assertThat(pauses.holdsKind(kind)).isEqualTo(wholeKind);
        assertThat(pauses.holds(new ScopeInput(kind, Json.of("{\"session\":\"s\",\"turn\":1}"))))
                .isEqualTo(scope);
    }

    @ParameterizedTest
    @ValueSource(strings = {"everything/*", "agent/lawyer", "tool/pay", "session/a/b"})
    void keyNamesItsTarget(String key) {
        assertThat(Target.of(key).key()).isEqualTo(key);
    }

    @Test
    void refusalNamesThePause() {
        var pauses = new Pauses(1, Set.of("agent/lawyer"));
        pauses.requireNone("default", new SessionId("s"));
        assertThatThrownBy(() -> pauses.requireNone("lawyer", new SessionId("s")))
                .isInstanceOfSatisfying(BelayException.class, e -> assertThat(e.code()).isEqualTo("paused"))
                .hasMessageStartingWith("agent lawyer is paused, so no turn of session s begins");
    }

    @Test
    void namesAreChecked() {
        assertThatThrownBy(() -> Target.agent("No Agent")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Target.tool("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Target(Pause.Type.EVERYTHING, "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
