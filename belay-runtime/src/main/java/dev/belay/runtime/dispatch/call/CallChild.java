package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.body.MdcCarrier;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.ToolOutcome;
import java.util.HashMap;
import java.util.Map;

/**
 * One call as a child of the scope that owns its batch.
 *
 * @param dispatch how it is run
 * @param call what was asked for
 * @param context of the thread that asked for it
 */
public record CallChild(Dispatch dispatch, PlacedCall call, Carriers.Captured context)
        implements
            ChildCommand.Child {

    /** The command that runs it. */
    public ChildCommand command() {
        return new ChildCommand(call.child(), this);
    }

    @Override
    public ScopeInput input() {
        return call.input();
    }

    @Override
    public ToolOutcome run(EffectScope scope) {
        CallReference reference = call.reference(scope.id());
        var one = new OneCall(dispatch, scope, call, dispatch.events(reference),
                new HookSite(dispatch.owner(), reference));
        ToolOutcome outcome = Carriers.within(context.marked(marks()), () -> new CallPipeline(one).run());
        dispatch.owner().ended(scope, one.events().call(), outcome);
        return outcome;
    }

    /** What every line says that a hook or a body of the call logs. */
    private Map<String, String> marks() {
        Map<String, String> marks = new HashMap<>(dispatch.owner().marks());
        marks.put(MdcCarrier.CALL, call.id().value());
        marks.put(MdcCarrier.TOOL, call.name());
        return marks;
    }
}
