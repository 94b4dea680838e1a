package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.shell.Output;
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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnProgressTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicLong now = new AtomicLong();
    private final TurnProgress progress = new TurnProgress(
            new Shell(InputStream.nullInputStream(), Output.answer(OutputStream.nullOutputStream()),
                    Output.remarks(err), Map.of(), Path.of("."), Set.of()),
            false, now::get);
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

    private void tell(CallEvent event) {
        progress.on(new TurnEvent.Call(new SessionId("one"), 1, event));
    }

    private String told() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
