package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnProgressTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicLong now = new AtomicLong();
    private final TurnProgress progress = on(Set.of(), "xterm");
    private final CallReference call = new CallReference(new ScopeId("s"), 1, 1, 0, new CallId("c"), "pay",
            "{}");

    @Test
    void theTimeOfACallDoesNotCountTheWaitForAPerson() {
        tell(new CallEvent.Started(call));
        tell(new CallEvent.Parked(call, null));
        progress.hold(true);
        now.addAndGet(Duration.ofSeconds(36).toNanos());
        progress.hold(false);
        now.addAndGet(Duration.ofMillis(500).toNanos());
        tell(new CallEvent.Finished(call, new ToolOutcome.Success(Json.string("paid"))));
        assertThat(told()).endsWith("* pay {}  ok, 4 characters, 0.5 s\n");
    }

    @Test
    void withoutAnAnswerHereNoTimeIsTold() {
        tell(new CallEvent.Started(call));
        tell(new CallEvent.Parked(call, null));
        now.addAndGet(Duration.ofSeconds(36).toNanos());
        tell(new CallEvent.Finished(call, new ToolOutcome.Success(Json.string("paid"))));
        assertThat(told()).endsWith("* pay {}  ok, 4 characters\n");
    }

    @Test
    void aSpinnerFitsTwentyColumnsAndLeavesNothingBehind() {
        TurnProgress lively = on(Set.of(0, 1, 2), "xterm");
        lively.on(event(new CallEvent.Started(new CallReference(new ScopeId("s"), 1, 1, 0, new CallId("c"),
                "a_tool_with_a_long_name", "{}"))));
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        lively.tick();
        assertThat(told()).isEqualTo("\r| a_tool_wit… 120 s\u001b[K");
        assertThat(told().replaceAll("\r|\u001b\\[K", "")).hasSizeLessThan(20);
        err.reset();
        lively.hold(true);
        assertThat(told()).as("while a person is asked").isEqualTo("\r\u001b[K");
        lively.tick();
        assertThat(told()).isEqualTo("\r\u001b[K");
    }

    @Test
    void aSpinnerNeedsATerminalThatIsNotDumb() {
        for (TurnProgress plain : List.of(on(Set.of(0, 1), "xterm"), on(Set.of(0, 1, 2), "dumb"))) {
            plain.on(event(new CallEvent.Started(call)));
            plain.tick();
        }
        assertThat(told()).isEmpty();
    }

    @Test
    void aSilentModelIsToldWithoutATerminal() {
        progress.on(new TurnEvent.RoundStarted(1, 1, List.of()));
        pass(29);
        assertThat(told()).isEmpty();
        pass(1);
        pass(1);
        assertThat(told()).isEqualTo("the model has sent nothing for 30 s\n");
        pass(29);
        assertThat(told()).endsWith("30 s\nthe model has sent nothing for 60 s\n");
        err.reset();
        progress.on(new TurnEvent.Text(1, 1, "so"));
        pass(29);
        progress.on(new TurnEvent.Reasoning(1, 1, "hm"));
        pass(29);
        tell(new CallEvent.Started(call));
        pass(1_000);
        assertThat(told()).isEmpty();
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
        progress.tick();
    }

    private TurnProgress on(Set<Integer> terminals, String kind) {
        return new TurnProgress(
                new Shell(InputStream.nullInputStream(), Output.answer(OutputStream.nullOutputStream()),
                        Output.remarks(err), Map.of("TERM", kind), Path.of("."), terminals,
                        (same, cancel) -> Person.NONE),
                false, now::get);
    }

    private static TurnEvent event(CallEvent event) {
        return new TurnEvent.Call(new SessionId("one"), 1, event);
    }

    private void tell(CallEvent event) {
        progress.on(event(event));
    }

    private String told() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
