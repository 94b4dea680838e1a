package dev.belay.runtime.plugin;

import dev.belay.json.Json;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;

/** Hooks of calls. One that throws, returns null or takes more than 5 seconds fails the call: nothing is let pass by a fault. */
public final class CallHook {

    private CallHook() {}

    /** A call as its hooks see it. */
    public interface Context extends HookContext {

        /** Its id, as the model knows it. */
        CallId callId();

        /** The tool. */
        ToolManifest tool();

        /** The arguments: before validation in a hook before, the final ones in a hook after. */
        Json arguments();
    }

    /** Decides about a call before it is validated. */
    @FunctionalInterface
    public interface Before {

        /**
         * The verdict. Asked once more if another plugin edits the arguments afterwards: then a refusal counts, and an edit or anything
         * left behind does not.
         */
        BeforeVerdict decide(Context call);
    }

    /** Decides about the outcome of a call before it is recorded. */
    @FunctionalInterface
    public interface After {

        /** The verdict. Asked once more if another plugin replaces the outcome afterwards. */
        AfterVerdict decide(Context call, ToolOutcome outcome);
    }
}
