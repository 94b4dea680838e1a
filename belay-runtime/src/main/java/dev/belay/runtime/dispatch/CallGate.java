package dev.belay.runtime.dispatch;

import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.Approval;

/** Decides last before a body runs. Called on the thread of the call; by many threads at once. */
@FunctionalInterface
public interface CallGate {

    /** What is decided about a call. */
    sealed interface Verdict {

        /**
         * It may run.
         *
         * @param approved whether a person said so, which is recorded before the body starts
         */
        record Allow(boolean approved) implements Verdict {}

        /**
         * It must not run.
         *
         * @param outcome what the model is told
         */
        record Refuse(ToolOutcome outcome) implements Verdict {}
    }

    /** Lets everything pass, whatever a tool declares. */
    CallGate OPEN = call -> new Verdict.Allow(false);

    /** For runtimes without a person to ask: refuses calls of tools that ask a person each time, and lets all others pass. */
    CallGate UNATTENDED = call -> call.tool().approval() == Approval.ALWAYS
            ? new Verdict.Refuse(new ToolOutcome.Failure(ToolFailure.ofRuntime(
                    ToolFailure.Kind.PERMISSION_DENIED, "approval_denied", "tool " + call.tool().name()
                            + " asks a person before each call, and no person can be asked here")))
            : new Verdict.Allow(false);

    /** Decides about a call with its final arguments; a gate that throws refuses it. */
    Verdict decide(CallView call);
}
