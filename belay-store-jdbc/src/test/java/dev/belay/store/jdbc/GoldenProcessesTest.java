package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.5: recorded processes are read. The file was written by a store that ended while it
 * ran one of them.
 */
class GoldenProcessesTest {

    private static final SessionId SESSION = new SessionId("größer 😀");

    @TempDir
    Path directory;

    private StoreDriver open(String golden) throws IOException, SQLException {
        Path file = directory.resolve("belay.db");
        try (var in = Objects.requireNonNull(getClass().getResourceAsStream(golden))) {
            Sample.execute(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        return new StoreDriver(JdbcStore.sqlite(file));
    }

    private static Instant at(int seconds) {
        return Instant.parse("2026-11-15T10:00:00Z").plusSeconds(seconds);
    }

    @Test
    void rowsEventsAndGrantsAreRead() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-processes.sql")) {
            assertThat(store.processes(0, 9)).extracting(row -> row.id().value())
                    .containsExactly("report 😀", "print", "tool", "turn");
            assertThat(store.events(new ProcessId("report 😀"), 0, 9)).containsExactly(
                    new ProcessEvent(1, "step/1/1", "page", Json.of("{\"n\":1}"), at(1)),
                    new ProcessEvent(2, "step/1/2", "page", Json.of("{\"n\":2}"), at(2)));
            assertThat(store.processes(SESSION, 0, 9)).extracting(row -> row.id().value())
                    .containsExactly("report 😀", "print");
            assertThat(store.watchers(new ProcessId("print"))).containsExactly("token");
            assertThat(store.waiting(SESSION)).singleElement().satisfies(waits -> {
                assertThat(waits.arrival().kind()).isEqualTo(Arrival.Kind.NOTICE);
                assertThat(waits.arrival().id()).isEqualTo("process-ended/report 😀");
            });
        }
    }

    @Test
    void processesGoOn() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(ToolDefinition.raw("refund", "Refunds.", Json.of("{\"type\":\"object\"}")),
                        (arguments, context) -> "refunded " + arguments.compact())
                .build();
        try (Belay belay = Belay.builder()
                .model(new Repeating())
                .tools(tools)
                .store(open("golden-4-processes.sql").store())
                .build()) {
            ProcessInfo report = belay.processes().get("report 😀").info();
            assertThat(report.status()).isEqualTo(ProcessStatus.COMPLETED);
            assertThat(report.end()).isEqualTo(new ProcessEnd.Completed(Json.string("ä")));
            assertThat(report.work())
                    .isEqualTo(new ProcessWork.Body("nightly-report", Json.of("{\"month\":7}")));
            assertThat(report.recovery()).isEqualTo(Recovery.RERUN);
            assertThat(report.startedAt()).isEqualTo(at(0));
            assertThat(report.endedAt()).isEqualTo(at(3));
            assertThat(belay.processes().get("tool").awaitEnd())
                    .isEqualTo(new ProcessEnd.Completed(Json.string("refunded {\"order\":42}")));
            assertThat(belay.processes().get("turn").awaitEnd().summary())
                    .contains("Go on.", "process report 😀 (nightly-report) completed: ä");
            belay.processes().get("print").complete(Json.TRUE);
            assertThat(belay.processes().get("print").awaitEnd())
                    .isEqualTo(new ProcessEnd.Completed(Json.TRUE));
        }
    }

    private static final class Repeating implements Model {

        @Override
        public String id() {
            return "repeating";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return new ModelResponse(Message.assistant(request.messages().toString()), FinishReason.STOP,
                    Usage.of(1, 1), "repeating", "");
        }
    }
}
