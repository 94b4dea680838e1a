package dev.belay.runtime.process;

import java.util.List;

/** Starts and handles processes that the session of a call was granted. Confined to one call, like its context. */
public interface ProcessesCapability {

    /**
     * Starts a process and grants it to the session of this call. It outlives the call and the session.
     *
     * <p>The id is derived from the call and the name. So starting again, also after a restart, finds the same process. In a
     * resumable body this is a step.
     *
     * @param name tells the processes of one call apart
     * @param start the start, without an id
     */
    DurableProcess start(String name, ProcessStart start);

    /** Lists the processes that the session was granted, in the order of their starts; the latest thousand. */
    List<ProcessInfo> list();

    /** The handle of a process that the session was granted; {@code process_not_granted} for any other. */
    DurableProcess get(String id);
}
