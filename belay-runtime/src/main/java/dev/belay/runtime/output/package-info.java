/**
 * What is shown of the outputs of tools. A batch of calls has a budget; an output that is over it is cut, with a marker that says how
 * much is missing, and kept whole, so that the model can read the rest page by page.
 *
 * <p>{@link dev.belay.runtime.output.ToolOutputBudgetConfig} has the bounds and cuts. {@link dev.belay.runtime.output.OutputProjector}
 * makes the three views of a batch, for the caller, the model and the history; a plugin registers one for its session.
 * {@link dev.belay.runtime.output.OutputTools} reads what was kept. The engine is in the package below. The plugin of the default stack
 * is {@link dev.belay.runtime.plugin.OutputBudgetPlugin}.
 */
@NullMarked
package dev.belay.runtime.output;

import org.jspecify.annotations.NullMarked;
