package dev.belay.testkit.crash;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.testkit.ScriptedPerson;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The scenario that every run plays.
 *
 * @param tools the user's tools
 * @param hostValues the values of their parameters from the host
 * @param policy decides which calls run, ask or are denied
 * @param person answers what asks, or null
 * @param calls the batch
 * @param steps the steps of the world when all calls wait
 * @param compared the part of an outcome that must be the same after a crash
 */
record Scenario(ToolProvider tools, HostValues hostValues, Policy policy, @Nullable ScriptedPerson person,
        List<CallRequest> calls, List<Step> steps, Function<ToolOutcome, String> compared) {

    Scenario {
        calls = List.copyOf(calls);
        steps = List.copyOf(steps);
    }

    static Scenario of(ToolProvider tools) {
        return new Scenario(tools, HostValues.NONE, Policy.NONE, null, List.of(), List.of(),
                outcome -> OutcomeJson.of(outcome).canonical());
    }

    Scenario with(HostValues values) {
        return new Scenario(tools, values, policy, person, calls, steps, compared);
    }

    Scenario with(Policy other) {
        return new Scenario(tools, hostValues, other, person, calls, steps, compared);
    }

    Scenario with(ScriptedPerson other) {
        return new Scenario(tools, hostValues, policy, other, calls, steps, compared);
    }

    Scenario plus(CallRequest call) {
        return new Scenario(tools, hostValues, policy, person, plus(calls, call), steps, compared);
    }

    Scenario plus(Step step) {
        return new Scenario(tools, hostValues, policy, person, calls, plus(steps, step), compared);
    }

    Scenario comparing(Function<ToolOutcome, String> what) {
        return new Scenario(tools, hostValues, policy, person, calls, steps, what);
    }

    /** Whether a doubt about another call can refuse this one: that is the same call, or may have the same resource. */
    boolean mayBeHeldUp(int call) {
        return IntStream.range(0, calls.size()).anyMatch(other -> other != call && mayHoldUp(other, call));
    }

    /** Whether a doubt about a call, of this batch or another, can refuse one. */
    boolean mayHoldUp(int doubtful, int call) {
        return calls.get(doubtful).equals(calls.get(call)) || (isExclusive(doubtful) && isExclusive(call));
    }

    private boolean isExclusive(int call) {
        return tools.definitions()
                .stream()
                .anyMatch(one -> one.name().equals(calls.get(call).name())
                        && one.manifest().exclusive() != null);
    }

    private static <T> List<T> plus(List<T> list, T one) {
        var more = new ArrayList<>(list);
        more.add(one);
        return more;
    }

    /** A step of the world. */
    sealed interface Step {

        /**
         * Settles all waits whose keys a tool took, or that have a name.
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
