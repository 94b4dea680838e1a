package dev.belay.runtime.plugin;

import dev.belay.runtime.output.OutputProjector;
import dev.belay.runtime.output.OutputTools;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.tool.ToolProvider;
import java.util.Objects;

/**
 * Keeps the outputs of tools under a budget, in every session of {@link PluginStack#runtime}: the model is shown what the budget allows,
 * and reads the rest with {@code read_output} and {@code search_output}. Replace it to have another budget. Thread-safe.
 */
public final class OutputBudgetPlugin implements PluginFactory {

    /** Its id in a stack. */
    public static final String ID = "output-budget";

    private final OutputProjector projector;
    private final ToolProvider tools;
    private final SessionPlugin plugin;

    /** The default budget: {@link ToolOutputBudgetConfig#DEFAULT}. */
    public OutputBudgetPlugin() {
        this(ToolOutputBudgetConfig.DEFAULT);
    }

    /** Another budget. */
    public OutputBudgetPlugin(ToolOutputBudgetConfig config) {
        this(config, config.projector());
    }

    /**
     * A budget with other views.
     *
     * @param config bounds the pages of the two tools
     * @param projector makes the views; {@code config.projector()} with some of them replaced, usually
     */
    public OutputBudgetPlugin(ToolOutputBudgetConfig config, OutputProjector projector) {
        this.projector = Objects.requireNonNull(projector, "projector");
        tools = OutputTools.of(config);
        plugin = on -> {
            on.toolResults().projector(projector);
            on.toolResults().tools(tools);
        };
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return plugin;
    }

    /** What programs are shown of outputs outside sessions: calls of {@code belay.calls()} and processes. */
    public OutputProjector.CallerView caller() {
        return projector.caller();
    }
}
