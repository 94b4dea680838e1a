package dev.belay.runtime.process;

import dev.belay.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Code that a process runs. Given to the runtime under a name, so that it is found again after a restart.
 *
 * <p>With {@link Recovery#RERUN} it may be entered again from its first line, after a crash or a wait: only its steps, events and
 * waits are recorded, and everything else in it must depend on what they returned. With {@link Recovery#NEVER} it is run once at
 * most.
 */
@FunctionalInterface
public interface ProcessBody {

    /**
     * Does the work.
     *
     * @param context what the process may do
     * @param input what it was started with
     * @return the value that it completes with; null is {@link Json#NULL}
     * @throws Exception what makes it fail
     */
    @Nullable
    Json run(ProcessContext context, Json input) throws Exception;
}
