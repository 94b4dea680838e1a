package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.option.RetryAdvice;
import java.util.List;

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

    /** What hooks of one call read and leave beside their decision. */
    interface Site {

        /** What hooks and the body of this call have left so far, in the form of the call's owner. */
        List<Json> left();

        /** Leaves something to the owner of the call: recorded with the decision, and counts however the call ends. */
        void leave(Json change);

        /** The outcome of a value in place of the body's; a failure if the value does not fit the tool's output. */
        ToolOutcome completed(Json value);
    }

    /** The outcome of a value that a hook puts in the place of a body's; a failure if the value does not fit the tool's output. */
    static ToolOutcome completed(ToolDefinition definition, Json value) {
        JsonSchema output = definition.contract().output();
        var violations = output == null ? null : output.validate(value);
        return violations == null || violations.isEmpty()
                ? new ToolOutcome.Success(value)
                : BodyRunner.refused(definition, ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL,
                        "invalid_tool_output", "a plugin ended tool " + definition.name()
                                + " with a value that does not fit its output: " + violations));
    }

    /** The failure of a call whose hooks before the body have failed. */
    static ToolFailure failedBefore(ToolDefinition definition) {
        return new ToolFailure(ToolFailure.Kind.INTERNAL, "before_hook_failed",
                "a check before tool " + definition.name() + " failed; nothing was run",
                ToolFailure.Source.PLUGIN, RetryAdvice.NEVER);
    }

    /** The outcome of a call whose hooks after the body have failed. */
    static ToolOutcome failedAfter(ToolDefinition definition) {
        return BodyRunner.refused(definition,
                new ToolFailure(ToolFailure.Kind.INTERNAL, "after_hook_failed",
                        "tool " + definition.name() + " ran, but a check of its result failed",
                        ToolFailure.Source.PLUGIN, RetryAdvice.NEVER));
    }

    /**
     * What is told of an answer from outside that hooks would have looked at, and no hook can look at any more.
     *
     * @param ran whether something may have been done
     */
    static ToolOutcome withheld(boolean ran) {
        var failure = new ToolFailure(ToolFailure.Kind.INTERNAL, "after_hook_failed",
                "the call was answered from outside, and the answer is withheld: results of this tool are checked first, and"
                        + " this one was not",
                ToolFailure.Source.PLUGIN, RetryAdvice.NEVER);
        return new ToolOutcome.Failure(ran ? failure.thatMayHaveHappened() : failure);
    }

    /** Lets every call and outcome pass. */
    CallHooks NONE = new CallHooks() {};

    /** Decides about a call; a hook that throws ends the call with {@code before_hook_failed}. */
    default Verdict before(CallView call, Site site) {
        return new Verdict.Proceed(call.arguments());
    }

    /** Looks at arguments that a person has put in the place of those decided about before: may end the call, and edits do not count. */
    default Verdict inspect(CallView call, Site site) {
        return before(call, site);
    }

    /** Whether it looks at outcomes of a tool; if not, {@link #after} is not asked about them. */
    default boolean looksAfter(String tool) {
        return !equals(NONE);
    }

    /** Decides about the outcome of a body; a hook that throws ends the call with {@code after_hook_failed}. */
    default ToolOutcome after(CallView call, ToolOutcome outcome, Site site) {
        return outcome;
    }
}
