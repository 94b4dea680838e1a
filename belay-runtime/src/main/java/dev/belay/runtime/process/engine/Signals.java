package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.law.ProcessRules;
import org.jspecify.annotations.Nullable;

/**
 * Signals as waits of the process: the n-th signal of a name settles the n-th wait for it, whichever is first.
 *
 * <p><b>Concurrency.</b> The store finds the wait and settles it in one write. So signals of several threads are kept in the
 * order of their writes.
 */
public final class Signals {

    private static final int LONGEST = 200;
    /** A body is the first call of its process, and a signal is an event of that call. */
    private static final String OF_THE_BODY = "call/0/event/";
    private static final String KIND = "signal/";

    private Signals() {}

    static String checked(String name) {
        StoredNames.check("the name of a signal", name, LONGEST);
        return name;
    }

    /** The event of a body that a signal settles. */
    public static String event(int number, String name) {
        return KIND + number + "/" + name;
    }

    /** The payload of a signal as it was sent. */
    public static Json payload(Json sent) {
        return RecordReader.field(sent, "payload");
    }

    /**
     * Sends a signal.
     *
     * @param key a signal of a key is sent once; null for no key
     */
    public static void send(KeptProcesses kept, ProcessRow process, String name, Json payload,
            @Nullable String key) {
        checked(name);
        Beginning start = Beginning.of(process.scope().input());
        if (!(start.work() instanceof ProcessWork.Body) || start.recovery() != Recovery.RERUN) {
            throw new BelayException("process_takes_no_signals", "process " + process.id() + " ("
                    + start.work().name() + ", " + start.recovery()
                    + ") cannot wait for signals; only bodies with the recovery RERUN can");
        }
        Json sent = Json.write(out -> {
            out.beginObject();
            if (key != null) {
                out.name("key").value(key);
            }
            out.name("payload").value(ProcessJson.bounded("the payload of a signal", payload)).endObject();
        });
        var signal = new NewSignal(OF_THE_BODY + KIND, "/" + name, key == null ? null : once(name, key),
                sent);
        switch (kept.host()
                .claiming(process.scope().id(),
                        () -> kept.store()
                                .signal(process.id(), signal, true, kept.time().now()))) {
            case ProcessRules.Signalling.Kept(WaitName wait, Claim woken) ->
                kept.host().settled(process.scope().id(), wait, signal.resolution(), woken);
            case ProcessRules.Signalling.Known known -> {
            }
            case ProcessRules.Signalling.Ended ended -> throw ProcessFaults.ended(process.id());
        }
    }

    /** A wait that no body awaits; it marks the key of a signal as sent. */
    private static WaitName once(String name, String key) {
        return new WaitName(KIND + new FramedHash().add(name).add(key).hex());
    }
}
