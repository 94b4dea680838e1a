package dev.belay.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost.Working;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Closing says for which sessions, turns and tools it waits. */
class ClosingTest {

    private static final Json CONTENT = Json.of("""
            {"v":1,"text":"Go.","at":"2030-01-01T00:00:00Z"}""");

    private static Working turn(String session, String what) {
        return new Working(TurnScope.input(new SessionId(session), new Incarnation(1, 2), 7,
                new Arrival("in", Arrival.Kind.INPUT, "ab".repeat(32), CONTENT), "default"), what);
    }

    @Test
    void turnsAndToolsAreNamedOnce() {
        assertThat(Closing.words(Duration.ofSeconds(25),
                List.of(turn("order", Working.of("pay")), turn("order", Working.of("look")),
                        turn("case", "round"),
                        new Working(new ScopeInput("process/1", Json.NULL), "attempt"))))
                .isEqualTo(
                        "Stops, and waits up to PT25S for what runs. Turns (session/turn): case/7, order/7;"
                                + " other work: process/1; tools: look, pay");
    }

    @Test
    void manyNamesAreCounted() {
        assertThat(Closing.words(Duration.ofSeconds(1),
                IntStream.range(0, 25).mapToObj(n -> turn("s" + (10 + n), "round")).toList()))
                .contains("s29/7 and 5 more; other work: none; tools: none");
    }
}
