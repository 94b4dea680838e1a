package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.ProcessId;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;

/** Exceptions that several classes of this room throw, each with one code and one message. */
public final class ProcessFaults {

    private ProcessFaults() {}

    /** The store has no process of this id. */
    public static BelayException unknown(ProcessId id) {
        return new BelayException("unknown_process",
                "there is no process " + id + "; list(…) names the processes of this store");
    }

    /** A signal or an event comes after the end. */
    public static BelayException ended(ProcessId id) {
        return new BelayException("process_ended",
                "process " + id + " has ended; it takes no more signals and events");
    }

    /** Describes a fault to a body; a fault of the journal is thrown as it is, so that the body is entered again. */
    static ToolException refused(BelayException fault) {
        if (fault instanceof JournalException) {
            throw fault;
        }
        return fault instanceof ToolException described
                ? described
                : new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, fault.code(),
                        String.valueOf(fault.getMessage())), fault);
    }
}
