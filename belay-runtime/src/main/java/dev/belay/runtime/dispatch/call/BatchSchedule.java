package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.Scheduling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order of a batch: all parallel calls together, then the serial ones one at a time, in the model's order. Each call is a
 * child of the scope, so that it is recorded and entered by itself. Confined to the thread of the scope.
 */
public final class BatchSchedule {

    private final Dispatch dispatch;
    private final EffectScope scope;
    private final List<PlacedCall> calls;
    private final Carriers.Captured context;
    private final @Nullable ToolOutcome[] outcomes;

    /** The schedule of a batch. */
    public BatchSchedule(Dispatch dispatch, EffectScope scope, ToolBatch batch) {
        this.dispatch = dispatch;
        this.scope = scope;
        this.calls = PlacedCall.of(batch);
        this.context = dispatch.settings().bodies().carriers().here();
        this.outcomes = new @Nullable ToolOutcome[calls.size()];
    }

    /** Runs all calls; the outcomes stand in the model's order. May throw {@link dev.belay.tool.context.Suspended}. */
    public List<ToolOutcome> run() {
        List<PlacedCall> parallel = new ArrayList<>(calls.size());
        List<PlacedCall> serial = new ArrayList<>(0);
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
        return Collections.unmodifiableList(all);
    }

    private boolean isSerial(PlacedCall call) {
        return dispatch.tools()
                .find(call.name())
                .filter(definition -> definition.manifest().scheduling() == Scheduling.SERIAL)
                .isPresent();
    }

    private void run(List<PlacedCall> some, Function<List<ChildCommand>, List<ToolOutcome>> how) {
        if (some.isEmpty()) {
            return;
        }
        List<ChildCommand> commands = new ArrayList<>(some.size());
        some.forEach(call -> commands.add(new CallChild(dispatch, call, context).command()));
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
        CallReference reference = call.reference(scope.id());
        if (dispatch.settings().told().first(reference)) {
            CallEvents events = dispatch.events(reference);
            events.started();
            events.finished(outcome);
        }
    }
}
