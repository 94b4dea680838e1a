package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.Recovery;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;

/**
 * The body of a process as a tool, so that a dispatcher runs it: resumable if it may be entered again, else plain and {@code ONCE}.
 * Made for one entry.
 */
final class BodyTool implements ToolProvider {

    /** A process has no deadline; parked time does not count. */
    private static final Timeouts ANY_TIME = new Timeouts(Duration.ofDays(3_650), null);
    private static final Json SCHEMA = Json.of("{\"type\":\"object\"}");

    private final ToolDefinition definition;
    private final Run run;

    /** Runs the body. */
    interface Run {
        Json run(ToolContext context, Cancellation cancellation) throws Exception;
    }

    BodyTool(String name, Recovery recovery, Run run) {
        definition = definition(name).resumable(recovery == Recovery.RERUN);
        this.run = run;
    }

    /** The tool of a body; {@code illegal_tool_name} if the name does not fit. */
    static ToolDefinition definition(String name) {
        return ToolDefinition.raw(name, "Runs the process " + name + ".", SCHEMA)
                .id("process:" + name)
                .effect(ToolEffect.ONCE)
                .timeouts(ANY_TIME);
    }

    /** The arguments of its call. A doubt about a body that a session's call has started guards bodies with the same input. */
    static Json arguments(Beginning beginning, Json input) {
        return beginning.by() == null
                ? Json.EMPTY_OBJECT
                : Json.write(out -> out.beginObject().name("input").value(input).endObject());
    }

    @Override
    public List<ToolDefinition> definitions() {
        return List.of(definition);
    }

    @Override
    public Object execute(PreparedCall call) throws Exception {
        return run.run(call.context(), call.context().cancellation());
    }
}
