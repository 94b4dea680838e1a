package dev.belay.runtime.plugin;

import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.DurableEffects;

/** What a monitor has. Confined to one entry: after the monitor has ended, every method throws. */
public interface MonitorContext {

    /** The session that it watches for. */
    SessionId session();

    /**
     * Tells the session: the model reads it at the next question, once also if the monitor is entered again.
     *
     * @param type of the event, for example {@code disk.full}
     * @param text what the model reads; at most 2,000 characters of it
     */
    void tell(String type, String text);

    /** Steps and waits; a recorded step is answered and not run again. */
    DurableEffects durable();

    /** Whether it was asked to end. Its thread is interrupted too. */
    Cancellation cancellation();
}
