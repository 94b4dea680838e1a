package dev.belay.runtime.process;

import java.util.List;

/** What a body may do with processes: those that its session was granted. Confined to one call, like its context. */
public interface ProcessesCapability {

    /**
     * Starts a process and grants it to the session of this call. It outlives the call and the session.
     *
     * @param name tells processes of one call apart; the id is derived from the call and this, so starting again, also after a
     *        restart, finds the same one
     * @param start what to do, without an id. In a resumable body this is a step
     */
    DurableProcess start(String name, ProcessStart start);

    /** Processes that the session was granted, in the order of their starts; the latest thousand. */
    List<ProcessInfo> list();

    /** A process that the session was granted; {@code process_not_granted} for any other. */
    DurableProcess get(String id);
}
