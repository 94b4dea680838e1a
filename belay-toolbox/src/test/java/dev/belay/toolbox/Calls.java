package dev.belay.toolbox;

import dev.belay.json.Json;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.util.LinkedHashMap;
import java.util.Map;

/** Calls tools as a model does, and reads what a model reads. */
public final class Calls {

    private final ToolCaller caller;

    public Calls(ToolProvider provider) {
        caller = ToolCaller.of(provider);
    }

    /** Names and values in turns; values are text, whole numbers or booleans. */
    public static String json(Object... fields) {
        Map<String, Json> object = new LinkedHashMap<>();
        for (int at = 0; at < fields.length; at += 2) {
            object.put((String) fields[at], switch (fields[at + 1]) {
                case Integer number -> Json.number(number);
                case Boolean bool -> Json.bool(bool);
                case Object text -> Json.string(text.toString());
            });
        }
        return Json.object(object).text();
    }

    public ToolOutcome outcome(String tool, Object... fields) {
        return caller.call(tool, json(fields));
    }

    public String text(String tool, Object... fields) {
        return outcome(tool, fields).text();
    }

    /** The code of a failure; the text of anything else, so that a test says what it got. */
    public String code(String tool, Object... fields) {
        return outcome(tool, fields) instanceof ToolOutcome.Failure(var failure)
                ? failure.code()
                : "no failure: " + text(tool, fields);
    }
}
