package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.tool.ToolContext;
import java.util.function.Consumer;

/** Gives bodies more than a call has by itself. Thread-safe. */
@FunctionalInterface
public interface CallContexts {

    /** Nothing more. */
    CallContexts PLAIN = (context, call, changes) -> context;

    /**
     * A context around another one.
     *
     * @param context what a call has by itself; also {@link dev.belay.tool.HostSupplied}, which the answer must be too
     * @param call whose
     * @param changes takes what the call changes about its session; recorded with its outcome if it succeeds
     */
    ToolContext around(ToolContext context, CallReference call, Consumer<Json> changes);
}
