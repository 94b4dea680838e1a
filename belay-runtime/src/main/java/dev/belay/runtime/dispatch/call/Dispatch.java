package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;

/**
 * How the calls of one owner are run. Thread-safe.
 *
 * @param settings shared with other owners
 * @param tools that may be called
 * @param owner a turn, a process, or none
 */
public record Dispatch(DispatchSettings settings, Offered tools, CallOwner owner) {

    /** The hooks of its calls. */
    CallHooks hooks() {
        CallHooks own = owner.hooks();
        return own == null ? settings.hooks() : own;
    }

    /** The events of one call. */
    CallEvents events(CallReference call) {
        return new CallEvents(owner.listener(), settings.bodies().threads(), call);
    }
}
