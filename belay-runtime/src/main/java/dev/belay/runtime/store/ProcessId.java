package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;

/**
 * Names a process. The program that starts it chooses the name: a report, a job, a night.
 *
 * @param value 1 to 128 characters, none of them a control character
 */
public record ProcessId(String value) {

    private static final int LONGEST = 128;

    /** Checks the length and the characters. */
    public ProcessId {
        StoredNames.check("a process id", value, LONGEST);
    }

    /** A JSON string; the form is stable. */
    public Json toJson() {
        return Json.string(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
