package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.body.BodyResources;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.output.OutputProjector.CallerView;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Arguments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of a dispatcher share, whatever their tools and their owner. Thread-safe.
 *
 * @param hooks stages 3 and 8
 * @param gate stage 6
 * @param callerView stage 9
 * @param timeout how long a call may take whose tool does not say
 * @param told which events were told that no record of the call proves
 * @param bodies what bodies share
 */
public record DispatchSettings(CallHooks hooks, Gate gate, CallerView callerView, Duration timeout,
        AnnouncedCalls told, BodyResources bodies) {

    /** The tool of a single call whose arguments may have been read before it is dispatched. */
    public interface DecodedTool extends ToolProvider {

        /** The arguments of the call, or null if they are still to be read. */
        Arguments.@Nullable Valid decoded();

        /** Whether its body has these arguments in hand. */
        boolean hasInput(Json arguments);
    }

    /** A person has decided on arguments that the body in hand does not have: its loop must be entered anew, which gives it those. */
    public static final class OtherInput extends RuntimeException {

        private static final long serialVersionUID = 1L;

        OtherInput() {
            super("a person has decided on other arguments", null, false, false);
        }
    }

    /** The same with another view for callers. */
    public DispatchSettings showing(CallerView view) {
        return new DispatchSettings(hooks, gate, view, timeout, told, bodies);
    }

    /** The same with another gate. */
    public DispatchSettings gatedBy(Gate other) {
        return new DispatchSettings(hooks, other, callerView, timeout, told, bodies);
    }

    /** How long all attempts of a call may take together. */
    Duration total(ToolDefinition definition) {
        Duration own = definition.manifest().timeouts().total();
        return own == null ? timeout : own;
    }
}
