package dev.belay.runtime.process;

import dev.belay.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Code that a process runs. The builder gets it under a name, by which it is found again after a restart.
 *
 * <p>With {@link Recovery#RERUN} it may be entered again from its first line, after a crash or a wait. Only its steps, events and
 * waits are recorded; everything else in it must depend on their results. With {@link Recovery#NEVER} it runs at most once.
 */
@FunctionalInterface
public interface ProcessBody {

    /**
     * Does the work.
     *
     * @param context of the process
     * @param input of its {@link ProcessStart}
     * @return the value of the process; null is {@link Json#NULL}
     * @throws Exception the process fails
     */
    @Nullable
    Json run(ProcessContext context, Json input) throws Exception;
}
