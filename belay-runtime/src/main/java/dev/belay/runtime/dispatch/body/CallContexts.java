package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.tool.ToolContext;

/** Gives bodies more than a call has by itself. Thread-safe. */
@FunctionalInterface
public interface CallContexts {

    /** Nothing more. */
    CallContexts PLAIN = (context, call, left) -> context;

    /**
     * A context around another one.
     *
     * @param context what a call has by itself; also {@link dev.belay.tool.context.HostSupplied}, which the answer must be too
     * @param call whose
     * @param left takes what the call leaves behind for its session
     */
    ToolContext around(ToolContext context, CallReference call, Left left);

    /** Takes what a call leaves behind beside its outcome; recorded with that. Thread-safe; throws once the call has ended. */
    interface Left {

        /** A change of the session's state. Counts if the call succeeds. */
        void changed(Json change);

        /** Something that was used up. Counts however the call ends, and for attempts that were not its last, too. */
        void spent(Json spending);
    }
}
