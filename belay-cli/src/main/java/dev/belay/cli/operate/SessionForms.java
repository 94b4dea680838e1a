package dev.belay.cli.operate;

import dev.belay.cli.shell.Times;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.WaitsFor;
import java.util.Locale;

/** Sessions as words and as JSON. Stateless. */
final class SessionForms {

    private SessionForms() {}

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String waits(SessionEntry entry) {
        WaitsFor waits = entry.waits();
        if (waits == null) {
            return "";
        }
        return word(waits.what()) + (waits.until() == null ? "" : " until " + Times.at(waits.until()));
    }

    static void write(JsonWriter out, SessionEntry entry) {
        out.name("session").value(entry.head().id().value());
        out.name("agent").value(entry.head().profile().agent());
        out.name("state").value(word(entry.state()));
        out.name("turns").value(entry.head().revision());
        Long active = entry.head().active();
        if (active != null) {
            out.name("active").value(active);
        }
        WaitsFor waits = entry.waits();
        if (waits != null) {
            out.name("waits_for").value(word(waits.what())).name("since").value(waits.since().toString());
            if (waits.until() != null) {
                out.name("until").value(waits.until().toString());
            }
            if (!waits.detail().isEmpty()) {
                out.name("detail").value(waits.detail());
            }
        }
        out.name("labels").beginObject();
        entry.head().profile().labels().forEach((name, value) -> out.name(name).value(value));
        out.endObject();
        out.name("messages").value(entry.head().messages());
        out.name("changed").value(entry.head().changedAt().toString());
    }
}
