package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.tool.ToolOutcome;

/**
 * Looks at calls before they are validated and at outcomes before they are recorded. Called on the thread of the call, which
 * serial calls of a batch share; by many threads at once. Its decisions are recorded, and not asked for again.
 */
public interface CallHooks {

    /** What is decided about a call. */
    sealed interface Verdict {

        /**
         * It goes on.
         *
         * @param arguments with these; the same, or others
         */
        record Proceed(Json arguments) implements Verdict {}

        /**
         * It ends here, and its body does not run.
         *
         * @param outcome how
         */
        record End(ToolOutcome outcome) implements Verdict {}
    }

    /** Lets every call and outcome pass. */
    CallHooks NONE = new CallHooks() {};

    /** Decides about a call; a hook that throws ends the call with {@code before_hook_failed}. */
    default Verdict before(CallView call) {
        return new Verdict.Proceed(call.arguments());
    }

    /** Decides about the outcome of a body; a hook that throws ends the call with {@code after_hook_failed}. */
    default ToolOutcome after(CallView call, ToolOutcome outcome) {
        return outcome;
    }
}
