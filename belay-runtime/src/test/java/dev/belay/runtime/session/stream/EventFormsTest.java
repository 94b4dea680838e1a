package dev.belay.runtime.session.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events, ends and ids as JSON. Programs outside read these texts: a change here breaks them. */
class EventFormsTest {

    private static final SessionId SESSION = new SessionId("order-42");
    private static final CallReference CALL = new CallReference(new ScopeId("turn/ab/7"), 7, 2, 1,
            new CallId("c1"), "refund", "{\"cents\":1250}");
    private static final String CALLED = "\"scope\":\"turn/ab/7\",\"turn\":7,\"round\":2,\"index\":1,\"call\":\"c1\","
            + "\"tool\":\"refund\",\"arguments\":\"{\\\"cents\\\":1250}\"";

    private static String text(TurnEvent event) {
        return event.toJson().text();
    }

    private static TurnEvent call(CallEvent event) {
        return new TurnEvent.Call(SESSION, 7, event);
    }

    @Test
    void turnsAndRounds() {
        assertThat(text(new TurnEvent.TurnStarted(7, "in")))
                .isEqualTo("{\"event\":\"turn_started\",\"turn\":7,\"input\":\"in\"}");
        assertThat(text(new TurnEvent.RoundStarted(7, 2, List.of("a", "b"))))
                .isEqualTo("{\"event\":\"round_started\",\"turn\":7,\"round\":2,\"joined\":[\"a\",\"b\"]}");
        assertThat(text(new TurnEvent.RoundRestarted(7, 2, "gone")))
                .isEqualTo("{\"event\":\"round_restarted\",\"turn\":7,\"round\":2,\"reason\":\"gone\"}");
        assertThat(text(new TurnEvent.RoundEnded(7, 2, Usage.of(10, 5)))).isEqualTo(
                "{\"event\":\"round_ended\",\"turn\":7,\"round\":2,\"usage\":{\"input\":10,\"output\":5}}");
        assertThat(text(new TurnEvent.Text(7, 2, "a\uD83D")))
                .isEqualTo("{\"event\":\"text\",\"turn\":7,\"round\":2,\"chunk\":\"a\uFFFD\"}");
        assertThat(text(new TurnEvent.Reasoning(7, 2, "so")))
                .isEqualTo("{\"event\":\"reasoning\",\"turn\":7,\"round\":2,\"chunk\":\"so\"}");
        assertThat(text(new TurnEvent.Gap(-1))).isEqualTo("{\"event\":\"gap\",\"turn\":0,\"missed\":-1}");
    }

    @Test
    void waitingForAModel() {
        assertThat(text(new TurnEvent.ModelWaiting(7, 2, 3, "model_rate_limited", "slow down",
                Instant.parse("2030-01-01T00:00:08Z"), Instant.parse("2030-01-01T00:10:00Z"))))
                .isEqualTo("{\"event\":\"model_waiting\",\"turn\":7,\"round\":2,\"attempt\":3,"
                        + "\"code\":\"model_rate_limited\",\"message\":\"slow down\","
                        + "\"due\":\"2030-01-01T00:00:08Z\",\"until\":\"2030-01-01T00:10:00Z\"}");
    }

    @Test
    void calls() {
        String session = ",\"session\":\"order-42\"}";
        assertThat(text(call(new CallEvent.Started(CALL))))
                .isEqualTo("{\"event\":\"call_started\"," + CALLED + session);
        assertThat(text(call(new CallEvent.Progress(CALL, "half", 2)))).isEqualTo(
                "{\"event\":\"call_progress\"," + CALLED + ",\"message\":\"half\",\"dropped\":2" + session);
        assertThat(text(call(new CallEvent.Parked(CALL, "ask Ada")))).isEqualTo(
                "{\"event\":\"call_parked\"," + CALLED + ",\"announcement\":\"ask Ada\"" + session);
        assertThat(text(call(new CallEvent.Parked(CALL, null))))
                .isEqualTo("{\"event\":\"call_parked\"," + CALLED + session);
        assertThat(text(call(new CallEvent.InDoubt(CALL, "d1", true)))).isEqualTo(
                "{\"event\":\"call_in_doubt\"," + CALLED + ",\"doubt\":\"d1\",\"held\":true" + session);
        assertThat(text(call(new CallEvent.Finished(CALL, new ToolOutcome.Success(Json.TRUE))))).isEqualTo(
                "{\"event\":\"call_finished\"," + CALLED + ",\"outcome\":{\"ok\":true}" + session);
        assertThat(new CallEvent.Started(CALL).toJson().text())
                .isEqualTo("{\"event\":\"call_started\"," + CALLED + "}");
    }

    @Test
    void commitsAndEnds() {
        var result = TurnResult.Ended.of(SESSION, 7, "in", new TurnEnd.Refused("no"), 2, Usage.of(10, 5),
                null, 0, List.of(), List.of());
        assertThat(text(new TurnEvent.Committed(7, result))).isEqualTo(
                "{\"event\":\"committed\",\"turn\":7,\"result\":{\"v\":1,\"session\":\"order-42\",\"turn\":7,"
                        + "\"input\":\"in\",\"end\":{\"refused\":\"no\"},\"rounds\":2,"
                        + "\"usage\":{\"input\":10,\"output\":5}}}");
        assertThat(new TurnEnd.Finished("{\"a\":1}", Json.of("{\"a\":1}")).toJson().text())
                .isEqualTo("{\"finished\":\"{\\\"a\\\":1}\",\"value\":{\"a\":1}}");
        assertThat(new TurnEnd.Stopped(TurnEnd.Cause.PROVIDER_ERROR, "down",
                Json.of("{\"code\":\"model_unavailable\"}")).toJson().text()).isEqualTo(
                        "{\"stopped\":\"PROVIDER_ERROR\",\"message\":\"down\",\"evidence\":{\"code\":\"model_unavailable\"}}");
    }

    @Test
    void ids() {
        assertThat(SESSION.toJson().text()).isEqualTo("\"order-42\"");
        assertThat(new ProcessId("night").toJson().text()).isEqualTo("\"night\"");
        assertThat(new EventCursor("1f-2", 40).toJson().text()).isEqualTo("\"1f-2.40\"");
    }
}
