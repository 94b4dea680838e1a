package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.ProcessId;
import dev.belay.schema.Wording;

/** What a session is told of the end of a process. Its form is pinned by a golden file. */
public final class ProcessNotice {

    /** A model wants to know how it ended; whoever wants the whole value has the handle. */
    private static final int MOST_SHOWN = 2_000;

    private ProcessNotice() {}

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
