package dev.belay.runtime.plugin;

import dev.belay.tool.ToolOutcome;

/** Hooks of calls. One that throws, returns null or takes more than 5 seconds fails the call: nothing is let pass by a fault. */
public final class CallHook {

    private CallHook() {}

    /** Decides about a call before it is validated. */
    @FunctionalInterface
    public interface Before {

        /**
         * The verdict. Asked once more if another plugin edits the arguments afterwards: then a refusal counts, and an edit or anything
         * left behind does not.
         */
        BeforeVerdict decide(HookedCall call);
    }

    /** Decides about the outcome of a call before it is recorded. */
    @FunctionalInterface
    public interface After {

        /** The verdict. Asked once more if another plugin replaces the outcome afterwards. */
        AfterVerdict decide(HookedCall call, ToolOutcome outcome);
    }
}
