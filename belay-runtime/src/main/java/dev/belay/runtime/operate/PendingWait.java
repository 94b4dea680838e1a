package dev.belay.runtime.operate;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A wait that is open: something outside has to answer before a turn, a process or a batch of calls goes on.
 *
 * @param keyId the public name of its key; {@code reissue} gives the whole key
 * @param kind what is waited for
 * @param scope whose wait: that of a turn, a process or a batch
 * @param session of the turn, or null
 * @param turn its number, or null
 * @param process or null
 * @param tool the tool whose call waits, or null
 * @param arguments of that call, or null
 * @param since when
 * @param deadline when it times out, or null
 * @param announcement what the tool told the user, or null
 */
public record PendingWait(String keyId, Kind kind, ScopeId scope, @Nullable SessionId session,
        @Nullable Long turn, @Nullable ProcessId process, @Nullable String tool, @Nullable Json arguments,
        Instant since, @Nullable Instant deadline, @Nullable String announcement) {

    /** What is waited for. */
    public enum Kind {
        /** The result of a parked call, or of external work. */
        COMPLETION,
        /** A person's word whether a call may run; see {@link Approvals}. */
        APPROVAL,
        /** A call that may have happened and waits until that is settled; see {@link Doubts}. */
        DOUBT,
        /** An event or signal that a body awaits. */
        EVENT,
        /** The turn that an input of another session has started. */
        INPUT
    }
}
