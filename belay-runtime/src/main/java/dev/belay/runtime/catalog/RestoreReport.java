package dev.belay.runtime.catalog;

import dev.belay.tool.ToolId;
import java.util.List;

/**
 * The result of restoring a saved state.
 *
 * @param orphans saved tools whose source is missing now
 * @param rebound tools that were orphans when the state was saved, and have a source now
 */
public record RestoreReport(List<ToolId> orphans, List<ToolId> rebound) {

    /** Copies the lists. */
    public RestoreReport {
        orphans = List.copyOf(orphans);
        rebound = List.copyOf(rebound);
    }
}
