package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.session.TurnEnd;

/** Writes the ends of turns into the records that hold them. */
public final class TurnEnds {

    /** In place of halves of characters, which models say and JSON cannot. */
    static final char HALF = '\ufffd';

    private TurnEnds() {}

    /** Writes the record of an end. */
    public static void write(JsonWriter out, TurnEnd end) {
        out.beginObject();
        switch (end) {
            case TurnEnd.Finished(String text, Json value) -> {
                out.name("finished").value(text, HALF);
                if (value != null) {
                    out.name("value").value(value);
                }
            }
            case TurnEnd.Refused(String reason) -> out.name("refused").value(reason, HALF);
            case TurnEnd.Stopped(TurnEnd.Cause cause, String message, Json evidence) -> out.name("stopped")
                    .value(cause.name())
                    .name("message")
                    .value(message, HALF)
                    .name("evidence")
                    .value(evidence);
        }
        out.endObject();
    }
}
