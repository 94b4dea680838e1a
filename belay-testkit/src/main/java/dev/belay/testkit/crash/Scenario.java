package dev.belay.testkit.crash;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What is played again and again.
 *
 * @param tools the user's tools
 * @param hostValues what their parameters from the host are given
 * @param calls the batch
 * @param steps what the world does when everything waits
 * @param compared what of an outcome must be the same after a crash
 */
record Scenario(ToolProvider tools, HostValues hostValues, List<CallRequest> calls, List<Step> steps,
        Function<ToolOutcome, String> compared) {

    Scenario {
        calls = List.copyOf(calls);
        steps = List.copyOf(steps);
    }

    static Scenario of(ToolProvider tools) {
        return new Scenario(tools, HostValues.NONE, List.of(), List.of(),
                outcome -> OutcomeJson.of(outcome).canonical());
    }

    Scenario with(HostValues values) {
        return new Scenario(tools, values, calls, steps, compared);
    }

    Scenario plus(CallRequest call) {
        return new Scenario(tools, hostValues, plus(calls, call), steps, compared);
    }

    Scenario plus(Step step) {
        return new Scenario(tools, hostValues, calls, plus(steps, step), compared);
    }

    Scenario comparing(Function<ToolOutcome, String> what) {
        return new Scenario(tools, hostValues, calls, steps, what);
    }

    private static <T> List<T> plus(List<T> list, T one) {
        var more = new ArrayList<>(list);
        more.add(one);
        return more;
    }

    /** Something that the world does. */
    sealed interface Step {

        /**
         * Settles all waits whose keys a tool handed out, or that have a name.
         *
         * @param label name of the tool or event
         * @param value how
         */
        record Settle(String label, Resolution value) implements Step {}

        /**
         * Cancels the batch.
         *
         * @param reason why
         */
        record Cancel(String reason) implements Step {}

        /**
         * Lets time pass.
         *
         * @param time how much
         */
        record Pass(Duration time) implements Step {}
    }
}
