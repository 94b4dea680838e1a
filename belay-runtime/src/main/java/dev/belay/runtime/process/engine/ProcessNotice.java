package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.ProcessId;
import dev.belay.schema.Wording;

/** The notice to a session that a process it was granted has ended. Its form is pinned by a golden file. */
public final class ProcessNotice {

    /** Enough for a model; the handle of the process has the whole value. */
    private static final int MOST_SHOWN = 2_000;

    private ProcessNotice() {}

    /** Makes the notice. */
    public static Arrival of(ProcessId process, ProcessWork work, ProcessEnd end) {
        Json content = Json.write(out -> out.beginObject()
                .name("process")
                .value(process.value())
                .name("text")
                .value(Wording.shown("Note (process_ended): process " + process + " (" + work.name() + ") "
                        + end.summary(), MOST_SHOWN))
                .endObject());
        return Arrival.notice("process-ended/" + process, content);
    }
}
