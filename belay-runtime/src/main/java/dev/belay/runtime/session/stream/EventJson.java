package dev.belay.runtime.session.stream;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.MessageJson;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Events as JSON: an object with the name of the event and its fields. The forms are pinned by a test. */
public final class EventJson {

    private EventJson() {}

    /** An event as JSON. */
    public static Json of(TurnEvent event) {
        return Json.write(out -> {
            out.beginObject();
            write(out, event);
            out.endObject();
        });
    }

    private static void write(JsonWriter out, TurnEvent event) {
        switch (event) {
            case TurnEvent.TurnStarted(long turn, String input) ->
                begin(out, "turn_started", turn).name("input").value(input);
            case TurnEvent.RoundStarted(long turn, int round, List<String> joined) -> {
                round(out, "round_started", turn, round).name("joined").beginArray();
                joined.forEach(out::value);
                out.endArray();
            }
            case TurnEvent.RoundRestarted(long turn, int round, String reason) ->
                round(out, "round_restarted", turn, round).name("reason").value(reason, RecordReader.HALF);
            case TurnEvent.ModelWaiting(long turn, int round, int attempt, String code, String message, Instant due, Instant until) -> {
                round(out, "model_waiting", turn, round).name("attempt").value(attempt);
                out.name("code").value(code).name("message").value(message, RecordReader.HALF);
                out.name("due").value(due.toString()).name("until").value(until.toString());
            }
            case TurnEvent.Text(long turn, int round, String chunk) ->
                round(out, "text", turn, round).name("chunk").value(chunk, RecordReader.HALF);
            case TurnEvent.Reasoning(long turn, int round, String chunk) ->
                round(out, "reasoning", turn, round).name("chunk").value(chunk, RecordReader.HALF);
            case TurnEvent.Call(SessionId session, long turn, CallEvent call) -> {
                call.write(out);
                out.name("session").value(session.value());
            }
            case TurnEvent.Plugin(long turn, String plugin, String name, Json data) ->
                begin(out, "plugin", turn).name("plugin")
                        .value(plugin)
                        .name("name")
                        .value(name, RecordReader.HALF)
                        .name("data")
                        .value(data);
            case TurnEvent.RoundEnded(long turn, int round, Usage usage) ->
                MessageJson.write(round(out, "round_ended", turn, round).name("usage"), usage);
            case TurnEvent.Resting(long turn, List<Wait> waits) -> {
                begin(out, "turn_resting", turn).name("waits").beginArray();
                waits.forEach(wait -> write(out, wait));
                out.endArray();
            }
            case TurnEvent.Committed(long turn, TurnResult.Ended result) ->
                begin(out, "committed", turn).name("result").value(result.toJson());
            case TurnEvent.Gap(long missed) -> begin(out, "gap", 0).name("missed").value(missed);
        }
    }

    private static void write(JsonWriter out, Wait wait) {
        out.beginObject().name("kind").value(wait.kind().name().toLowerCase(Locale.ROOT));
        out.name("session").value(wait.session()).name("turn").value(wait.turn());
        for (Map.Entry<String, String> text : Map
                .of("tool", wait.tool(), "arguments", wait.arguments(), "detail",
                        wait.detail(), "key", wait.keyId(), "digest", wait.digest(), "command",
                        wait.command())
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .toList()) {
            if (!text.getValue().isEmpty()) {
                out.name(text.getKey()).value(text.getValue(), RecordReader.HALF);
            }
        }
        out.name("since").value(wait.since().toString());
        wait.until().ifPresent(until -> out.name("until").value(until.toString()));
        out.endObject();
    }

    private static JsonWriter round(JsonWriter out, String name, long turn, int round) {
        return begin(out, name, turn).name("round").value(round);
    }

    private static JsonWriter begin(JsonWriter out, String name, long turn) {
        return out.name("event").value(name).name("turn").value(turn);
    }
}
