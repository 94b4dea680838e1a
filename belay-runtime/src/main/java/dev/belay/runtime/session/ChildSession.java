package dev.belay.runtime.session;

import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.store.SessionId;

/** A session that a call has made. It stays when the call has ended. Confined to one call. */
public interface ChildSession {

    /** Its name, derived from the call and the name it was given there. */
    SessionId id();

    /**
     * Starts a turn, or finds the turn that was started under this name before.
     *
     * @param name tells turns of one session apart
     * @param text what is said
     */
    Turn turn(String name, String text);

    /**
     * The same with settings of its own. Without them a session that a call has made is asked as the runtime says: what is set for
     * the session above does not count below.
     *
     * @throws dev.belay.tool.ToolException {@code unknown_model} or {@code unknown_variant} if a name is not here
     * @throws dev.belay.BelayException {@code input_conflict} if the turn was started with others
     */
    Turn turn(String name, String text, TurnSettings settings);

    /**
     * The same session, whose turns run on when this call is cancelled or takes too long. Those that are not started by what is
     * returned here are cancelled then, whether the call waits for them or not. Decided with the start: a turn that is found
     * again stays what it is.
     */
    ChildSession detached();

    /** Closes it: it takes no more inputs, those that wait are taken back, and the turn that runs in it is asked to end. */
    CancelReceipt close(String reason);

    /** A turn of a child. */
    interface Turn {

        /** Waits for its end. In a resumable body this is a step: the body lets go of everything while it waits. */
        TurnResult.Ended await() throws InterruptedException;

        /**
         * The same, telling a listener what happens in the child meanwhile. A resumable body that is entered again hears what happens
         * from then on; events of another process are not heard here.
         */
        TurnResult.Ended stream(TurnListener listener) throws InterruptedException;

        /** Asks it to end. */
        CancelReceipt cancel(String reason);
    }
}
