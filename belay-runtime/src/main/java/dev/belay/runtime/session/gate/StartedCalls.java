package dev.belay.runtime.session.gate;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The calls that processes make which calls of a turn have started: they count with the calls of the turn.
 *
 * <p><b>Concurrency.</b> Thread-safe: calls of a batch start processes side by side. <b>Durability.</b> Nothing of its own: a call leaves each
 * start in its record. <b>Recovery.</b> The records are read again on each entry.
 */
public final class StartedCalls {

    private static final String PROCESS = "started";
    private static final String TOOL = "tool";
    private static final String SAME = "same";

    private final Map<ProcessId, Started> all = new LinkedHashMap<>(0);

    /**
     * A call that a process makes.
     *
     * @param round whose call has started the process
     * @param same equal for calls with the same arguments
     */
    private record Started(long round, String tool, String same) {}

    /** What a call leaves behind that has started a process of one call; the form is part of the call's record. */
    public static Json left(ProcessId process, String tool, String canonical) {
        return Json.write(out -> out.beginObject()
                .name(PROCESS)
                .value(process.value())
                .name(TOOL)
                .value(tool)
                .name(SAME)
                .value(same(canonical))
                .endObject());
    }

    private static String same(String canonical) {
        return new FramedHash().add(canonical).hex();
    }

    /** Whether that is what a call has left. */
    public static boolean isOne(Json left) {
        return left.get(PROCESS).isPresent();
    }

    /** A call of a round has left something. */
    public synchronized void note(long round, Json left) {
        if (isOne(left)) {
            all.putIfAbsent(new ProcessId(RecordReader.text(left, PROCESS)),
                    new Started(round, RecordReader.text(left, TOOL), RecordReader.text(left, SAME)));
        }
    }

    /** A call of a round starts a process, now or before; how many others call the same tool. */
    synchronized int starts(ProcessId process, long round, String tool, String canonical) {
        all.putIfAbsent(process, new Started(round, tool, same(canonical)));
        return Math.toIntExact(all.entrySet()
                .stream()
                .filter(other -> other.getValue().tool().equals(tool) && !other.getKey().equals(process))
                .count());
    }

    /** How many were started in rounds before one. */
    synchronized int before(long round, String tool) {
        return Math.toIntExact(all.values()
                .stream()
                .filter(other -> other.tool().equals(tool) && other.round() < round)
                .count());
    }

    /** The processes of the same call. */
    synchronized List<ProcessId> same(String tool, Supplier<String> canonical) {
        if (all.values().stream().noneMatch(one -> one.tool().equals(tool))) {
            return List.of();
        }
        String same = same(canonical.get());
        return all.entrySet()
                .stream()
                .filter(one -> one.getValue().tool().equals(tool) && one.getValue().same().equals(same))
                .map(Map.Entry::getKey)
                .toList();
    }
}
