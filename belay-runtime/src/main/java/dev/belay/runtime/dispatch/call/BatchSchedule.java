package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.Scheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who runs when: all parallel calls together, then the serial ones one at a time, in the model's order. Each call is a child of
 * the scope, so that it is recorded and entered by itself.
 */
public final class BatchSchedule {

    private final DispatchSettings settings;
    private final EffectScope scope;
    private final List<PlacedCall> calls;
    private final String prefix;
    private final @Nullable ToolOutcome[] outcomes;

    public BatchSchedule(DispatchSettings settings, EffectScope scope, ToolBatch batch) {
        this.settings = settings;
        this.scope = scope;
        this.calls = batch.placed();
        this.prefix = prefix(batch.turn(), batch.round());
        this.outcomes = new @Nullable ToolOutcome[calls.size()];
    }

    /** What the names of calls begin with; in the scope of a turn those of several rounds stand beside each other. */
    public static String prefix(long turn, long round) {
        return turn == 0 ? "call/" : "round/" + round + "/call/";
    }

    /** Runs all calls; the outcomes stand in the model's order. May throw {@link dev.belay.tool.context.Suspended}. */
    public List<ToolOutcome> run() {
        List<PlacedCall> parallel = new ArrayList<>();
        List<PlacedCall> serial = new ArrayList<>();
        for (PlacedCall call : calls) {
            if (call.place().position() >= ToolBatch.MOST_CALLS) {
                refuse(call);
            } else {
                (isSerial(call) ? serial : parallel).add(call);
            }
        }
        run(parallel, scope::children);
        run(serial, scope::childrenInTurn);
        List<ToolOutcome> all = new ArrayList<>(outcomes.length);
        for (ToolOutcome outcome : outcomes) {
            all.add(Objects.requireNonNull(outcome, "every call has an outcome"));
        }
        return List.copyOf(all);
    }

    private boolean isSerial(PlacedCall call) {
        return settings.offered()
                .find(call.name())
                .filter(definition -> definition.manifest().scheduling() == Scheduling.SERIAL)
                .isPresent();
    }

    private void run(List<PlacedCall> some, Function<List<ChildCommand>, List<ToolOutcome>> how) {
        if (some.isEmpty()) {
            return;
        }
        List<ChildCommand> commands = new ArrayList<>(some.size());
        some.forEach(call -> commands.add(
                new ChildCommand(new EffectKey(prefix + call.place().position()), call.input())));
        List<ToolOutcome> answers = how.apply(commands);
        for (int i = 0; i < some.size(); i++) {
            outcomes[some.get(i).place().position()] = answers.get(i);
        }
    }

    private void refuse(PlacedCall call) {
        ToolOutcome outcome = new ToolOutcome.Failure(
                ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, "too_many_calls",
                        "a message may hold " + ToolBatch.MOST_CALLS + " calls, this one holds "
                                + calls.size()
                                + "; this call was not run, ask for it again"));
        outcomes[call.place().position()] = outcome;
        CallEvents.refused(settings, CallReference.of(scope.id(), call), outcome);
    }
}
