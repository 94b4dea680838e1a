package dev.belay.runtime.output;

import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.OutputBudget;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One output of a batch, before anything is cut.
 *
 * @param tool the name that the model said
 * @param outcome how the call ended
 * @param text what the model reads of the outcome if nothing is cut
 * @param declared the budget that the tool declares, or null if it declares none
 */
public record ToolOutput(String tool, ToolOutcome outcome, String text, @Nullable OutputBudget declared) {

    /** Refuses null. */
    public ToolOutput {
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(text, "text");
    }

    /** An output with the text of its outcome. */
    public static ToolOutput of(String tool, ToolOutcome outcome, @Nullable OutputBudget declared) {
        return new ToolOutput(tool, outcome, outcome.text(), declared);
    }

    /** Whether it is a page of an output that is kept; such a page is never kept again. */
    public boolean isPage() {
        return OutputTools.NAMES.contains(tool);
    }
}
