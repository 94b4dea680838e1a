package dev.belay.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.process.engine.Beginning;
import dev.belay.runtime.process.engine.ProcessNotice;
import dev.belay.runtime.process.engine.Signals;
import dev.belay.runtime.process.engine.StartedBy;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract L.5: the records of processes, to the byte. What was written in these forms is read by every later version. */
class ProcessFormsTest {

    private static final Json INPUT = Json.of("{\"n\":1}");

    private static void works(ProcessWork work, String form) {
        assertThat(work.toJson().text()).isEqualTo(form);
        assertThat(ProcessWork.of(Json.of(form))).isEqualTo(work);
    }

    @Test
    void work() {
        works(new ProcessWork.Tool("refund", INPUT), "{\"tool\":\"refund\",\"arguments\":{\"n\":1}}");
        works(new ProcessWork.Turn(new SessionId("s"), "Go."), "{\"turn\":\"s\",\"text\":\"Go.\"}");
        works(new ProcessWork.Body("report", INPUT), "{\"body\":\"report\",\"input\":{\"n\":1}}");
        works(new ProcessWork.External("print", INPUT), "{\"external\":\"print\",\"input\":{\"n\":1}}");
    }

    private static void ends(ProcessEnd end, String form) {
        assertThat(end.toJson().text()).isEqualTo(form);
        assertThat(ProcessEnd.of(Json.of(form))).isEqualTo(end);
    }

    @Test
    void ends() {
        ends(new ProcessEnd.Completed(INPUT), "{\"v\":1,\"completed\":{\"n\":1}}");
        ends(new ProcessEnd.Failed(ToolFailure.of("no")),
                "{\"v\":1,\"failed\":{\"kind\":\"EXECUTION\",\"code\":\"tool_failed\",\"message\":\"no\",\"source\":\"TOOL\"}}");
        ends(new ProcessEnd.Cancelled("why"), "{\"v\":1,\"cancelled\":\"why\"}");
        ends(new ProcessEnd.Abandoned("why"), "{\"v\":1,\"abandoned\":\"why\"}");
    }

    @Test
    void startAndScope() {
        var id = new ProcessId("p");
        Json content = Beginning.content(ProcessStart.body("report", INPUT).recovery(Recovery.NEVER));
        assertThat(content.text())
                .isEqualTo("{\"recovery\":\"NEVER\",\"work\":{\"body\":\"report\",\"input\":{\"n\":1}}}");
        assertThat(Beginning.hash(content))
                .isEqualTo("5ec1233b4e16acccb87c7f7faaf29a9e2f81286127aeab37e392e5fa40bab418");
        var process = new NewProcess(id, new Incarnation(1, 2), "hash", content);
        assertThat(ProcessScope.id(id).value()).isEqualTo("process/p");
        assertThat(ProcessScope.input(process).kind()).isEqualTo("process/1/report");
        Json tool = Beginning.content(ProcessStart.tool("refund", INPUT));
        assertThat(ProcessScope.input(new NewProcess(id, new Incarnation(1, 2), "hash", tool)).kind())
                .isEqualTo("process/1/@default");
        assertThat(ProcessScope.input(process).value().text()).isEqualTo("{\"v\":1,\"process\":\"p\","
                + "\"incarnation\":\"00000000000000010000000000000002\",\"start\":" + content.text() + "}");
        var beginning = Beginning.of(ProcessScope.input(process));
        assertThat(beginning.id()).isEqualTo(id);
        assertThat(beginning.work()).isEqualTo(new ProcessWork.Body("report", INPUT));
        assertThat(beginning.recovery()).isEqualTo(Recovery.NEVER);
    }

    @Test
    void whoseCallStartedIt() {
        var by = new StartedBy(new SessionId("s"), "f", "clerk", 7,
                List.of(new Gating.Above("top", "boss"), new Gating.Above("gone", null)), true,
                new StartedBy.Counts(2, 1));
        var content = Json.of("{\"recovery\":\"RERUN\",\"work\":{\"tool\":\"pay\",\"arguments\":{}},"
                + "\"by\":{\"session\":\"s\",\"agent\":\"clerk\",\"family\":\"f\",\"earlier\":2,"
                + "\"failures\":1,\"turn\":7,\"gated\":true,\"above\":[{\"session\":\"top\",\"agent\":\"boss\"},"
                + "{\"session\":\"gone\"}]}}");
        ScopeInput input = ProcessScope
                .input(new NewProcess(new ProcessId("p"), new Incarnation(1, 2), "hash", content));
        assertThat(Beginning.of(input).by()).isEqualTo(by);
        assertThat(ProcessScope.startedBy(input)).containsExactly("s", "top", "gone");
        assertThat(Pauses.targets(input)).containsExactly("everything/*", "agent/default", "session/s",
                "session/top", "session/gone");
    }

    @Test
    void notice() {
        Arrival notice = ProcessNotice.of(new ProcessId("p"), new ProcessWork.Body("report", INPUT),
                new ProcessEnd.Completed(Json.string("done")));
        assertThat(notice.id()).isEqualTo("process-ended/p");
        assertThat(notice.kind()).isEqualTo(Arrival.Kind.NOTICE);
        assertThat(notice.content().text()).isEqualTo("{\"process\":\"p\","
                + "\"text\":\"Note (process_ended): process p (report) completed: done\"}");
        assertThat(notice.content().get("text").orElseThrow().asString())
                .isEqualTo("Note (process_ended): process p (report) completed: done");
    }

    @Test
    void signalsAreWaitsOfTheFirstCall() {
        assertThat(Signals.event(2, "go")).isEqualTo("signal/2/go");
        assertThat(Signals.payload(Json.of("{\"key\":\"k\",\"payload\":7}"))).isEqualTo(Json.number(7));
    }
}
