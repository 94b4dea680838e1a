package dev.belay.runtime.process;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.JournalEffectHost;
import dev.belay.runtime.effect.Names;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.ProcessRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signals as waits of the process: the n-th signal of a name settles the n-th wait for it, whichever is first.
 *
 * <p>Concurrency: the first one to settle a wait wins it, and whoever loses takes the next one. So signals are kept in the order
 * in which they came, however many send them.
 */
final class Signals {

    private static final int LONGEST = 200;
    /** A body is the first call of its process, and a signal an event of that call. */
    private static final String OF_THE_BODY = "call/0/event/";

    private Signals() {}

    static String checked(String name) {
        Names.check("the name of a signal", name, LONGEST);
        return name;
    }

    /** The event of a body that a signal settles. */
    static String event(int number, String name) {
        return "signal/" + number + "/" + name;
    }

    static Json payload(Json sent) {
        return ProcessJson.field(sent, "payload");
    }

    /**
     * Sends a signal.
     *
     * @param key the same signal sent again with the same key is sent once; null for none
     */
    static void send(JournalEffectHost host, ProcessRow process, String name, Json payload,
            @Nullable String key) {
        checked(name);
        ProcessStart start = ProcessInfo.start(process);
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
        int number = 1;
        for (WaitState wait : host.waits(process.scope().id())) {
            Resolution settled = wait.resolution();
            int of = number(wait.name().value(), name);
            if (of > 0 && settled != null) {
                if (isSame(settled, key)) {
                    return;
                }
                number = Math.max(number, of + 1);
            }
        }
        while (!isKept(host, process, new WaitName(OF_THE_BODY + event(number, name)), sent, key)) {
            number++;
        }
    }

    /** Settles one wait; false if another signal was first. */
    private static boolean isKept(JournalEffectHost host, ProcessRow process, WaitName wait, Json sent,
            @Nullable String key) {
        return switch (host.resolve(process.scope().id(), process.incarnation(), wait, Resolution.ok(sent))) {
            case Delivery.Accepted accepted -> true;
            case Delivery.Same same -> key != null;
            case Delivery.Lost(Resolution winner) -> isSame(winner, key);
            case Delivery.Unknown unknown -> throw ProcessEngine.over(process.id());
        };
    }

    private static boolean isSame(Resolution settled, @Nullable String key) {
        return key != null && settled instanceof Resolution.Ok(Json sent)
                && sent.get("key").equals(Optional.of(Json.string(key)));
    }

    /** Which signal of a name a wait is for; 0 if it is for none. */
    private static int number(String wait, String name) {
        String before = OF_THE_BODY + "signal/";
        String after = "/" + name;
        if (!wait.startsWith(before) || !wait.endsWith(after)
                || wait.length() <= before.length() + after.length()) {
            return 0;
        }
        String number = wait.substring(before.length(), wait.length() - after.length());
        return number.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(number) : 0;
    }
}
