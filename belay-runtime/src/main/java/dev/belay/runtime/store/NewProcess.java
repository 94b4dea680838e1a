package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.tool.context.Incarnation;
import java.util.Objects;

/**
 * A process to be started.
 *
 * @param id chosen by the program that starts it; the same id with the same content is the same process
 * @param incarnation of its idempotency keys, drawn for it; counts only if it is new
 * @param hash of the content; equal contents have equal hashes
 * @param content what it is to do
 */
public record NewProcess(ProcessId id, Incarnation incarnation, String hash, Json content) {

    /** Refuses null. */
    public NewProcess {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(incarnation, "incarnation");
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(content, "content");
    }

    /**
     * A session that may handle a process.
     *
     * @param session which; made if there is none
     * @param ifNew its incarnation if it is made now; one that no other session has
     */
    public record Grant(SessionId session, Incarnation ifNew) {}
}
